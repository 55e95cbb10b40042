package cli_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/store"
)

// TestRecordsOfClaims: a judged run stores where the words of its claims are, and which calls
// its scores rest on; a run that takes all replies from the ledger names the same calls.
func TestRecordsOfClaims(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeLines(t, filepath.Join(dir, "gold.jsonl"), []any{map[string]any{"id": "c", "question": "Can I take a surfboard?"}})
	writeLines(t, filepath.Join(dir, "responses.jsonl"), []any{map[string]any{"id": "c", "answer": "Boards up to 2.5 m travel free. Longer ones are freight. They float. Some are long. Ask us.",
		"contexts": []any{map[string]any{"text": "Ferries.", "title": "Surfboards"},
			map[string]any{"text": "Boards  up to “1.8 m” travel\nfree; longer ones go as freight.", "title": "Surfboards and kites"}}}})
	const script = `simulate: true
rules:
  - when: {operation: support}
    reply: {nonce: "{{nonce}}", items: [
      {id: 1, quotes: [{source: 2, quote: 'boards up to "1.8 m" travel free'}], why: shorter, verdict: contradicted},
      {id: 2, quotes: [{source: 2, quote: "Surfboards and kites"}, {source: 2, quote: "longer ones go as freight"}],
        why: said, verdict: supported},
      {id: 3, quotes: [{source: 2, quote: "boards float on water"}], why: made up, verdict: supported},
      {id: 4, quotes: [], why: "", verdict: not_found}, {id: 5, quotes: [], why: "", verdict: not_found}]}
`
	var before []string
	for range 2 {
		if _, err := judged(t.Context(), t, dir, script, settings{"metrics": "faithfulness"}); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(t.Context(), filepath.Join(dir, "assay.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		hs, err := s.Runs(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := s.Record(t.Context(), hs[0].ID, "c")
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, e := range rec.Scores["faithfulness"].Evidence {
			said := []string{e.Kind}
			for _, span := range e.Spans {
				words, ok := rec.Response.Words(span)
				if !ok {
					t.Fatalf("the response has no span %+v", span)
				}
				said = append(said, words)
			}
			got[strings.TrimSpace(e.Where)] = strings.Join(said, "|")
		}
		// The first quote from a source counts: that of the second claim is in the title. That
		// of the third is nowhere, so the claim has no ruling and no words.
		want := map[string]string{
			"sentence 1, against passage 2": "contradicted|Boards up to 2.5 m travel free.|Boards  up to “1.8 m” travel\nfree",
			"sentence 2":                    "supported|Longer ones are freight.",
			"sentence 3":                    "unknown|They float.",
			"sentence 4":                    "unsupported|Some are long.",
			"sentence 5":                    "unsupported|Ask us.",
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("evidence (-want +got):\n%s", d)
		}
		var kept []string
		for c, err := range s.Calls(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			kept = append(kept, c.Key)
		}
		// Taking the answer apart, ruling, and ruling on the third claim once more.
		if len(rec.Calls) != 3 || !slices.Equal(rec.Calls, kept) || before != nil && !slices.Equal(rec.Calls, before) {
			t.Errorf("the record names %v, the ledger has %v, the run before named %v", rec.Calls, kept, before)
		}
		before = rec.Calls
	}
}
