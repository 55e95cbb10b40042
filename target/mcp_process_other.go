//go:build !unix

package target

import "os/exec"

// mcpTerminate does nothing: there are no such signals here, and the command's input
// has been closed.
func mcpTerminate(*exec.Cmd) {}
