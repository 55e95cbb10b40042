package process

import "syscall"

// group has a process begin its own process group, and killed when this process, or the
// thread that started it, ends.
func group() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
