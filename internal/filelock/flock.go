//go:build !windows

package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Try locks f without waiting; ok is false if it is locked already.
func Try(f *os.File) (ok bool, err error) {
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// Unlock ends the lock. Closing the file is not enough: a process that is being started
// holds a copy of the descriptor until it runs another program.
func Unlock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_UN) }

// Remove removes the file while it is still locked, so that no other process can lock it in
// between, and then closes it.
func Remove(f *os.File) error { return errors.Join(os.Remove(f.Name()), f.Close()) }
