package index_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/rag/index"
	"github.com/assay-eval/assay/rag/index/indextest"
)

func TestBM25FileRoundTrip(t *testing.T) {
	t.Parallel()
	texts, queries := indextest.Zipf(5000, 50)
	texts = append(texts, "", "檢索增強", strings.Repeat("often ", 5000), "the")
	queries = append(queries, "檢索", "often", "nothing")
	x := build(t, texts)
	path := filepath.Join(t.TempDir(), "deep", "index")
	if err := x.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	y, err := index.OpenBM25(path)
	if err != nil {
		t.Fatal(err)
	}
	if y.Stats() != x.Stats() || y.Params() != x.Params() || y.Len() != x.Len() {
		t.Errorf("%+v %v: want %+v %v", y.Stats(), y.Params(), x.Stats(), x.Params())
	}
	for _, q := range queries {
		if diff := gocmp.Diff(x.Search(q, 100), y.Search(q, 100)); diff != "" {
			t.Fatalf("%q: before, after:\n%s", q, diff)
		}
	}
	if !bytes.Equal(fileOf(t, x), fileOf(t, y)) {
		t.Error("written again: another file")
	}
	if empty, err := index.ParseBM25(fileOf(t, build(t, nil))); err != nil || empty.Len() != 0 || empty.Search("x", 1) != nil {
		t.Errorf("without passages: %v", err)
	}
}

// small is the file of an index with a list of two blocks and lists of one.
func small(t testing.TB) []byte {
	texts := slices.Repeat([]string{"common words", "common", "", "rare common common"}, 50)
	return fileOf(t, build(t, append(texts, "once")))
}

func TestOpenBM25RejectsDamage(t *testing.T) {
	t.Parallel()
	data := small(t)
	for i := range data {
		damaged := slices.Clone(data)
		damaged[i] ^= 0x10
		if _, err := index.ParseBM25(damaged); err == nil {
			t.Errorf("byte %d of %d changed: no error", i, len(data))
		}
		// A file cut short on purpose, with a right checksum.
		short := slices.Clone(data[:i])
		index.Seal(short)
		if _, err := index.ParseBM25(short); err == nil {
			t.Errorf("%d bytes of %d: no error", i, len(data))
		}
	}
	path := filepath.Join(t.TempDir(), "index")
	for name, content := range map[string][]byte{"empty": nil, "text": []byte("hello"), "longer": append(slices.Clone(data), 0)} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := index.OpenBM25(path); !errors.Is(err, index.ErrUnusable) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v: want ErrUnusable with the path", name, err)
		}
	}
	if _, err := index.OpenBM25(path + "x"); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, index.ErrUnusable) {
		t.Errorf("no file: %v", err)
	}
}

// TestOpenBM25RejectsLies changes one field at a time and makes the checksum
// right: such a file could lead a search beyond what is there.
func TestOpenBM25RejectsLies(t *testing.T) {
	t.Parallel()
	data := small(t)
	if _, err := index.ParseBM25(slices.Clone(data)); err != nil {
		t.Fatal(err)
	}
	field := func(at int) int { return int(binary.LittleEndian.Uint64(data[at:])) }
	passages := int(binary.LittleEndian.Uint32(data[12:]))
	blocks := 80 + passages + field(48) + field(56)
	for name, at := range map[string]int{
		"passages": 12, "k1": 23, "b": 31, "passages with terms": 40, "terms": 44, "length of the counts": 48, "length of the text": 56,
		"blocks": 64, "length of the postings": 72, "length of a passage": 80, "length of a term": 80 + passages,
		"postings of a term":      81 + passages,
		"last passage of a block": blocks, "bits of a gap": blocks + 7, "bits of a frequency": blocks + 8,
	} {
		lie := slices.Clone(data)
		lie[at] ^= 0xff
		if name == "length of a passage" {
			lie[at] = 0
		}
		index.Seal(lie)
		if _, err := index.ParseBM25(lie); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// FuzzParseBM25 gives the reader files with right checksums: what it accepts
// must be safe to search.
func FuzzParseBM25(f *testing.F) {
	f.Add(small(f))
	f.Add(fileOf(f, build(f, nil)))
	f.Add(fileOf(f, build(f, []string{"檢索增強 a cat", "dog dog"})))
	f.Fuzz(func(t *testing.T, data []byte) {
		index.Seal(data)
		x, err := index.ParseBM25(data)
		if err != nil {
			return
		}
		for _, h := range x.Search("common rare words once cat dog 檢索增強", 20) {
			if h.Passage < 0 || h.Passage >= x.Len() {
				t.Errorf("found passage %d of %d", h.Passage, x.Len())
			}
		}
	})
}
