//go:build !windows

package store

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile locks f without waiting; ok is false if it is locked already. The lock
// belongs to the open file, so that two stores of one process also exclude each other,
// and ends when the file is closed.
func lockFile(f *os.File) (ok bool, err error) {
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// release removes the file while it is still locked, so that no other process can lock
// it in between, and then closes it.
func release(f *os.File, path string) error {
	return errors.Join(os.Remove(path), f.Close())
}
