package process

import (
	"errors"
	"io/fs"
	"os/exec"
)

// Want returns what to change when a command could not be started because of err, as
// the end of an error message; "" if there is no advice.
func Want(err error) string {
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return ": expected a program that is on PATH, or a path such as ./program"
	case errors.Is(err, fs.ErrNotExist):
		return ": expected a program that exists; a script also needs the interpreter that its first line names"
	case errors.Is(err, fs.ErrPermission):
		return ": expected a file that may be executed (chmod +x)"
	}
	return ""
}
