package target

import (
	"os/exec"
	"syscall"
)

// groupExec gives a process a group of its own, and has it killed when assay is.
func groupExec(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
