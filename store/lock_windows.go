package store

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile locks f without waiting; ok is false if it is locked already. It locks one
// byte far behind the content, so that others can still read the content.
func lockFile(f *os.File) (ok bool, err error) {
	at := &windows.Overlapped{OffsetHigh: 1}
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// release closes the file and then removes it, since an open file cannot be removed. If
// another process has locked it by then, the removal fails, as intended.
func release(f *os.File, path string) error {
	err := f.Close()
	_ = os.Remove(path)
	return err
}
