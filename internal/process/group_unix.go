//go:build unix && !linux

package process

import "syscall"

// group has a process begin its own process group.
func group() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
