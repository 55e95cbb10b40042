package entail_test

import (
	"testing"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/entail"
	"github.com/assay-eval/assay/judge/question"
)

// A finding has those at both ends of the interval of the threshold, each with the passages that
// support the claim there.
func TestFindingsAtBothEndsOfTheThreshold(t *testing.T) {
	t.Parallel()
	scores := table{{"nine", "open"}: {Entailed: 0.9}, {"six", "open"}: {Entailed: 0.6}, {"five", "open"}: {Entailed: 0.5}}
	j, err := entail.New(entail.Config{Scorer: scores, Provider: "tei", Model: "m", Form: "f",
		Thresholds: judge.Thresholds{judge.English: {At: 0.55, Lo: 0.45, Hi: 0.65}}})
	if err != nil {
		t.Fatal(err)
	}
	for sources, want := range map[[2]string][3]int{ // the passages that support it alone, at the threshold and at its ends
		{"nine", "six"}: {2, 2, 1}, {"five", "four"}: {0, 1, 0}, {"six", "five"}: {1, 2, 0}, {"nine", "nine"}: {2, 2, 2},
	} {
		out, err := question.Support.Ask(t.Context(), j, judge.Subject{Language: judge.English}, question.SupportInput{
			Claims: []judge.Claim{{Text: "open"}}, Sources: []judge.Source{{Text: sources[0]}, {Text: sources[1]}}})
		if err != nil || out[0].Ends == nil {
			t.Fatalf("%v: %+v, %v", sources, out, err)
		}
		for i, f := range []judge.Finding{out[0], out[0].Ends[0], out[0].Ends[1]} {
			if len(f.Quotes) != want[i] || (f.Verdict == judge.Supported) != (want[i] > 0) {
				t.Errorf("%v, %d: %+v, want %d passages", sources, i, f, want[i])
			}
		}
	}
}
