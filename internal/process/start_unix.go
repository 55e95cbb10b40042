//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"
)

// Start starts a process in its own process group. On Linux it is killed when this process,
// or the thread that started it, ends.
func Start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = group()
	return cmd.Start()
}

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

// terminate asks a process and its children to end. An error means that they have.
func terminate(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
