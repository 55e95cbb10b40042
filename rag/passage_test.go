package rag

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/rag/chunk"
)

func TestPassagesRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var docs []assay.Document
		text := rapid.StringMatching(`(# ?[a-c] ?\n|[a-e漢]{1,4}[ .\n]){0,40}`)
		for range rapid.IntRange(1, 5).Draw(t, "documents") {
			docs = append(docs, assay.Document{ID: "x", Text: text.Draw(t, "text"), Title: rapid.SampledFrom([]string{"", "t"}).Draw(t, "title")})
		}
		c := Config{Documents: docs, Chunk: chunk.Config{Method: chunk.Recursive, Size: 4, Overlap: 1}, Progress: func(string, int, int) {}}
		want, err := split(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodePassages(encodePassages(want), docs)
		if err != nil {
			t.Fatal(err)
		}
		if len(want) != len(got) {
			t.Fatalf("%d passages of %d", len(got), len(want))
		}
		for i := range want {
			if diff := cmp.Diff(want[i], got[i], cmp.AllowUnexported(passage{})); diff != "" {
				t.Fatalf("passage %d (-want +got):\n%s", i, diff)
			}
		}
	})
}

func FuzzDecodePassages(f *testing.F) {
	docs := []assay.Document{{Text: "# A\none two three four five six"}, {Text: "seven"}}
	list, err := split(f.Context(), Config{Documents: docs, Chunk: chunk.Config{Method: chunk.Recursive, Size: 3},
		Progress: func(string, int, int) {}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(encodePassages(list))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := decodePassages(data, docs)
		if err != nil {
			return
		}
		for _, p := range list {
			_ = docs[p.doc].Text[p.start:p.end]
		}
	})
}
