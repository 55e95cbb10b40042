package summary

import (
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// A LostDifference compares the share of all facts that two runs lost at one stage or,
// for the stage "", the share that their answers have. Diff is the new run's share
// minus the old one's.
type LostDifference struct {
	// Stage is "" for the facts that no stage lost.
	Stage string `json:"stage"`
	// Retrieval is set for the stage "" if neither target gives answers: the share is
	// then that of the facts found.
	Retrieval bool `json:"retrieval,omitempty"`
	// Cases is the number of cases with facts in both runs; the shares are over these.
	Cases int     `json:"cases"`
	Old   float64 `json:"old"`
	New   float64 `json:"new"`
	Diff  float64 `json:"diff"`
	// CI is the interval of Diff by resampling clusters; nil if there are too few. P
	// is the p-value of the permutation test, PAdjusted the same corrected for the
	// number of stages (Holm).
	CI        *stats.Interval `json:"ci"`
	P         float64         `json:"p"`
	PAdjusted float64         `json:"p_adjusted"`
}

// CompareWaterfalls returns the differences at every stage of either run, in the order
// of the pipeline, and last that of the facts in the answers. Cases are paired by
// their ids; several draws of a case enter with their mean. It returns nil if the runs
// share no case with facts.
func CompareWaterfalls(old, new []assay.Record, level float64, seed uint64) []LostDifference {
	before, after := factsOf(old), factsOf(new)
	var both []string
	for _, id := range before.ids {
		if after.of[id] != nil {
			both = append(both, id)
		}
	}
	if both == nil {
		return nil
	}
	stages := append(possible(before.records), possible(after.records)...)
	slices.SortFunc(stages, assay.CompareStages)
	stages = slices.Compact(stages)
	var out []LostDifference
	for _, stage := range append(stages, "") {
		var pairs []stats.CountPair
		for _, id := range both {
			o, n := before.of[id], after.of[id]
			pairs = append(pairs, stats.CountPair{Old: o.count(stage), New: n.count(stage), Cluster: o.group})
		}
		c, ok := stats.ComparePooled(pairs, level, seed)
		if !ok {
			continue
		}
		d := LostDifference{Stage: stage, Cases: c.N, Old: c.Old, New: c.New, Diff: c.Diff, P: c.P}
		if c.CI != nil {
			ci := c.CI.Clip(-1, 1)
			d.CI = &ci
		}
		out = append(out, d)
	}
	p := make([]float64, len(out))
	for i, d := range out {
		p[i] = d.P
	}
	for i, adjusted := range stats.Holm(p) {
		out[i].PAdjusted = adjusted
	}
	return out
}

// caseFacts holds the facts of one case over all its draws.
type caseFacts struct {
	group      string
	draws, all float64
	lost       map[string]float64
}

// count returns the mean count per draw. A case thus has the same weight whether a run
// drew it once or three times, so that the test may exchange the two.
func (c *caseFacts) count(stage string) stats.Count {
	return stats.Count{Num: c.lost[stage] / c.draws, Den: c.all / c.draws}
}

// runFacts holds the facts of a run by case, in the order of the run.
type runFacts struct {
	records []assay.Record
	ids     []string
	of      map[string]*caseFacts
}

func factsOf(records []assay.Record) runFacts {
	f := runFacts{of: map[string]*caseFacts{}}
	for _, r := range inOrder(records) {
		if r.Attribution == nil || len(r.Attribution.Facts) == 0 {
			continue
		}
		f.records = append(f.records, r)
		id := r.Case.Base()
		c := f.of[id]
		if c == nil {
			c = &caseFacts{group: r.Case.Group, lost: map[string]float64{}}
			f.of[id] = c
			f.ids = append(f.ids, id)
		}
		c.draws++
		for _, fact := range r.Attribution.Facts {
			c.all++
			c.lost[fact.Lost]++
		}
	}
	return f
}
