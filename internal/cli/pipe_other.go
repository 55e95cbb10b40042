//go:build !unix

package cli

// isBrokenPipe reports whether the reader of the output has gone away. This is only
// known on Unix.
func isBrokenPipe(error) bool { return false }
