package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
)

// An id that is a document of the dataset is not a part of another.
func TestDistinctDocuments(t *testing.T) {
	t.Parallel()
	wants := []map[string]int{
		{"art-5": 1}, {"art-5-2": 1, "art-7": 2}, {"art-5": 1, "art-5-2": 2}, {"guide.md": 1}, {"guide.md#3": 1, "art-5-2 p1": 0}, nil,
		{"a b.md": 1}, {"a+b.md": 1}, {"Q&A.md": 1}, {"Q&amp;A.md": 1},
	}
	all := &assay.Cases{}
	for _, w := range wants {
		all.Add(&assay.Case{Want: assay.Want{Documents: w}})
	}
	var got []map[string]int
	for _, c := range distinct(all, all).All() {
		got = append(got, c.Want.Documents)
	}
	want := []map[string]int{
		{"art-5": 1, "art-5-2": -1, "art-5-2 p1": -1}, {"art-5-2": 1, "art-7": 2, "art-5-2 p1": -1}, {"art-5": 1, "art-5-2": 2, "art-5-2 p1": -1},
		{"guide.md": 1}, wants[4], nil,
		{"a b.md": 1, "a+b.md": -1}, {"a b.md": -1, "a+b.md": 1}, {"Q&A.md": 1, "Q&amp;A.md": -1}, {"Q&A.md": -1, "Q&amp;A.md": 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// The id names that document, and an id of a part of it too.
	for id, document := range map[string]string{"art-5-2": "art-5-2", "art-5-2-1": "art-5-2", "art-5-1": "art-5", "art-5": "art-5"} {
		if label, ok := assay.Label(got[0], id); !ok || label != document {
			t.Errorf("%s: %q, want %q", id, label, document)
		}
	}
}
