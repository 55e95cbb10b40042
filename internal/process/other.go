//go:build !unix

package process

import (
	"os"
	"os/exec"
)

// Group does nothing: this system has no process groups to kill.
func Group(*exec.Cmd) {}

// Kill kills a process.
func Kill(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return os.ErrProcessDone
	}
	return cmd.Process.Kill()
}
