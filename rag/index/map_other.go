//go:build !unix

package index

import (
	"errors"
	"os"
)

// mapFile is not supported on this system: the file is read instead.
func mapFile(*os.File, int) (data []byte, unmap func() error, err error) {
	return nil, nil, errors.ErrUnsupported
}
