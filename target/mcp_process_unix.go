//go:build unix

package target

import (
	"os/exec"
	"syscall"
)

// mcpTerminate asks a command and what it started to end. A group that is gone
// needs no signal, so that the error says nothing.
func mcpTerminate(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
