//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"
)

// Kill kills a process and what it has started.
func Kill(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return os.ErrProcessDone
	}
	// The group is named after its first process; a negative id means it.
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil {
		return os.ErrProcessDone
	}
	return nil
}
