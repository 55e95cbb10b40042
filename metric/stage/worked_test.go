package stage_test

import (
	"math"
	"slices"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/require"
	"github.com/assay-eval/assay/metric/stage"
)

const tolerance = 1e-9

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestLadderWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		P []float64 `json:"p_correct"`
	}
	var want struct {
		Gain            []float64
		Total, Residual float64
	}
	require.Worked(t, "oracle_ladder", &in, &want)
	gains, total, residual := stage.Ladder(in.P)
	if len(gains) != len(want.Gain) {
		t.Fatalf("%d gains, want %d", len(gains), len(want.Gain))
	}
	for i, g := range gains {
		near(t, "gain", g, want.Gain[i])
	}
	near(t, "total", total, want.Total)
	near(t, "residual", residual, want.Residual)
}

func TestFirstFailingWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		Stages   []string
		Outcomes [][]int
	}
	var want []string
	require.Worked(t, "first_failing_stage", &in, &want)
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

func TestFunnelWorked(t *testing.T) {
	t.Parallel()
	var in struct{ Counts []int }
	var want struct {
		Stages []struct {
			Lost   int
			Hazard float64
		}
		Survival float64
		Product  float64 `json:"product_of_survivals"`
	}
	require.Worked(t, "nugget_funnel", &in, &want)
	losses, survival := stage.Funnel(in.Counts)
	if len(losses) != len(want.Stages) {
		t.Fatalf("%d losses, want %d", len(losses), len(want.Stages))
	}
	product := 1.0
	for i, l := range losses {
		if l.Lost != want.Stages[i].Lost {
			t.Errorf("stage %d lost %d, want %d", i, l.Lost, want.Stages[i].Lost)
		}
		near(t, "hazard", l.Hazard, want.Stages[i].Hazard)
		product *= 1 - l.Hazard
	}
	near(t, "survival", survival, want.Survival)
	near(t, "product", product, want.Product)
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
	require.Worked(t, "filter_stage", &in, &want)
	recall, drop, before, after := stage.Filter(stage.Kept{RelevantIn: in.RelIn, RelevantOut: in.RelOut, IrrelevantIn: in.IrrIn, IrrelevantOut: in.IrrOut})
	near(t, "kept recall", recall, want["kept_recall"])
	near(t, "drop rate", drop, want["drop_rate_irrelevant"])
	near(t, "precision before", before, want["precision_before"])
	near(t, "precision after", after, want["precision_after"])
}

func TestShapleyWorked(t *testing.T) {
	t.Parallel()
	var in struct{ V map[string]float64 }
	var want map[string]float64
	require.Worked(t, "shapley_two_stages", &in, &want)
	sets := []string{"", "retrieve", "generate", "both"}
	got := stage.Shapley(2, func(set uint) float64 { return in.V[sets[set]] })
	near(t, "retrieve", got[0], want["retrieve"])
	near(t, "generate", got[1], want["generate"])
}

func TestFunnelEdges(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		counts   []int
		lost     []int
		survival float64
	}{
		{nil, nil, 0},
		{[]int{3}, nil, 1},
		{[]int{0, 0, 0}, []int{0, 0}, 0},
		{[]int{4, 0, 0}, []int{4, 0}, 0},
		// A count cannot grow: 2 → 5 is 2 → 2, and -1 is 0.
		{[]int{2, 5, -1}, []int{0, 2}, 0},
		{[]int{-2, 1}, []int{0}, 0},
	} {
		losses, survival := stage.Funnel(test.counts)
		var lost []int
		for _, l := range losses {
			lost = append(lost, l.Lost)
		}
		if !slices.Equal(lost, test.lost) || survival != test.survival {
			t.Errorf("%v: lost %v, survival %v: want %v, %v", test.counts, lost, survival, test.lost, test.survival)
		}
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
	if gains, total, residual := stage.Ladder(nil); gains != nil || total != 0 || residual != 0 {
		t.Error("a ladder of nothing gains something")
	}
	if got := stage.Shapley(0, nil); got != nil {
		t.Errorf("no stage has shares %v", got)
	}
	if got := stage.Shapley(stage.MaxShapley+1, nil); got != nil {
		t.Errorf("too many stages have shares %v", got)
	}
}
