//go:build !unix

package llmtest

import "os/exec"

// group is for Unix only: elsewhere a server that dies may leave the process
// behind that runs its model.
func group(*exec.Cmd) (end func()) { return func() {} }
