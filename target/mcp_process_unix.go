//go:build unix

package target

import (
	"os/exec"
	"syscall"
)

// mcpTerminate sends SIGTERM to a command's process group. An error means that the
// group is already gone.
func mcpTerminate(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
