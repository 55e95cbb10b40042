//go:build !unix

package target

import "os/exec"

// mcpTerminate does nothing: there are no such signals, and the input of the
// command has been closed.
func mcpTerminate(*exec.Cmd) {}
