//go:build unix

package atomic_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/assay-eval/assay/internal/atomic"
)

func says(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func reads(t *testing.T, path string) string {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
	}
	return string(got)
}

func TestLinkIsReplaced(t *testing.T) {
	dir := t.TempDir()
	for _, folder := range []string{"a/b", "kept"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "kept/old.csv"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		"out.csv":        "kept/old.csv",
		"twice.csv":      "out.csv",
		"absolute.csv":   filepath.Join(dir, "kept/absolute.csv"),
		"new.csv":        "kept/new.csv",
		"folder":         "a/b",
		"a/b/parent.csv": "../parent.csv",
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"twice.csv", "out.csv", "absolute.csv", "new.csv", "folder/parent.csv"} {
		link, text := filepath.Join(dir, path), "written to "+path
		if err := errors.Join(atomic.Check(link), atomic.WriteFile(link, says(text))); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Lstat(link); err != nil || !info.Mode().IsRegular() || reads(t, link) != text {
			t.Errorf("%s: %v, %v, or another text: want the link replaced", path, info.Mode(), err)
		}
	}
	if got := reads(t, filepath.Join(dir, "kept/old.csv")); got != "old" {
		t.Errorf("a link led to %q", got)
	}
	for _, path := range []string{"kept/absolute.csv", "kept/new.csv", "a/parent.csv"} {
		if _, err := os.Lstat(filepath.Join(dir, path)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s was written through a link: %v", path, err)
		}
	}
	if err := os.Symlink("round.csv", filepath.Join(dir, "round.csv")); err != nil {
		t.Fatal(err)
	}
	if err := atomic.WriteFile(filepath.Join(dir, "round.csv"), says("x")); err == nil {
		t.Error("a link to itself: want an error")
	}
}

// A pipe stands for every node that is not a file: nobody needs to be root to make it.
func TestPipeIsWrittenTo(t *testing.T) {
	dir := t.TempDir()
	pipe, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "link")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.Symlink("pipe", link)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, link} {
		got := make(chan string)
		go func() {
			text, _ := os.ReadFile(pipe)
			got <- string(text)
		}()
		if err := atomic.WriteFile(path, says("for the reader")); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Lstat(pipe); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
			t.Fatalf("%v, %v: want the pipe kept", info.Mode(), err)
		}
		if text := <-got; text != "for the reader" {
			t.Errorf("%s: read %q", path, text)
		}
		if atomic.Replaces(path) {
			t.Errorf("%s: would be replaced", path)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("left behind: %v", left)
	}
}

func TestDeviceIsWrittenTo(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Log("only root can make a device: TestPipeIsWrittenTo stands for it")
		return
	}
	null := filepath.Join(t.TempDir(), "null")
	// The device 1:3 discards what is written.
	if err := syscall.Mknod(null, syscall.S_IFCHR|0o666, 1<<8|3); errors.Is(err, syscall.EPERM) {
		t.Logf("no device can be made here (%v): TestPipeIsWrittenTo stands for it", err)
		return
	} else if err != nil {
		t.Fatal(err)
	}
	if err := atomic.WriteFile(null, says("x")); err != nil && !errors.Is(err, fs.ErrPermission) {
		t.Fatal(err) // a file system that is mounted without devices denies the write
	}
	if info, err := os.Lstat(null); err != nil || info.Mode()&fs.ModeCharDevice == 0 {
		t.Errorf("%v, %v: want the device kept", info.Mode(), err)
	}
}

func TestOpenFileIsWrittenTo(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := atomic.WriteFile(fmt.Sprintf("/dev/fd/%d", w.Fd()), says("for the pipe")); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if text, err := io.ReadAll(r); err != nil || string(text) != "for the pipe" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestModeOfAFile(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	path := filepath.Join(t.TempDir(), "folder", "a.csv")
	mode := func(path string) fs.FileMode {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	if err := atomic.WriteFile(path, says("new")); err != nil {
		t.Fatal(err)
	}
	if got := mode(path); got != 0o640 {
		t.Errorf("a new file has mode %o, want 640", got)
	}
	if got := mode(filepath.Dir(path)); got != 0o750 {
		t.Errorf("a new folder has mode %o, want 750", got)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := atomic.WriteFile(path, says("again")); err != nil {
		t.Fatal(err)
	}
	if got := mode(path); got != 0o600 {
		t.Errorf("a file of mode 600 now has %o", got)
	}
}

func TestFolderIsNoFile(t *testing.T) {
	dir := t.TempDir()
	if err := atomic.WriteFile(dir, says("x")); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("%v: want the reason", err)
	}
}

// What a process that was killed left behind does not stop the next one.
func TestLeftoversAreNoHindrance(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	err := atomic.WriteFile(path, func(w io.Writer) error {
		if err := atomic.WriteFile(path, says("inner")); err != nil {
			return err
		}
		return says("outer")(w)
	})
	if err != nil || reads(t, path) != "outer" {
		t.Errorf("%v", err)
	}
}
