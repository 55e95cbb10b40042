//go:build !unix

package target

import (
	"os"
	"os/exec"
)

// groupExec does nothing: there are no groups that could be killed.
func groupExec(*exec.Cmd) {}

// killExec kills a process.
func killExec(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return os.ErrProcessDone
	}
	return cmd.Process.Kill()
}
