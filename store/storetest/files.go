package storetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/store"
)

// files: a file is stored once for all runs that have it, in parts, and is dropped when the last
// of them is deleted.
func files(t *testing.T, p Place) {
	s := open(t, p)
	ctx := t.Context()
	one, two := create(t, s, 1), create(t, s, 2)
	content := make([]byte, 9<<20+5) // three parts
	if _, err := rand.NewChaCha8([32]byte{1}).Read(content); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(content)
	print := hex.EncodeToString(sum[:])
	name := func(run string, want bool) {
		t.Helper()
		stored, err := s.NameFile(ctx, run, print, []byte(`{"of":"`+run+`"}`), start)
		if err != nil || stored != want {
			t.Errorf("run %s: stored %v, %v: want %v", run, stored, err, want)
		}
	}
	read := func() error {
		t.Helper()
		var got bytes.Buffer
		err := s.File(ctx, print, &got)
		if err == nil && !bytes.Equal(got.Bytes(), content) {
			t.Errorf("read %d bytes, which differ from the %d that were stored", got.Len(), len(content))
		}
		return err
	}
	_, _, err := s.RunFile(ctx, one)
	wantError(t, err, store.ErrNotFound)
	name(one, false)
	wantError(t, read(), store.ErrNotFound)
	// What ends early, or has another content, does not count.
	if err := s.PutFile(ctx, print, bytes.NewReader(content[:5<<20]), start); err == nil || !strings.Contains(err.Error(), "another content") {
		t.Errorf("half of the content: %v", err)
	}
	name(one, false)
	if err := s.PutFile(ctx, print, bytes.NewReader(content), start); err != nil {
		t.Fatal(err)
	}
	name(one, true)
	name(two, true)
	if err := read(); err != nil {
		t.Error(err)
	}
	if got, about, err := s.RunFile(ctx, two); err != nil || got != print || string(about) != `{"of":"`+two+`"}` {
		t.Errorf("%s, %s, %v", got, about, err)
	}
	late := start.Add(time.Hour)
	drop := func(before time.Time, want int) {
		t.Helper()
		stale, err := s.Stale(ctx, before)
		if err != nil || stale.Files != want || (stale.FileBytes > int64(len(content))) != (want > 0) {
			t.Errorf("%d stale files of %d bytes, %v: want %d", stale.Files, stale.FileBytes, err, want)
		}
		if n, err := s.DropFiles(ctx, before); err != nil || n != want {
			t.Errorf("dropped %d, %v: want %d", n, err, want)
		}
	}
	drop(late, 0)
	if err := s.DeleteRun(ctx, one); err != nil {
		t.Fatal(err)
	}
	drop(late, 0)
	if err := read(); err != nil {
		t.Error(err)
	}
	if err := s.DeleteRun(ctx, two); err != nil {
		t.Fatal(err)
	}
	drop(start, 0) // it is not old enough
	drop(late, 1)
	wantError(t, read(), store.ErrNotFound)
}
