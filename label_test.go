package assay_test

import (
	"testing"

	"github.com/assay-eval/assay"
)

// A label names the document of every chunk whose id begins with it, up to a
// separator and never within a name.
func TestLabelOfChunkID(t *testing.T) {
	t.Parallel()
	labels := map[string]int{"doc": 1, "doc1": 1, "doc#3": 1, "a.md": 1, "annual_report": 1, "17": 1}
	for _, c := range []struct{ id, document, want string }{
		{"doc", "", "doc"},
		{"doc#7", "", "doc"},
		{"doc#3", "", "doc#3"},
		{"doc#3#1", "", "doc#3"},
		{"doc#31", "", "doc"},
		{"doc:3", "", "doc"},
		{"doc::chunk-3", "", "doc"},
		{"doc|3", "", "doc"},
		{"doc/3", "", "doc"},
		{"doc_3", "", "doc"},
		{"doc-p2-14", "", "doc"},
		{"doc.chunk 4", "", "doc"},
		{"doc_chunk", "", ""},
		{"doc10", "", ""},
		{"doc1-0", "", "doc1"},
		{"document#3", "", ""},
		{"doc/other", "", ""},
		{"annual_report_final", "", ""},
		{"annual_report_v2", "", ""},
		{"docs/a.md#3", "", "a.md"},
		{"docs/a.md", "", "a.md"},
		{"17", "", "17"},
		{"17#2", "", "17"},
		{"other/17", "", ""},
		{"17", "other", ""},
		{"doc#2", "other", "doc"},
		{"other#2", "doc", "doc"},
		{"#3", "", ""},
		{"", "", ""},
	} {
		if got, ok := assay.Label(labels, c.id, c.document); got != c.want || ok != (c.want != "") {
			t.Errorf("id %q of document %q: %q, want %q", c.id, c.document, got, c.want)
		}
	}
}

// The name in a URL is percent-encoded; a label that is written so has priority.
func TestLabelOfEncodedName(t *testing.T) {
	t.Parallel()
	labels := map[string]int{"Fee table.pdf": 1, "100% wool": 1, "a%20b.md": 1, "a b.md": 1, "Q&A.md": 1, "a+b.pdf": 1, "x&amp;y.md": 1}
	for name, want := range map[string]string{
		"https://x.example/docs/Fee%20table.pdf": "Fee table.pdf", "Fee%20table.pdf": "Fee table.pdf", "100% wool": "100% wool",
		"a%20b.md": "a%20b.md", "a b.md": "a b.md", "Fee%2520table.pdf": "", "Fee%zztable.pdf": "",
		"Q&amp;A.md": "Q&A.md", "Q&#38;A.md": "Q&A.md", "https://x.example/Q%26A.md": "Q&A.md", "Fee+table.pdf": "Fee table.pdf", "a%2Bb.pdf": "a+b.pdf",
		"a b.pdf": "", "x&amp;y.md": "x&amp;y.md", "x&amp;amp;y.md": "x&amp;y.md", "x&y.md": "",
	} {
		if got, ok := assay.Label(labels, name); got != want || ok != (want != "") {
			t.Errorf("id %q: %q, want %q", name, got, want)
		}
		if got, _ := assay.Label(labels, "", name); got != want {
			t.Errorf("document %q: %q, want %q", name, got, want)
		}
	}
}

// Where all labels are numbers and the names of documents are not, an id that is a label is that of a chunk.
func TestLabelOfNumberBesideAName(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		labels   map[string]int
		id, name string
		want     string
	}{
		{map[string]int{"412": 1, "17": 1}, "412", "docs/handbook.pdf", "412"},
		{map[string]int{"412": 1, "17": 1}, "88", "handbook.pdf", ""},
		{map[string]int{"412": 1, "17": 1}, "412", "17", "17"},
		{map[string]int{"412": 1, "17": 1}, "412", "55", ""},
		{map[string]int{"412": 1, "17": 1}, "412", "docs/55.txt", ""},
		{map[string]int{"412": 1, "faq.md": 1}, "412", "handbook.pdf", ""},
	} {
		if got, ok := assay.Label(test.labels, test.id, "", test.name); got != test.want || ok != (test.want != "") {
			t.Errorf("%v, id %q of %q: %q, want %q", test.labels, test.id, test.name, got, test.want)
		}
	}
}
