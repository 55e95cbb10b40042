package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
)

// TestReadOnlyFolderCanBeRead opens a database in a folder in which nobody may write, such as an
// archive. What a running process still has beside the file must not be missed.
func TestReadOnlyFolderCanBeRead(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "archive")
	path := filepath.Join(dir, "assay.db")
	s, err := store.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CreateRun(ctx, assay.Header{ID: "a", State: "finished", Started: time.Unix(0, 0).UTC()}); err != nil {
		t.Fatal(err)
	}
	wal, err := os.ReadFile(path + "-wal")
	if err != nil || len(wal) == 0 {
		t.Fatalf("%d bytes beside the file, %v", len(wal), err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	seal := func() {
		for p, mode := range map[string]os.FileMode{path: 0o444, dir: 0o555, filepath.Dir(dir): 0o755, filepath.Dir(filepath.Dir(dir)): 0o755} {
			if err := os.Chmod(p, mode); err != nil {
				t.Fatal(err)
			}
		}
	}
	seal()
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	asNobody(t, func() {
		s, err := store.Open(ctx, path)
		if err != nil {
			t.Error(err)
			return
		}
		defer s.Close()
		if h, err := s.Run(ctx, "a"); err != nil || h.State != "finished" {
			t.Errorf("run %+v, %v", h, err)
		}
		err = s.CreateRun(ctx, assay.Header{ID: "b", State: "running", Started: time.Unix(0, 0).UTC()})
		if err == nil || !strings.Contains(err.Error(), "cannot be opened for writing") {
			t.Errorf("a write: %v", err)
		}
	})
	if err := errors.Join(os.Chmod(dir, 0o755), os.WriteFile(path+"-wal", wal, 0o444)); err != nil {
		t.Fatal(err)
	}
	seal()
	asNobody(t, func() {
		s, err := store.Open(ctx, path)
		if err == nil {
			s.Close()
			t.Error("opened without the changes beside the file")
		}
	})
}

// asNobody runs f with the file permissions of another user. Its thread ends with it.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if os.Getuid() == 0 {
			if err := syscall.Setfsuid(65534); err != nil {
				t.Error(err)
			}
		}
		f()
	}()
	<-done
}
