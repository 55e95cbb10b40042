//go:build !unix

package cli

// isBrokenPipe reports whether the reader of the output went away. Only unix
// systems tell.
func isBrokenPipe(error) bool { return false }
