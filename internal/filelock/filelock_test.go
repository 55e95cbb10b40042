package filelock_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-eval/assay/internal/filelock"
)

func open(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func try(t *testing.T, f *os.File, want bool) {
	t.Helper()
	if ok, err := filelock.Try(f); ok != want || err != nil {
		t.Errorf("locked: %v, %v, want %v", ok, err, want)
	}
}

func TestLock(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.lock")
	first, second := open(t, path), open(t, path)
	try(t, first, true)
	try(t, second, false)
	if _, err := first.WriteString("owner"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); string(text) != "owner" || err != nil {
		t.Errorf("others read %q, %v: want the content of a locked file", text, err)
	}
	if err := filelock.Unlock(first); err != nil {
		t.Fatal(err)
	}
	try(t, second, true)
	second.Close()
	try(t, first, true)
	if err := filelock.Remove(first); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("after its removal: %v", err)
	}
}
