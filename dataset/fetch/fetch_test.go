package fetch_test

import (
	"archive/zip"
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/dataset/fetch"
)

// archive is a dataset of BEIR of so many bytes and more.
func archive(t *testing.T, size int, folder string) []byte {
	t.Helper()
	noise := make([]byte, size/2)
	random := rand.NewChaCha8([32]byte{1})
	_, _ = random.Read(noise)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range map[string]string{
		"corpus.jsonl":   fmt.Sprintf(`{"_id": "d", "title": "t", "text": "%x"}`+"\n", noise),
		"queries.jsonl":  `{"_id": "q", "text": "When?"}` + "\n",
		"qrels/test.tsv": "query-id\tcorpus-id\tscore\nq\td\t1\n",
	} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: folder + name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func shaOf(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

func md5Of(b []byte) string {
	s := md5.Sum(b)
	return hex.EncodeToString(s[:])
}

// left lists what is in a folder.
func left(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestFetch(t *testing.T) {
	t.Parallel()
	data := archive(t, 1<<16, "own/")
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/sets/own.zip" {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, "own.zip", time.Time{}, bytes.NewReader(data))
	}))
	t.Cleanup(h.Close)
	local := t.TempDir()
	if err := os.WriteFile(filepath.Join(local, "own.zip"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, from := range map[string]string{
		"a folder of a server": h.URL + "/sets", "with a slash": h.URL + "/sets/", "an address": h.URL + "/sets/own.zip", "a folder": local,
		"a file": filepath.Join(local, "own.zip"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			to := filepath.Join(dir, "here.zip")
			var done, total int64
			got, err := fetch.Fetch(t.Context(), "own", to, fetch.Options{
				From: from, SHA256: strings.ToUpper(shaOf(data)), Progress: func(d, all int64) { done, total = d, all },
			})
			if err != nil {
				t.Fatal(err)
			}
			if got.Size != int64(len(data)) || got.SHA256 != shaOf(data) || got.Checked != "SHA-256" || got.Resumed != 0 {
				t.Errorf("got %+v", got)
			}
			if strings.HasPrefix(from, "http") && (done != got.Size || total != got.Size) {
				t.Errorf("progress %d of %d, want %d", done, total, got.Size)
			}
			if names := left(t, dir); len(names) != 1 {
				t.Errorf("left %v", names)
			}
			d, err := dataset.Load(t.Context(), to, dataset.Options{})
			if err != nil || d.Cases.Len() != 1 {
				t.Errorf("the dataset cannot be read: %v", err)
			}
		})
	}
}

// brittle serves an archive and breaks every transfer off after some bytes.
type brittle struct {
	data     []byte
	each     int
	etag     string
	requests atomic.Int32
	served   atomic.Int64
}

func (b *brittle) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.requests.Add(1)
	w.Header().Set("ETag", b.etag)
	http.ServeContent(&cut{w, b.each, &b.served}, r, "own.zip", time.Time{}, bytes.NewReader(b.data))
}

type cut struct {
	http.ResponseWriter
	left   int
	served *atomic.Int64
}

func (c *cut) Write(p []byte) (int, error) {
	if c.left == 0 {
		panic(http.ErrAbortHandler)
	}
	n, err := c.ResponseWriter.Write(p[:min(len(p), c.left)])
	c.left -= n
	c.served.Add(int64(n))
	if err == nil && n < len(p) {
		if f, ok := c.ResponseWriter.(http.Flusher); ok {
			f.Flush()
		}
		panic(http.ErrAbortHandler)
	}
	return n, err
}

