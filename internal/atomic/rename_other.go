//go:build !windows

package atomic

import "os"

// rename replaces a file, whoever reads it.
func rename(from, to string) error { return os.Rename(from, to) }
