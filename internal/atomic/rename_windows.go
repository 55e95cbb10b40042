package atomic

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// rename replaces a file. Windows refuses while another process has the file open, which a
// reader, another writer or a scanner for viruses has for a moment.
func rename(from, to string) error {
	return persistent(func() error { return os.Rename(from, to) }, func(err error) bool {
		return errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION)
	}, time.Sleep)
}