// TestResume goes on where a transfer broke off, over several calls, and asks for no byte
// twice; from the beginning if the server has another archive by then, or cannot tell.
func TestResume(t *testing.T) {
	t.Parallel()
	data := archive(t, 100_000, "")
	s := &brittle{data: data, each: 30_000, etag: `"one"`}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	dir := t.TempDir()
	to := filepath.Join(dir, "own.zip")
	options := fetch.Options{From: h.URL, SHA256: shaOf(data)}
	_, err := fetch.Fetch(t.Context(), "own", to, options)
	if err == nil || !strings.Contains(err.Error(), "90000 bytes are there: the same command goes on from them") {
		t.Fatalf("%v, want three tries", err)
	}
	if _, err := os.Stat(to); err == nil {
		t.Error("a part is in the place of the archive")
	}
	got, err := fetch.Fetch(t.Context(), "own", to, options)
	if err != nil || got.Resumed != 90_000 || s.served.Load() != int64(len(data)) {
		t.Errorf("%+v, %v; %d bytes served of %d", got, err, s.served.Load(), len(data))
	}
	if names := left(t, dir); len(names) != 1 {
		t.Errorf("left %v", names)
	}
	for name, change := range map[string]func(s *brittle){
		"another archive": func(s *brittle) { s.data, s.etag = archive(t, 200_000, "x/"), `"two"` },
		"a weak tag":      func(s *brittle) { s.etag = `W/"one"` },
		"no tag":          func(s *brittle) { s.etag = "" },
	} {
		t.Run(name, func(t *testing.T) {
			s := &brittle{data: data, each: 30_000, etag: `"one"`}
			if name != "another archive" {
				change(s)
			}
			h := httptest.NewServer(s)
			defer h.Close()
			to := filepath.Join(t.TempDir(), "own.zip")
			if _, err := fetch.Fetch(t.Context(), "own", to, fetch.Options{From: h.URL}); err == nil {
				t.Fatal("the transfer was not broken off")
			}
			change(s)
			s.each = 1 << 20
			got, err := fetch.Fetch(t.Context(), "own", to, fetch.Options{From: h.URL, SHA256: shaOf(s.data)})
			if err != nil || got.Resumed != 0 {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	data := archive(t, 1000, "")
	var empty bytes.Buffer
	if err := zip.NewWriter(&empty).Close(); err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/good/scifact.zip", "/good/own.zip":
			_, _ = w.Write(data)
		case "/page/own.zip":
			_, _ = io.WriteString(w, "<html>Sign in</html>")
		case "/empty/own.zip":
			_, _ = w.Write(empty.Bytes())
		case "/busy/own.zip":
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(h.Close)
	unpacked := t.TempDir()
	if err := os.WriteFile(filepath.Join(unpacked, "corpus.jsonl"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, set, from, sha, want string }{
		{"unknown", "own", "", "", `unknown dataset "own"  (known: msmarco, trec-covid, `},
		{"nearly known", "sciffact", "", "", `unknown dataset "sciffact": did you mean "scifact"?`},
		{"no sum", "own", h.URL + "/good", "12", `--sha256 "12": want 64 hexadecimal digits`},
		{"another sum", "own", h.URL + "/good", shaOf(nil), "the archive has the SHA-256 " + shaOf(data) + ": want " + shaOf(nil)},
		{
			"not the published", "scifact", h.URL + "/good", "",
			"the archive has the MD5 " + md5Of(data) + ": want the published 5f7d1de60b170fc8027bb7898e2efca1",
		},
		{"a page", "own", h.URL + "/page", "", "is no zip archive"},
		{"an empty archive", "own", h.URL + "/empty", "", "the archive has no corpus.jsonl: want a dataset of BEIR"},
		{"not found", "own", h.URL + "/none", "", "/none/own.zip: the server answers 404 Not Found: want the archive"},
		{"busy", "own", h.URL + "/busy", "", "the server answers 503 Service Unavailable"},
		{"no server", "own", "http://127.0.0.1:1", "", "cannot be reached: dial tcp"},
		{"no folder", "own", filepath.Join(unpacked, "none"), "", "does not exist: want an archive, or a folder with own.zip"},
		{"not in the folder", "own", t.TempDir(), "", "own.zip: does not exist"},
		{"unpacked", "own", unpacked, "", "is a dataset of BEIR already"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			_, err := fetch.Fetch(t.Context(), c.set, filepath.Join(dir, "to.zip"), fetch.Options{From: c.from, SHA256: c.sha})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if names := left(t, dir); len(names) != 0 {
				t.Errorf("left %v", names)
			}
		})
	}
}

func TestSum(t *testing.T) {
	t.Parallel()
	data := archive(t, 1000, "")
	file := filepath.Join(t.TempDir(), "own.zip")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, sha string
		same      bool
	}{{"own", "", false}, {"own", shaOf(data), true}, {"own", shaOf(nil), false}, {"scifact", "", false}, {"scifact", shaOf(data), true}} {
		if sum, same, err := fetch.Sum(c.name, file, c.sha); err != nil || same != c.same || sum != shaOf(data) {
			t.Errorf("%s %.6s: %s, %v, %v", c.name, c.sha, sum, same, err)
		}
	}
	if _, _, err := fetch.Sum("own", file+"x", ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
