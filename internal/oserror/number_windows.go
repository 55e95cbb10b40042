package oserror

import (
	"syscall"

	"golang.org/x/sys/windows"
)

var (
	brokenPipe = []syscall.Errno{windows.ERROR_BROKEN_PIPE, windows.ERROR_NO_DATA}
	reset      = []syscall.Errno{windows.WSAECONNRESET, windows.WSAECONNABORTED}
	refused    = []syscall.Errno{windows.WSAECONNREFUSED}
	inUse      = []syscall.Errno{windows.WSAEADDRINUSE}
	tooMany    = []syscall.Errno{windows.ERROR_TOO_MANY_OPEN_FILES, windows.WSAEMFILE}
)
