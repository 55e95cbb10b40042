package process

import (
	"os/exec"
	"syscall"
)

// Group gives a process that is about to start a group of its own, and has it
// killed when this process ends, or the thread that started it.
func Group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
