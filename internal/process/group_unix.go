//go:build unix && !linux

package process

import (
	"os/exec"
	"syscall"
)

// Group gives a process a group of its own.
func Group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
