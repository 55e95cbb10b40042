//go:build unix

package llmtest

import (
	"os/exec"
	"syscall"
)

// group puts what the command starts into a group of its own and returns what
// ends the group, for a server that dies leaves the process behind that runs
// its model.
func group(cmd *exec.Cmd) (end func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() {
		if cmd.Process != nil {
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) //nolint:errcheck // it is gone, as a rule
		}
	}
}
