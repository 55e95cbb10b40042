//go:build darwin || linux || freebsd || netbsd || openbsd || dragonfly

package upload

import (
	"os"
	"syscall"
)

// lock prevents other processes from writing the file. The lock ends with this process.
func lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// unlock ends the lock. Closing the file is not enough: a process that is being started holds
// a copy of the descriptor until it runs another program.
func unlock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
