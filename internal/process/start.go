package process

import (
	"errors"
	"io/fs"
	"os/exec"
)

// Want says what would be right when a command could not be started for err:
// the end of an error message, "" when there is nothing to say.
func Want(err error) string {
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return ": want a program that is on PATH, or a path such as ./program"
	case errors.Is(err, fs.ErrNotExist):
		return ": want a program that exists; a script also needs the interpreter that its first line names"
	case errors.Is(err, fs.ErrPermission):
		return ": want a file that may be executed (chmod +x)"
	}
	return ""
}
