//go:build darwin || linux || freebsd || netbsd || openbsd || dragonfly

package upload

import (
	"os"
	"syscall"
)

// lock keeps other processes from writing the file. It ends with this process,
// however that ends.
func lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
