package atomic

import (
	"errors"

	"golang.org/x/sys/windows"
)

// inUse tells whether a file is refused because it is open.
func inUse(err error) bool {
	return errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION)
}
