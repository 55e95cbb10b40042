package gate

import (
	"maps"
	"slices"

	"github.com/assay-eval/assay"
)

// A Drift is what a metric has lost over several approved baselines.
type Drift struct {
	Metric, Unit string
	// First is the mean that was approved first, Now that of the baseline.
	First, Now float64
	// Tolerance is how far a run may fall behind its baseline.
	Tolerance float64
}

// Follow makes b the successor of an approved baseline: a metric keeps the mean that
// was approved first. A metric with another dataset, version, marking scheme or judge
// begins anew, since its means are not comparable; old may be nil.
func (b *Baseline) Follow(old *Baseline) {
	if old == nil || old.Dataset.Hash != b.Dataset.Hash {
		return
	}
	for name, m := range b.Metrics {
		was := old.Metrics[name]
		switch {
		case was == nil || was.N == 0 || was.Version != m.Version || was.Scheme != m.Scheme || was.Weight != m.Weight:
			continue
		case m.Judged && !assay.SameJudge(old.Judge, b.Judge, m.Prompts):
			continue
		}
		first := was.Mean
		if was.First != nil {
			first = *was.First
		}
		m.First = &first
	}
}

// Drifts returns the gated metrics whose mean in the baseline is worse than the mean
// approved first by more than the metric's tolerance, by name.
func (p Policy) Drifts(b *Baseline) []Drift {
	var out []Drift
	for _, name := range slices.Sorted(maps.Keys(b.Metrics)) {
		m := b.Metrics[name]
		t, _, ok := p.tolerance(name)
		if m.First == nil || !ok || t < 0 {
			continue
		}
		lost := *m.First - m.Mean
		if m.Better == "lower" {
			lost = -lost
		}
		if lost > t+rounding {
			out = append(out, Drift{name, m.Unit, *m.First, m.Mean, t})
		}
	}
	return out
}
