// Package atomic writes files that are either complete or absent.
package atomic

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// WriteFile writes what write produces to path, whose folder it creates if necessary.
//
// It writes to a temporary file beside a regular file or a new one, syncs it and renames
// it, so that a reader sees either the old file or the new one, and a failure leaves no
// trace. A link is replaced, so that nobody who can place one chooses which file is
// overwritten. A new file's mode is 0666 less the umask; an existing file keeps its
// permissions.
//
// A device, a pipe and an open file of the process (/dev/stdout) are written to as they
// are, also through a link.
func WriteFile(path string, write func(io.Writer) error) error {
	at, info, err := resolve(path)
	switch {
	case err != nil:
		return err
	case info == nil || info.Mode().IsRegular() && at != path:
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		return replace(path, 0, write)
	case info.Mode().IsRegular():
		return replace(path, info.Mode().Perm(), write)
	case info.IsDir():
		return &fs.PathError{Op: "write", Path: path, Err: errIsFolder}
	}
	return through(at, write)
}

// Check returns the error that [WriteFile] would meet before it writes. It creates the folder
// and leaves what is there.
func Check(path string) error {
	_, info, err := resolve(path)
	switch {
	case err != nil:
		return err
	case info != nil && info.IsDir():
		return &fs.PathError{Op: "write", Path: path, Err: errIsFolder}
	case info != nil && !info.Mode().IsRegular():
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := beside(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

var errIsFolder = errors.New("it is a folder: name a file")

// Replaces reports whether [WriteFile] would replace the content of a file.
func Replaces(path string) bool {
	_, info, err := resolve(path)
	return err == nil && info != nil && (info.Mode().IsRegular() || info.IsDir())
}

// maxLinks is the number of links that are followed: that of Linux.
const maxLinks = 40

// resolve follows the links of path's last element. info is nil if nothing is there; its
// mode is irregular for what is not to be replaced.
func resolve(path string) (at string, info fs.FileInfo, err error) {
	at = path
	for range maxLinks {
		info, err = os.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return at, nil, nil
		case err != nil || info.Mode()&fs.ModeSymlink == 0:
			return at, info, err
		case strings.HasPrefix(at, "/proc/"), strings.HasPrefix(at, "/dev/fd/"):
			// A link to an open file, whose text need not be a path.
			return at, info, nil
		}
		to, err := os.Readlink(at)
		if err != nil {
			return at, nil, err
		}
		if !filepath.IsAbs(to) {
			// Not cleaned: ".." after a link to a folder is the parent of that folder.
			dir, _ := filepath.Split(at)
			to = dir + to
		}
		at = to
	}
	return at, nil, &fs.PathError{Op: "write", Path: path, Err: errors.New("too many links")}
}

// through writes to what cannot be replaced.
func through(path string, write func(io.Writer) error) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}

// replace writes a file beside path and renames it. keep has the permissions of the file
// that it replaces, 0 if there is none.
func replace(path string, keep fs.FileMode, write func(io.Writer) error) (err error) {
	f, err := beside(path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, ignoreClosed(f.Close()), os.Remove(f.Name()))
		}
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if keep != 0 {
		if err := f.Chmod(keep); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return rename(f.Name(), path)
}

// maxBeside is the number of leftovers of a process that was killed, and of concurrent
// writers of the same file, that beside passes over.
const maxBeside = 1000

// beside creates a hidden file in the folder of path. [os.CreateTemp] creates files that
// only the user may read, whatever the umask.
func beside(path string) (*os.File, error) {
	dir, base := filepath.Split(path)
	for i := range maxBeside {
		f, err := os.OpenFile(fmt.Sprintf("%s.%s.%d-%d", dir, base, os.Getpid(), i), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, &fs.PathError{Op: "write", Path: path, Err: errors.New("too many unfinished files beside it; remove ." + base + ".*")}
}

func ignoreClosed(err error) error {
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}
