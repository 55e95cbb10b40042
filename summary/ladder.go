package summary

import (
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/stats"
)

// Gains has the share of the failed cases that would be right if the outputs of the
// stages were, from the first stage on. A case whose ladder ended before the last
// stage, because it was right by then, keeps the result of its last rung.
type Gains struct {
	// Cases is the number of failed cases with a ladder, Broken the number of those
	// whose ladder an error ended, which are left out. NonMonotone is the number of
	// cases that were right on one rung and wrong on a later one.
	Cases       int `json:"cases"`
	Broken      int `json:"broken,omitempty"`
	NonMonotone int `json:"non_monotone,omitempty"`
	// Actual is the share that is right without replacements, over the repetitions.
	Actual float64 `json:"actual"`
	Stages []Gain  `json:"stages"`
	// Total is the sum of all gains. Residual is the share that is wrong even then,
	// because of the labels or of the judging.
	Total    float64 `json:"total"`
	Residual float64 `json:"residual"`
}

// A Gain is one step of the ladder.
type Gain struct {
	Stage string `json:"stage"`
	// Right is the share of right outcomes with the outputs of all stages up to this
	// one replaced, Gain what this step added to it. CI is the interval of Gain by the
	// sign-flip test; nil if there are too few cases for one.
	Right float64         `json:"right"`
	Gain  float64         `json:"gain"`
	CI    *stats.Interval `json:"ci,omitempty"`
}

// climb averages the ladders of the failed cases.
func (w *Waterfall) climb(t *columns.Table) {
	g := &Gains{Stages: []Gain{}}
	var rows []int
	var stages []string
	for i := range t.Len() {
		l := t.Attribution(i).Ladder
		switch {
		case !t.Attribution(i).Failed || l == nil:
			continue
		case l.Error != "" || len(l.Rungs) == 0:
			g.Broken++
			continue
		case l.NonMonotone:
			g.NonMonotone++
		}
		rows = append(rows, i)
		for _, rung := range l.Rungs {
			if rung.Stage != "" && !slices.Contains(stages, rung.Stage) {
				stages = append(stages, rung.Stage)
			}
		}
	}
	if g.Cases = len(rows); g.Cases == 0 && g.Broken == 0 {
		return
	}
	w.Ladder = g
	if g.Cases == 0 {
		return
	}
	slices.SortFunc(stages, assay.CompareStages)
	climbed := t.Part(rows)
	clusters := clustersOf(climbed)
	before := rights(climbed, "")
	g.Actual = average(before)
	last := g.Actual
	var pairs [][]stats.Pair
	for _, stage := range stages {
		after := rights(climbed, stage)
		var p []stats.Pair
		for i := range climbed.Len() {
			p = append(p, stats.Pair{Old: before[i], New: after[i], Cluster: clusters[i]})
		}
		pairs = append(pairs, p)
		right := average(after)
		g.Stages = append(g.Stages, Gain{Stage: stage, Right: right, Gain: right - last})
		before, last = after, right
	}
	for i, c := range stats.CompareAll(pairs, w.Level, seed("ladder")) {
		if c.CI != nil {
			ci := c.CI.Clip(-1, 1)
			g.Stages[i].CI = &ci
		}
	}
	g.Total, g.Residual = last-g.Actual, 1-last
}

// rights returns, for each record, the share of right outcomes with the outputs of the
// stages up to the given one replaced: that of the last rung at or before the stage.
func rights(t *columns.Table, stage string) []float64 {
	out := make([]float64, t.Len())
	for i := range out {
		for _, rung := range t.Attribution(i).Ladder.Rungs {
			if rung.Stage == "" || stage != "" && assay.CompareStages(rung.Stage, stage) <= 0 {
				out[i] = min(max(rung.Right, 0), 1)
			}
		}
	}
	return out
}

func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
