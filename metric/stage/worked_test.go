package stage_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/stage"
)

const tolerance = 1e-9

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestFirstFailingWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		Stages   []string
		Outcomes [][]int
	}
	var want []string
	requiretest.Worked(t, "first_failing_stage", &in, &want)
	// The file has words of its own for the two labels that are no stages.
	own := map[string]string{"": "none", assay.LostUnresolved: "unresolved(gold or judge)"}
	for i, row := range in.Outcomes {
		outcomes := make([]bool, len(row))
		for j, v := range row {
			outcomes[j] = v == 1
		}
		label, nonMonotone := stage.FirstFailing(in.Stages, outcomes)
		if is, ok := own[label]; ok {
			label = is
		}
		if last := i == len(in.Outcomes)-1; label != want[i] || nonMonotone != last {
			t.Errorf("row %d: %q, non-monotone %v: want %q, %v", i, label, nonMonotone, want[i], last)
		}
	}
}

func TestFilterWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		RelIn  int `json:"rel_in"`
		RelOut int `json:"rel_out"`
		IrrIn  int `json:"irr_in"`
		IrrOut int `json:"irr_out"`
	}
	var want map[string]float64
	requiretest.Worked(t, "filter_stage", &in, &want)
	var found, kept []assay.Passage
	grades := map[string]int{}
	put := func(grade, n, out int) {
		for i := range n {
			p := assay.Passage{ID: fmt.Sprint(grade, "-", i), Document: fmt.Sprint(grade, "-", i)}
			found, grades[p.Document] = append(found, p), grade
			if i < out {
				kept = append(kept, p)
			}
		}
	}
	put(1, in.RelIn, in.RelOut)
	put(0, in.IrrIn, in.IrrOut)
	of := metric.Input{
		Case: &assay.Case{ID: "a", Question: "?", Want: assay.Want{Documents: grades}},
		Response: &assay.Response{Passages: kept, Trace: &assay.Trace{Stages: []assay.Stage{
			{Name: assay.StageRetrieve, Output: raw(found)}, {Name: assay.StageFilter, Output: raw(kept)},
		}}},
	}
	for name, value := range map[string]float64{
		"filter_kept_recall": want["kept_recall"], "filter_drop_rate": want["drop_rate_irrelevant"],
		"chunk_precision": want["precision_before"], "chunk_precision(filter)": want["precision_after"],
	} {
		near(t, name, score(t, name, of).Value, value)
	}
}

func TestFirstFailingEdges(t *testing.T) {
	t.Parallel()
	stages := []string{"a", "b"}
	for _, test := range []struct {
		outcomes []bool
		label    string
		odd      bool
	}{
		{nil, "", false},
		{[]bool{true, false, false}, "", false},
		{[]bool{false}, assay.LostUnresolved, false},
		{[]bool{false, true}, "a", false},
		{[]bool{false, true, false}, "a", true},
		{[]bool{false, false, true, true}, "b", false}, // more outcomes than stages
		{[]bool{false, false, false, true}, assay.LostUnresolved, false},
	} {
		if label, odd := stage.FirstFailing(stages, test.outcomes); label != test.label || odd != test.odd {
			t.Errorf("%v: %q, %v: want %q, %v", test.outcomes, label, odd, test.label, test.odd)
		}
	}
}
