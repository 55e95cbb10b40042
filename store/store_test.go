package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/storetest"
	"go.uber.org/goleak"
)

func TestSQLite(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Place {
		path := filepath.Join(t.TempDir(), "results", "a?b#c%20d ü.db")
		t.Cleanup(func() {
			files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.lock"))
			if err != nil || len(files) != 0 {
				t.Errorf("lock files stay behind: %q, %v", files, err)
			}
		})
		return storetest.Place{
			Open:  func() (storetest.Store, error) { return store.Open(t.Context(), path) },
			Alter: func(t *testing.T, statements ...string) { alter(t, path, statements...) },
		}
	})
}

func open(t *testing.T, path string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// alter changes a database behind the store's back.
func alter(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range statements {
		if _, err := db.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
}

func TestOpenIsRepeatable(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "assay.db")
	s := open(t, path)
	h := storetest.Header(1)
	if err := s.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		again := open(t, path)
		if got, err := again.Run(t.Context(), "latest"); err != nil || got.ID != h.ID {
			t.Errorf("reopened: run %q, %v", got.ID, err)
		}
	}
}

func TestOpenAtTheSameTime(t *testing.T) {
	t.Parallel()
	openTogether(t, filepath.Join(t.TempDir(), "assay.db"), 12)
}

// openTogether has n at once open a store that is not there yet, and make a run.
func openTogether(t *testing.T, ref string, n int) {
	t.Helper()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			s, err := store.Open(context.Background(), ref)
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if err := s.CreateRun(context.Background(), storetest.Header(i)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	hs, err := open(t, ref).Runs(t.Context(), 0)
	if err != nil || len(hs) != n {
		t.Errorf("%d runs, %v: want %d", len(hs), err, n)
	}
}

// A file that is not the store's is refused with a reason and left as it was.
func TestForeignFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	other := filepath.Join(dir, "other.db")
	alter(t, other, `CREATE TABLE cats (name text)`, `INSERT INTO cats VALUES ('Tom')`)
	newer := filepath.Join(dir, "newer.db")
	open(t, newer).Close()
	alter(t, newer, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)`)
	text := filepath.Join(dir, "text.db")
	write(t, text, []byte(strings.Repeat("id,question\n1,who?\n", 500)))
	short := filepath.Join(dir, "short.db")
	write(t, short, []byte("hello"))

	for _, test := range []struct {
		path string
		is   error
		says string
	}{
		{other, store.ErrNotStore, "another program"},
		{newer, store.ErrNewer, "schema is 99, and this version of assay supports up to 10"},
		{text, store.ErrNotStore, "not an SQLite file"},
		{short, store.ErrNotStore, "not an SQLite file"},
	} {
		before := read(t, test.path)
		_, err := store.Open(t.Context(), test.path)
		if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), test.path) {
			t.Errorf("%v: want %v, %q and the path", err, test.is, test.says)
		}
		if !bytes.Equal(before, read(t, test.path)) {
			t.Errorf("%s was changed", test.path)
		}
	}
	if _, err := store.Open(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("a folder gives %v", err)
	}
	if _, err := store.Open(t.Context(), filepath.Join(text, "assay.db")); err == nil {
		t.Error("a file in the place of a folder was taken")
	}
}

// An empty file is what touch or a full disk leaves; there is nothing in it to
// protect.
func TestEmptyFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "assay.db")
	write(t, path, nil)
	if err := open(t, path).CreateRun(t.Context(), storetest.Header(1)); err != nil {
		t.Error(err)
	}
}

func TestDamage(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "assay.db")
	s := open(t, path)
	h := storetest.Header(1)
	if err := s.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		if err := s.Put(t.Context(), h.ID, storetest.Record(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil { // moves the log into the file
		t.Fatal(err)
	}
	whole := read(t, path)
	// Noise over the middle half, where the records are.
	noisy := slices.Clone(whole)
	for i := len(noisy) / 4; i < len(noisy)*3/4; i++ {
		noisy[i] = byte(i * 31)
	}
	for name, content := range map[string][]byte{"cut": whole[:len(whole)/2], "noise": noisy} {
		write(t, path, content)
		if err := use(t.Context(), path, h.ID); !errors.Is(err, store.ErrNotStore) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v: want %v and the path", name, err, store.ErrNotStore)
		}
	}
}

// use opens a store and reads all of it.
func use(ctx context.Context, path, id string) error {
	s, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	defer s.Close()
	for _, err := range s.Records(ctx, id) {
		if err != nil {
			return errors.Join(err, storetest.Sound(ctx, s))
		}
	}
	return storetest.Sound(ctx, s)
}

func TestNewID(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 21, 14, 34, 9, 7_999_999, time.FixedZone("", 3600))
	// Five bytes of 0 are eight digits 0; five of 255 eight letters z.
	for b, want := range map[byte]string{0: "20261121-133409007-00000000", 255: "20261121-133409007-zzzzzzzz"} {
		if got, err := store.NewID(at, bytes.NewReader(bytes.Repeat([]byte{b}, 5))); err != nil || got != want {
			t.Errorf("NewID = %q, %v: want %q", got, err, want)
		}
	}
	if _, err := store.NewID(at, strings.NewReader("abc")); err == nil {
		t.Error("a source that ends early was taken")
	}
	last := ""
	for i := range 100 {
		id, err := store.NewID(at.Add(time.Duration(i)*737*time.Millisecond), strings.NewReader("~~~~~"))
		if err != nil || id <= last {
			t.Fatalf("%q after %q, %v: want ascending ids", id, last, err)
		}
		last = id
	}
}

// The largest record anyone will store: 1,000 passages of 2,000 bytes.
func TestLargeRecord(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "assay.db"))
	h := storetest.Header(1)
	r := storetest.Record(0)
	p := r.Response.Passages[0]
	p.Text = strings.Repeat("x", 2000)
	r.Response.Passages = slices.Repeat(slices.Concat(r.Response.Passages[:0], r.Response.Passages[:1]), 1000)
	for i := range r.Response.Passages {
		r.Response.Passages[i].Text = fmt.Sprint(i, p.Text)
	}
	if err := errors.Join(s.CreateRun(t.Context(), h), s.Put(t.Context(), h.ID, r)); err != nil {
		t.Fatal(err)
	}
	for got, err := range s.Records(t.Context(), h.ID) {
		if err != nil || got.Response.Passages[999].Text != "999"+p.Text {
			t.Errorf("the last passage is %.20q, %v", got.Response.Passages[999].Text, err)
		}
	}
}

func TestReadOnlyFolder(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		// The superuser may write everywhere; a folder that does not exist
		// and cannot be made is the same case.
		if _, err := store.Open(t.Context(), filepath.Join(os.DevNull, "assay.db")); err == nil {
			t.Error("a path below a device was taken")
		}
		return
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(t.Context(), filepath.Join(dir, "assay.db")); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("a folder without write permission gives %v", err)
	}
}

// TestModeOfANewFile: a store has what people asked and the hashes of tokens. A file that its
// owner has opened to others stays so.
func TestModeOfANewFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "assay.db")
	for _, mode := range []os.FileMode{0o600, 0o640} {
		s, err := store.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.CreateRun(t.Context(), assay.Header{ID: fmt.Sprint("run", mode.Perm())}); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(path + "*")
		if err != nil || len(files) < 3 {
			t.Errorf("files %q (%v), want the database, its log and its index", files, err)
		}
		for _, file := range files {
			info, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			if got := info.Mode().Perm(); got != mode && runtime.GOOS != "windows" { // where files have no mode
				t.Errorf("%s has mode %v, want %v", filepath.Base(file), got, mode)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o640); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	dir := t.TempDir()
	s, err := store.Open(t.Context(), filepath.Join(dir, "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 1 {
		t.Errorf("files %q, want the database alone", files)
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A run of a process that has ended is interrupted, or cancelled if that was accepted, also where
// the disk has no room to store it.
func TestIfAliveWithoutProcess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	s := open(t, path)
	var all []assay.Header
	for i, id := range []string{"dead", "cancelled"} {
		h := storetest.Header(i)
		h.ID, h.State = id, "running"
		if err := s.CreateRun(t.Context(), h); err != nil {
			t.Fatal(err)
		}
		all = append(all, h)
	}
	if err := s.PutItem(t.Context(), store.Item{Kind: store.KindRequest, ID: "cancelled", Name: store.RequestCancelled, Body: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	look := func() {
		t.Helper()
		for i, want := range []string{"interrupted", "cancelled"} {
			if h, err := s.IfAlive(t.Context(), all[i], time.Now()); err != nil || h.State != want {
				t.Errorf("%s is %s, %v: want %s", all[i].ID, h.State, err, want)
			}
		}
	}
	alter(t, path, `CREATE TRIGGER full BEFORE UPDATE ON runs BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END`)
	look()
	alter(t, path, `DROP TRIGGER full`)
	look()
	if it, err := s.Item(t.Context(), store.KindRequest, "cancelled"); err != nil || it.Name != store.RequestEnded {
		t.Errorf("%+v, %v: want a request that has ended", it, err)
	}
	if h, err := s.Run(t.Context(), "cancelled"); err != nil || h.State != "cancelled" {
		t.Errorf("%s, %v", h.State, err)
	}
}
