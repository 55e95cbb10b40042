//go:build !windows

package store

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile locks f without waiting; ok is false when another has it. The lock
// belongs to the open file, so that two stores of one process exclude each
// other too, and ends when the file is closed, by whatever means.
func lockFile(f *os.File) (ok bool, err error) {
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// release removes the file while it is still locked, so that nobody can have
// locked it meanwhile, and then closes it.
func release(f *os.File, path string) error {
	return errors.Join(os.Remove(path), f.Close())
}
