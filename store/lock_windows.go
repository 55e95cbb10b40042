package store

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile locks f without waiting; ok is false when another has it. The lock
// is on one byte far behind the content, which others may so still read.
func lockFile(f *os.File) (ok bool, err error) {
	at := &windows.Overlapped{OffsetHigh: 1}
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// release closes the file and then removes it: an open file cannot be removed.
// When another has locked it meanwhile the removal fails, as it should.
func release(f *os.File, path string) error {
	err := f.Close()
	_ = os.Remove(path)
	return err
}
