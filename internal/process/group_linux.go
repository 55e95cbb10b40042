package process

import (
	"os/exec"
	"syscall"
)

// Group starts a process in its own process group, and has it killed when this process,
// or the thread that started it, ends.
func Group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
