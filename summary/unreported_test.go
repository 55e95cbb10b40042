package summary_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// A score of nothing is no measurement where the part is missing in every other response: neither
// an empty list nor a failure makes 0.000 of what is not known. Where others have the part, what a
// case lacks is not known.
func TestUnreported(t *testing.T) {
	t.Parallel()
	metrics := []assay.MetricInfo{{Name: "hit@1", Weight: 1}}
	passages := func(list ...assay.Passage) *assay.Response { return &assay.Response{Answer: "a", Passages: list} }
	hit, miss, failed := assay.Scored, assay.Score{State: assay.Scored}, assay.Score{State: assay.TargetError}
	named, textless := passages(assay.Passage{ID: "x"}), passages(assay.Passage{ID: "x"})
	empty := &assay.Response{Answer: "a", Passages: []assay.Passage{}}
	for name, c := range map[string]struct {
		lacks string
		other *assay.Response
		score assay.Score
		rest  assay.Score
		want  [2]assay.State
	}{
		"no names, one empty list":        {assay.NoNames, empty, miss, assay.None(assay.NoNames), [2]assay.State{assay.NotApplicable, assay.NotApplicable}},
		"no names, one failure":           {assay.NoNames, nil, failed, assay.None(assay.NoNames), [2]assay.State{assay.NotApplicable, assay.NotApplicable}},
		"no texts, one empty list":        {assay.NoTexts, empty, miss, assay.None(assay.NoTexts), [2]assay.State{assay.NotApplicable, assay.NotApplicable}},
		"names in one response":           {assay.NoNames, named, assay.Score{State: hit, Value: 1}, assay.None(assay.NoNames), [2]assay.State{hit, assay.JudgeError}},
		"texts in no response, one named": {assay.NoTexts, textless, assay.None(assay.NoTexts), assay.None(assay.NoTexts), [2]assay.State{assay.NotApplicable, assay.NotApplicable}},
	} {
		rest := passages(assay.Passage{Text: "a text"})
		if c.lacks == assay.NoTexts {
			rest = passages(assay.Passage{ID: "y"})
		}
		records := []assay.Record{
			{Response: c.other, Scores: map[string]assay.Score{"hit@1": c.score}},
			{Response: rest, Scores: map[string]assay.Score{"hit@1": c.rest}},
		}
		var parts summary.Parts
		for i := range records {
			parts.Add(&records[i])
		}
		why := parts.Unknown()
		for i, r := range records {
			if got := summary.Unreported(metrics, r, why).Scores["hit@1"].State; got != c.want[i] {
				t.Errorf("%s: case %d is %v: want %v (%q)", name, i, got, c.want[i], why)
			}
		}
	}
}

// What is not known of a metric does not depend on which case came last.
func TestUnknownHasEveryReason(t *testing.T) {
	t.Parallel()
	for _, last := range []int{0, 1} {
		records := []assay.Record{
			{Response: &assay.Response{Passages: []assay.Passage{{Text: "t"}}}, Scores: map[string]assay.Score{"hit@1": assay.None(assay.NoNames)}},
			{Response: &assay.Response{}, Scores: map[string]assay.Score{"hit@1": assay.None(assay.NoPassages)}},
			{Response: &assay.Response{Passages: []assay.Passage{}}, Scores: map[string]assay.Score{"hit@1": {State: assay.Scored}}},
		}
		records[last], records[1] = records[1], records[last]
		var parts summary.Parts
		for i := range records {
			parts.Add(&records[i])
		}
		why := parts.Unknown()
		got := summary.Unreported([]assay.MetricInfo{{Name: "hit@1"}}, records[2], why).Scores["hit@1"]
		if got.State != assay.NotApplicable || len(why) != 2 {
			t.Errorf("%v, %q", got, why)
		}
	}
}

// Names that mean nothing in the whole run measure nothing of a case with an empty list either, nor
// of one that failed; that such a case missed what it should have found stands.
func TestUnnameOfNothing(t *testing.T) {
	t.Parallel()
	metrics := []assay.MetricInfo{{Name: "hit@1", Documents: assay.ByDocuments}}
	labels := assay.Case{Want: assay.Want{Documents: map[string]int{"leave.md": 1}}}
	for name, r := range map[string]assay.Record{
		"empty list": {Case: labels, Response: &assay.Response{Passages: []assay.Passage{}}, Retrieved: &assay.Retrieved{K: 1, Of: 1, Missed: 1},
			Scores: map[string]assay.Score{"hit@1": {State: assay.Scored}}},
		"failure": {Case: labels, Scores: map[string]assay.Score{"hit@1": {State: assay.TargetError}}},
	} {
		got := summary.Unname(metrics, r, "no name is known")
		if got.Scores["hit@1"].State != assay.NotApplicable || (got.Retrieved == nil) != (r.Retrieved == nil) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
