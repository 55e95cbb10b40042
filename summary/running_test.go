package summary_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

func TestRunning(t *testing.T) {
	t.Parallel()
	first := assay.MetricInfo{Name: "hit@3", Range: [2]float64{0, 1}}
	composite := assay.MetricInfo{Name: assay.CompositeName, Range: [2]float64{0, 1}}
	if r := summary.NewRunning(nil, 100, 0.95); r != nil {
		t.Errorf("without a metric: %+v", r)
	}
	if m := summary.NewRunning([]assay.MetricInfo{first, composite}, 100, 0.95).Metric(); m.Name != assay.CompositeName {
		t.Errorf("follows %q", m.Name)
	}
	record := func(v float64) assay.Record {
		return assay.Record{Scores: map[string]assay.Score{"hit@3": assay.Value(v)}}
	}
	r := summary.NewRunning([]assay.MetricInfo{first}, 100, 0.95)
	for i := range 60 {
		r.Add(record(float64(i % 2)))
		r.Add(assay.Record{Scores: map[string]assay.Score{"hit@3": {State: assay.JudgeError}}})
		if _, ok := r.Estimate(); ok != (i+1 >= 30) {
			t.Fatalf("%d cases: an interval: %v", i+1, ok)
		}
	}
	// sd² = 60/4/59; an interval for one look is 0.128.
	e, _ := r.Estimate()
	if math.Abs(e.Mean-0.5) > 1e-12 || e.N != 60 || e.CI.Half() < 0.15 || e.CI.Half() > 0.25 || math.Abs(e.Level-0.95) > 1e-12 {
		t.Errorf("%+v %v", e, e.CI)
	}
	grouped := record(1)
	grouped.Case.Group = "a"
	r.Add(grouped)
	if _, ok := r.Estimate(); ok {
		t.Error("an interval for cases that share a group")
	}
}

// Looking after every case, an interval at 95 % ever misses the mean in 5 % of the
// runs or so: here 7 % of 400 are 28.
func TestRunningHoldsAtAllTimes(t *testing.T) {
	t.Parallel()
	m := []assay.MetricInfo{{Name: "score", Range: [2]float64{-10, 10}}}
	missed := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(7, seed))
		r := summary.NewRunning(m, 300, 0.95)
		miss := false
		for i := range 300 {
			r.Add(assay.Record{Case: assay.Case{ID: fmt.Sprint(i)}, Scores: map[string]assay.Score{"score": assay.Value(rng.NormFloat64())}})
			if e, ok := r.Estimate(); ok && !e.CI.Contains(0) {
				miss = true
			}
		}
		if miss {
			missed++
		}
	}
	if missed > 28 {
		t.Errorf("the interval missed in %d of 400 runs", missed)
	}
}
