package summary

import (
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
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
	// CI is the interval of Diff, simultaneous for all stages; nil if there are too few
	// clusters. P is the p-value of the sign-flip test, PAdjusted the same corrected for
	// all stages ([stats.CompareTogether]): the difference can be shown if it is below
	// 1 − level, which is exactly if CI leaves out 0.
	CI        *stats.Interval `json:"ci"`
	P         float64         `json:"p"`
	PAdjusted float64         `json:"p_adjusted"`
}

// CompareWaterfalls returns the differences at every stage of either run, in the order
// of the pipeline, and last that of the facts in the answers. Cases are paired by
// their ids; several draws of a case enter with their mean. It returns nil if the runs
// share no case with facts.
func CompareWaterfalls(old, new *columns.Table, level float64, seed uint64) []LostDifference {
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
	stages := append(possible(before.cases), possible(after.cases)...)
	slices.SortFunc(stages, assay.CompareStages)
	stages = slices.Compact(stages)
	var out []LostDifference
	var pairs [][]stats.Pair
	for _, stage := range append(stages, "") {
		out, pairs = append(out, LostDifference{Stage: stage, Cases: len(both)}), append(pairs, factPairs(both, before, after, stage))
	}
	for i, c := range stats.CompareTogether(stats.SignFlip, pairs, level, seed) {
		d := &out[i]
		d.Old, d.New, d.Diff, d.P, d.PAdjusted = c.Old, c.New, c.Diff, c.P, c.PAdjusted
		if c.CI != nil {
			ci := c.CI.Clip(-1, 1)
			d.CI = &ci
		}
	}
	return out
}

// factPairs returns a pair for each fact of the old run, whose means are the shares of
// facts with the outcome in the old and the new run. The facts of a case depend on each
// other and share its counts evenly.
func factPairs(cases []string, old, new runFacts, stage string) []stats.Pair {
	var facts, before, after float64
	for _, id := range cases {
		o, n := old.of[id], new.of[id]
		facts, before, after = facts+math.Round(o.all/o.draws), before+o.all/o.draws, after+n.all/n.draws
	}
	var out []stats.Pair
	for _, id := range cases {
		o, n := old.of[id], new.of[id]
		k := math.Round(o.all / o.draws)
		group := "case " + id
		if o.group != "" {
			group = "group " + o.group
		}
		p := stats.Pair{Old: o.count(stage) / k * facts / before, New: n.count(stage) / k * facts / after, Cluster: group}
		for range int(k) {
			out = append(out, p)
		}
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
func (c *caseFacts) count(stage string) float64 { return c.lost[stage] / c.draws }

// runFacts holds the facts of a run by case, in the order of the run.
type runFacts struct {
	cases *columns.Table
	ids   []string
	of    map[string]*caseFacts
}

func factsOf(t *columns.Table) runFacts {
	t = t.Where(func(i int) bool { return t.Attribution(i) != nil && len(t.Attribution(i).Facts) > 0 })
	f := runFacts{cases: t, of: map[string]*caseFacts{}}
	for i := range t.Len() {
		id := t.Base(i)
		c := f.of[id]
		if c == nil {
			c = &caseFacts{group: t.Group(i), lost: map[string]float64{}}
			f.of[id] = c
			f.ids = append(f.ids, id)
		}
		c.draws++
		for _, fact := range t.Attribution(i).Facts {
			c.all++
			c.lost[fact.Lost]++
		}
	}
	return f
}
