package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// place is the byte that is locked. It lies far behind the content, so that others can
// still read that: a lock of Windows keeps them from the bytes themselves.
func place() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: 1} }

// Try locks f without waiting; ok is false if it is locked already.
func Try(f *os.File) (ok bool, err error) {
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, place())
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// Unlock ends the lock.
func Unlock(f *os.File) error { return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, place()) }

// Remove closes the file and then removes it, since an open file cannot be removed. If
// another process has locked it by then, the removal fails, as intended.
func Remove(f *os.File) error {
	err := f.Close()
	_ = os.Remove(f.Name())
	return err
}
