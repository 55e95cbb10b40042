//go:build unix && !linux

package target

import (
	"os/exec"
	"syscall"
)

// groupExec gives a process a group of its own.
func groupExec(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
