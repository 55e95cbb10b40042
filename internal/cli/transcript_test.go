package cli_test

import (
	"encoding/json"
	"testing"

	"github.com/assay-eval/assay/internal/require"
	"github.com/assay-eval/assay/metric/speech"
)

func scoredJSON(h harness, args ...string) scoredFile {
	h.t.Helper()
	var out scoredFile
	scoredInto(h, &out, args...)
	return out
}

func scoredInto(h harness, out any, args ...string) {
	h.t.Helper()
	if err := json.Unmarshal([]byte(h.assay(0, append([]string{"transcript", "score", "--format", "json"}, args...)...)), out); err != nil {
		h.t.Fatal(err)
	}
}

// A heardResult is a transcript of pocketsphinx with the counts that another
// program found in it.
type heardResult struct {
	File, Ref, Hyp string
	WER            float64
	S, D, I, N     int
}

func (r heardResult) counts() speech.Counts {
	return speech.Counts{Hits: r.N - r.S - r.D, Substitutions: r.S, Deletions: r.D, Insertions: r.I}
}

func pocketsphinx(t *testing.T) []heardResult {
	t.Helper()
	h := harness{t, "."}
	var results []heardResult
	path := require.Shared(t, "data/speech/results/pocketsphinx_debian_0.8+5prealpha.json")
	if err := json.Unmarshal([]byte(h.mustRead(path)), &results); err != nil || len(results) < 10 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	return results
}

// What pocketsphinx heard is scored as it was elsewhere: the same errors, and as
// many hits or more.
func TestPocketsphinx(t *testing.T) {
	t.Parallel()
	results := pocketsphinx(t)
	h := harness{t, t.TempDir()}
	var ref, hyp string
	for _, r := range results {
		ref, hyp = ref+r.File+"\t"+r.Ref+"\n", hyp+r.File+"\t"+r.Hyp+"\n"
	}
	h.write("ref.tsv", ref)
	h.write("hyp.tsv", hyp)
	for i, u := range scoredJSON(h, "ref.tsv", "hyp.tsv", "-q").Each {
		want, got := results[i].counts(), u.Strict.Words
		if got.Errors() != want.Errors() || got.Reference() != want.Reference() || got.Hypothesis() != want.Hypothesis() || got.Hits < want.Hits {
			t.Errorf("%s: %+v: want %+v", u.ID, got, want)
		}
	}
}
