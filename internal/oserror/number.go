//go:build !windows

package oserror

import "syscall"

var (
	brokenPipe = []syscall.Errno{syscall.EPIPE}
	reset      = []syscall.Errno{syscall.ECONNRESET}
	refused    = []syscall.Errno{syscall.ECONNREFUSED}
	inUse      = []syscall.Errno{syscall.EADDRINUSE}
	tooMany    = []syscall.Errno{syscall.EMFILE}
)
