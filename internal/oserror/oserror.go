// Package oserror recognises errors of the operating system that messages explain. Windows
// has numbers of its own for them, which those of package syscall do not match.
package oserror

import (
	"errors"
	"slices"
	"syscall"
)

// BrokenPipe tells whether the reader of the output has gone away, as head does.
func BrokenPipe(err error) bool { return is(err, brokenPipe) }

// Reset tells whether the other side broke a connection off.
func Reset(err error) bool { return is(err, reset) }

// Refused tells whether nothing listens at an address.
func Refused(err error) bool { return is(err, refused) }

// AddressInUse tells whether another program listens at an address.
func AddressInUse(err error) bool { return is(err, inUse) }

// TooManyFiles tells whether the process has as many open files as it may have.
func TooManyFiles(err error) bool { return is(err, tooMany) }

func is(err error, numbers []syscall.Errno) bool {
	return slices.ContainsFunc(numbers, func(n syscall.Errno) bool { return errors.Is(err, n) })
}
