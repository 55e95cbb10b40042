package offline_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/offline"
	"github.com/assay-eval/assay/judge/question"
)

// With a threshold an estimate is a ruling: yes from the threshold on, with the estimate as the
// score; claims that are said to be contradicted are no exception. Languages and tasks without
// one keep their estimates.
func TestRulingByThresholds(t *testing.T) {
	t.Parallel()
	plain := offline.New(nil)
	english := judge.Subject{Language: judge.English}
	ask := func(j judge.Judge, s judge.Subject) []judge.Finding {
		t.Helper()
		out, err := question.Support.Ask(t.Context(), j, s, question.SupportInput{
			Claims: []judge.Claim{
				{Text: "The pier opened on 15 May 1957."}, {Text: "The pier opened with a new berth in May."},
				{Text: "The pier opened on 15 May 1962."},
			},
			Sources: []judge.Source{{Text: "The pier opened on 15 May 1957 and has two berths."}, {Text: "Dogs travel free at night."}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	estimated := ask(plain, english)
	if estimated[2].Verdict != judge.Contradicted || estimated[0].Verdict != judge.Supported {
		t.Fatalf("%+v: want the first supported and the third contradicted", estimated)
	}
	for i, f := range estimated {
		for _, c := range []struct {
			threshold float64
			supported bool
		}{{f.Degree, true}, {math.Nextafter(f.Degree, 2), false}, {0, true}} {
			got := ask(plain.Ruling(map[string]judge.Thresholds{"support": {judge.English: judge.Exactly(c.threshold)}}), english)[i]
			if (got.Verdict == judge.Supported) != c.supported || (got.Degree == 1) != c.supported || got.Degree != 0 && got.Degree != 1 ||
				got.Score == nil || *got.Score != f.Degree || c.supported && len(got.Quotes) == 0 || !strings.Contains(got.Why, "support from") {
				t.Errorf("claim %d, estimate %.3f, threshold %.3f: %+v, want supported %v with the estimate as the score", i, f.Degree, c.threshold,
					got, c.supported)
			}
		}
	}
	f := estimated[1]
	ends := judge.Threshold{At: f.Degree, Lo: f.Degree - 0.05, Hi: f.Degree + 0.05}
	for i, got := range ask(plain.Ruling(map[string]judge.Thresholds{"support": {judge.English: ends}}), english)[:2] {
		if got.Ends == nil || got.Verdict != judge.Supported || got.Ends[0].Verdict != judge.Supported || (got.Ends[1].Degree == 1) != (i == 0) {
			t.Errorf("claim %d: %+v with %+v: want the claim at the threshold unsupported at the upper end alone", i, got, got.Ends)
		}
	}
	other := plain.Ruling(map[string]judge.Thresholds{"support": {judge.Chinese: judge.Exactly(0.1)}, "relevance": {judge.English: judge.Exactly(0.1)}})
	if d := cmp.Diff(estimated, ask(other, english)); d != "" {
		t.Errorf("in a language without a threshold (-estimated +got):\n%s", d)
	}
	info := other.Info()
	if p := info.For("support").Parameters; p["threshold"] != "0.5" || p["threshold.zh"] != "0.1" || info.For("relevance").Parameters != nil {
		t.Errorf("%+v: want the thresholds of support alone", info)
	}
	if !info.Estimate || info.Delegates() != nil {
		t.Errorf("%+v: want an estimate of the same judge", info)
	}
}

func TestEquivalenceByThreshold(t *testing.T) {
	t.Parallel()
	plain := offline.New(nil)
	s := judge.Subject{Question: "When did the pier open?", Language: judge.English}
	in := question.CompareInput{Answer: "It opened in May of that year", References: []string{"15 May 1957"}}
	before, err := question.Compare.Ask(t.Context(), plain, s, in)
	if err != nil || before.Degree <= 0 || before.Degree >= 1 {
		t.Fatalf("%+v, %v: want an estimate", before, err)
	}
	ends := judge.Threshold{At: before.Degree, Lo: before.Degree - 0.05, Hi: before.Degree + 0.05}
	got, err := question.Compare.Ask(t.Context(), plain.Ruling(map[string]judge.Thresholds{"equivalence": {judge.English: ends}}), s, in)
	if err != nil || got.Ends == nil || !got.Holds || got.Ends[0].Degree != 1 || got.Ends[1].Holds || got.Ends[1].Degree != 0 {
		t.Errorf("%+v with %+v, %v: want no equivalence at the upper end", got, got.Ends, err)
	}
	for threshold, holds := range map[float64]bool{before.Degree: true, math.Nextafter(before.Degree, 2): false} {
		got, err := question.Compare.Ask(t.Context(), plain.Ruling(map[string]judge.Thresholds{"equivalence": {judge.English: judge.Exactly(threshold)}}), s, in)
		want := map[bool]float64{true: 1}[holds]
		if err != nil || got.Holds != holds || got.Degree != want || !strings.Contains(got.Why, "equivalent from") {
			t.Errorf("threshold %v: %+v, %v: want holds %v", threshold, got, err, holds)
		}
	}
}
