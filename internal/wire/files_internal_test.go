package wire

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/store"
)

// listOf returns the files of a folder under their own names.
func listOf(dir string, names ...string) *fileList {
	w := World{Path: func(name string) string { return filepath.Join(dir, name) }, files: &fileList{paths: map[string]string{}}}
	for _, name := range names {
		w.read(name)
	}
	return w.files
}

func written(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestFileArchive: an archive has the files of a run and nothing hidden, depends on names and
// contents alone, and is unpacked to what it was made of.
func TestFileArchive(t *testing.T) {
	files := map[string]string{
		"gold.jsonl": "{}", "corpus/a.md": "a", "corpus/deep/b.txt": "b", "corpus/.env": "secret", "corpus/.git/config": "secret", "other.md": "not asked for",
	}
	names := []string{"gold.jsonl", "corpus", "missing.yaml", "linked", ""}
	var archives [2]bytes.Buffer
	var index fileIndex
	for i := range archives {
		dir := written(t, files)
		if err := os.Symlink("corpus", filepath.Join(dir, "linked")); err != nil {
			t.Fatal(err)
		}
		var err error
		if index, err = listOf(dir, names...).archive(&archives[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(archives[0].Bytes(), archives[1].Bytes()) {
		t.Error("two archives of the same files differ")
	}
	if strings.Contains(archives[0].String(), "secret") || strings.Contains(archives[0].String(), "not asked for") {
		t.Error("the archive has what nobody named")
	}
	if got := slices.Sorted(maps.Keys(index.Paths)); !slices.Equal(got, []string{"corpus", "gold.jsonl", "linked"}) {
		t.Errorf("the index has %v", got)
	}
	to := t.TempDir()
	if err := unarchive(&archives[0], to); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, name := range []string{"corpus", "gold.jsonl", "linked"} {
		root := filepath.Join(to, filepath.FromSlash(index.Paths[name]))
		err := filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(at)
			got[name+strings.TrimPrefix(at, root)] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{"gold.jsonl": "{}", "corpus/a.md": "a", "corpus/deep/b.txt": "b", "linked/a.md": "a", "linked/deep/b.txt": "b"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestFileArchiveIsLimited: files that are larger than the limit together are refused before they
// are read, and not stored.
func TestFileArchiveIsLimited(t *testing.T) {
	dir := written(t, map[string]string{"a": "", "b": "b"})
	if err := os.Truncate(filepath.Join(dir, "a"), mostFiles+1); err != nil {
		t.Fatal(err)
	}
	var first bytes.Buffer
	if _, err := listOf(dir, "b", "a").archive(&first); !errors.Is(err, errTooLarge) || first.Len() > 0 {
		t.Errorf("%v: want that the files are too large", err)
	}
	// The run goes on, and its user learns what to do.
	var told string
	p := &Prepared{wiring: &wiring{world: World{files: listOf(dir, "a"), Tell: func(text string) { told = text }}}}
	if err := p.keepFiles(t.Context(), nil, "r"); err != nil || !strings.Contains(told, "larger than 256 MB") || !strings.Contains(told, "a folder that all share") {
		t.Errorf("%v, told %q", err, told)
	}
}

// TestUnarchiveStaysInside: an archive cannot write outside of its folder.
func TestUnarchiveStaysInside(t *testing.T) {
	dir := written(t, map[string]string{"a": "x"})
	var archive bytes.Buffer
	if _, err := listOf(dir, "a").archive(&archive); err != nil {
		t.Fatal(err)
	}
	// The name "0/a" becomes "../", and the checksum of the header stays as it was.
	raw := archive.Bytes()
	at := bytes.Index(raw, []byte("0/a"))
	before := int(raw[at]) + int(raw[at+1]) + int(raw[at+2])
	copy(raw[at:], "../")
	raw[at+3] = byte(before - '.' - '.' - '/')
	if err := unarchive(bytes.NewReader(raw), t.TempDir()); err == nil || !strings.Contains(err.Error(), "outside of their folder") {
		t.Errorf("%v: want that it is refused", err)
	}
}

// TestFilesAreFetched: what is missing comes from the store, what is there stays, and without a
// cache nothing is left behind.
func TestFilesAreFetched(t *testing.T) {
	ctx := t.Context()
	s, err := store.Open(ctx, filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	here := written(t, map[string]string{"gold.jsonl": "{}", "corpus/a.md": "a", "both.yaml": "here"})
	p := &Prepared{wiring: &wiring{world: World{files: listOf(here, "gold.jsonl", "corpus", "both.yaml"), Now: time.Now}}}
	for _, run := range []string{"r", "again"} {
		if err := p.keepFiles(ctx, s, run); err != nil {
			t.Fatal(err)
		}
	}
	there := written(t, map[string]string{"both.yaml": "there"})
	read := func(w World, name string) string {
		t.Helper()
		text, err := os.ReadFile(w.Path(name))
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	for _, cache := range []string{"", t.TempDir()} {
		w := World{Path: func(name string) string { return filepath.Join(there, name) }, CacheDir: cache}
		for _, run := range []string{"r", "again"} {
			got, clean, err := withFiles(ctx, s, run, w)
			if err != nil {
				t.Fatal(err)
			}
			if a, b, c := read(got, "gold.jsonl"), read(got, "both.yaml"), got.Path("none"); a != "{}" || b != "there" || c != w.Path("none") {
				t.Errorf("%q, %q, %q", a, b, c)
			}
			at := got.Path("corpus")
			if text, err := os.ReadFile(filepath.Join(at, "a.md")); err != nil || string(text) != "a" || filepath.Base(at) != "corpus" {
				t.Errorf("%s: %q, %v", at, text, err)
			}
			if err := clean(); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(at); errors.Is(err, fs.ErrNotExist) != (cache == "") {
				t.Errorf("cache %q: %v after the end", cache, err)
			}
		}
	}
	w := World{Path: func(name string) string { return filepath.Join(there, name) }}
	if got, _, err := withFiles(ctx, s, "unknown", w); err != nil || got.Path("corpus") != w.Path("corpus") {
		t.Errorf("a run without files: %v", err)
	}
	// What is not complete is not used.
	fingerprint, _, err := s.RunFile(ctx, "r")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteItem(ctx, "file", fingerprint+" 000000"); err != nil {
		t.Fatal(err)
	}
	if got, _, err := withFiles(ctx, s, "r", w); err != nil || got.Path("corpus") != w.Path("corpus") {
		t.Errorf("files without a part: %v", err)
	}
}

// The content of each file that a number rests on is known: of every setting of a file that is neither free nor a request's.
func TestHashes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := config.Default()
	want := config.Keys(func(s config.Setting) bool { return s.File && !s.Free && !s.Request })
	for _, key := range want {
		if err := r.Set(key, key+".txt", config.FromFlag, key); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, key+".txt"), []byte(key), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{r.Set("judge", "openai:gpt,fake:script.yaml", config.FromFlag, "judge"),
		r.Set("command", "python3 -u prices.txt", config.FromFlag, "command"), r.Set("dir", ".", config.FromFlag, "dir")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	script := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "script.yaml"), []byte("rules: [{text: "+text+"}]"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script("yes")
	want = append(slices.DeleteFunc(want, func(key string) bool { return key == "dir" }), "judge", run.Program)
	w := World{Path: func(name string) string { return filepath.Join(dir, name) }}
	before, err := hashes(r, w)
	if err != nil || len(before) != len(want) || before["judge"] == "" || before[run.Program] != before["prices"] || before["prices"] == "" || before["responses"] == "" || before["document-map"] == "" {
		t.Fatalf("%v, %v: want %q", before, err, want)
	}
	if err := os.WriteFile(filepath.Join(dir, "prices.txt"), []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	script("no")
	if after, err := hashes(r, w); err != nil || after["prices"] == before["prices"] || after["judge"] == before["judge"] || after[run.Program] != after["prices"] || after["responses"] != before["responses"] {
		t.Errorf("%v, %v: before %v", after, err, before)
	}
}

// Another script under the same name is another server: the replies of one are not those of the other.
func TestScriptsHaveTheirOwnReplies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	m := &Models{world: World{Path: func(name string) string {
		if name == "" {
			return ""
		}
		return filepath.Join(dir, name)
	}}}
	var at []string
	for _, text := range []string{"text: yes", "text: no", "text: yes}, {status: 429"} {
		if err := os.WriteFile(filepath.Join(dir, "j.yaml"), []byte("rules: [{"+text+"}]"), 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := m.lazy("fake", "j.yaml", where{})
		if err != nil {
			t.Fatal(err)
		}
		at = append(at, l.address)
	}
	if at[0] == "" || at[0] == at[1] || at[0] != at[2] {
		t.Errorf("the scripts are at %q", at)
	}
}
