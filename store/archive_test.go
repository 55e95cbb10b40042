package store_test

import (
	"bufio"
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/storetest"
)

// An archive that was altered adds nothing; one of an earlier version, without checksums,
// is read.
func TestAlteredArchive(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "a.db"))
	h := storetest.Header(1)
	if err := s.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), h.ID, storetest.Records(0, 3)...); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"token", "session"} {
		if err := s.CreateItem(t.Context(), store.Item{Kind: kind, ID: "secret", Created: h.Started, Updated: h.Started, Body: []byte("{}")}); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if _, err := s.Export(t.Context(), &out); err != nil || strings.Contains(out.String(), "secret") {
		t.Fatalf("an archive with a token or a session (%v): %s", err, out.String())
	}
	other := open(t, filepath.Join(t.TempDir(), "b.db"))
	read := func(text string) (store.Archived, error) {
		return other.Import(t.Context(), bufio.NewReader(strings.NewReader(text)), "x.jsonl", func(func(assay.Call, error) bool) {})
	}
	altered := strings.Replace(out.String(), `"value":0.3`, `"value":0.8`, 1)
	if _, err := read(altered); err == nil || !strings.Contains(err.Error(), "x.jsonl:3: the line does not match its checksum") {
		t.Errorf("an altered score: %v", err)
	}
	var bare strings.Builder
	for line := range strings.Lines(out.String()) {
		if text, _, ok := strings.Cut(line, `,"crc32c":`); ok {
			line = text + "}\n"
		}
		bare.WriteString(line)
	}
	if n, err := read(bare.String()); err != nil || n.Runs != 1 || n.Records != 3 {
		t.Errorf("without checksums: %+v, %v", n, err)
	}
}
