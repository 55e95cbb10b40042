//go:build unix && !linux

package process

import (
	"os/exec"
	"syscall"
)

// Group starts a process in its own process group.
func Group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
