//go:build unix

package cli

import (
	"errors"
	"syscall"
)

// isBrokenPipe reports whether the reader of the output has gone away, as head does.
// That is not a failure of assay.
func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
