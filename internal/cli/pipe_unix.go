//go:build unix

package cli

import (
	"errors"
	"syscall"
)

// isBrokenPipe reports whether the reader of the output went away, as head
// does, which is no failure of ours.
func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
