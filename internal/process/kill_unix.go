//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"
)

// Kill kills a process and its children.
func Kill(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return os.ErrProcessDone
	}
	// A negative id means the process group of the first process.
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil {
		return os.ErrProcessDone
	}
	return nil
}
