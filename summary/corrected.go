package summary

import (
	"errors"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/stats"
)

// Labels are what people said of a metric on answers of runs.
type Labels struct {
	// Metric is the name of the metric.
	Metric string
	// Runs has the labels of each run of a comparison, the baseline first.
	Runs []RunLabels
}

// RunLabels are the labels of the answers of one run, by the id of the case.
type RunLabels struct {
	// Values are on the scale of the metric.
	Values map[string]float64
	// Strata has the strata, from 0, of the cases that were not drawn from all evenly, but from the strata of the
	// comparison of the run with the baseline.
	Strata map[string]int
}

// ByBase returns the labels and the strata by the id that the draws of a case share: of labels, the mean of the draws
// that have one.
func (l RunLabels) ByBase(t *columns.Table) (values map[string]float64, strata map[string]int) {
	values, strata = map[string]float64{}, map[string]int{}
	n := map[string]float64{}
	for i := range t.Len() {
		id, base := t.ID(i), t.Base(i)
		v, ok := l.Values[id]
		if !ok {
			continue
		}
		n[base]++
		values[base] += (v - values[base]) / n[base]
		if k, ok := l.Strata[id]; ok {
			strata[base] = k
		}
	}
	return values, strata
}

// A Lack is why there is no correction.
type Lack string

// What a correction lacks.
const (
	// LacksLabels: fewer labels than a correction needs; More says how many are missing.
	LacksLabels Lack = "labels"
	// LacksSpread: the labels all differ from the score in the same way, so that nobody can say how others would.
	LacksSpread Lack = "spread"
	// LacksStrata: the strata from which cases were drawn are not those of the scores of these runs.
	LacksStrata Lack = "strata"
	// LacksScale: labels lie outside of the range of the metric, on a scale that is not known.
	LacksScale Lack = "scale"
	// LacksNumbers: labels or scores are too large.
	LacksNumbers Lack = "numbers"
)

// A Correction is a mean, or a difference of means, as people would judge it, estimated from the labels of some cases
// and the judge's scores of all ([stats.Correct]).
type Correction struct {
	// Corrected is nil if Lack says why there is none.
	*stats.Corrected
	Level float64 `json:"level"`
	// Labels is the number of cases that are labelled: in both runs, for a difference.
	Labels int `json:"labels"`
	// OneSided are the cases that are labelled in the baseline alone and in the run alone: they do not count.
	OneSided [2]int `json:"one_sided"`
	// Unscored counts labelled cases without a score of the judge.
	Unscored int `json:"unscored"`
	// Half is how many further labels would halve the interval; nil if those of all cases would not.
	Half *int `json:"labels_for_half"`
	// Stratified is set if cases were drawn from strata.
	Stratified bool `json:"stratified"`
	Lack       Lack `json:"lack,omitempty"`
	More       int  `json:"labels_missing,omitempty"`
	// Next is what further labels should be drawn from.
	Next []stats.Stratum `json:"-"`
}

// A Direction is which of two runs a number favours.
type Direction string

// The directions: the new run is better, or worse, or it is not shown which.
const (
	Better Direction = "better"
	Worse  Direction = "worse"
	Open   Direction = "open"
)

// Direction returns which run people favour by the corrected difference of a metric: Open if its interval holds 0.
func (c Correction) Direction(m assay.MetricInfo) Direction {
	if c.Corrected == nil || c.CI.Lo <= 0 && c.CI.Hi >= 0 {
		return Open
	}
	if (c.Mean < 0) == (m.Better == "lower") {
		return Better
	}
	return Worse
}

// DirectionOf returns which run the judge favours by a difference: Open if it is not shown.
func DirectionOf(m assay.MetricInfo, d stats.Comparison) Direction {
	switch {
	case !Shown(d):
		return Open
	case Improves(m, d):
		return Better
	}
	return Worse
}

// Overrules reports whether people would say something else than the judge about a difference, as far as both can be
// shown.
func (c Correction) Overrules(m assay.MetricInfo, d stats.Comparison) bool {
	return c.Corrected != nil && c.Direction(m) != DirectionOf(m, d)
}

// A labelledPair is a pair of scores with the labels of its answers.
type labelledPair struct {
	stats.Pair
	old, new *float64
}

// CorrectDifference returns the difference of a metric as people would judge it. The labels of both runs are by the id
// that the draws of a case share; strata are those of the new run.
func CorrectDifference(pairs []stats.Pair, old, new map[string]float64, strata map[string]int, level float64) Correction {
	items := make([]labelledPair, len(pairs))
	c := Correction{Level: level}
	scored := map[string]bool{}
	for i, p := range pairs {
		items[i].Pair = p
		scored[p.Case] = true
		if v, ok := old[p.Case]; ok {
			items[i].old = &v
		}
		if v, ok := new[p.Case]; ok {
			items[i].new = &v
		}
		switch {
		case items[i].old != nil && items[i].new != nil:
			c.Labels++
		case items[i].old != nil:
			c.OneSided[0]++
		case items[i].new != nil:
			c.OneSided[1]++
		}
	}
	for id := range new {
		if _, both := old[id]; both && !scored[id] {
			c.Unscored++
		}
	}
	judged := make([]stats.Judged, len(items))
	ids := make([]string, len(items))
	for i, p := range items {
		judged[i] = stats.Judged{Judge: p.New - p.Old, Cluster: p.Cluster}
		ids[i] = p.Case
		if p.old != nil && p.new != nil {
			d := *p.new - *p.old
			judged[i].Human = &d
		}
	}
	c.correct(judged, ids, strata)
	return c
}

// CorrectMean returns the mean of a metric as people would judge it.
func CorrectMean(values []Value, labels map[string]float64, strata map[string]int, level float64) Correction {
	c := Correction{Level: level}
	var judged []stats.Judged
	var ids []string
	for _, v := range values {
		l, ok := labels[v.Case]
		if v.Known == 0 {
			if ok {
				c.Unscored++
			}
			continue
		}
		it := stats.Judged{Judge: v.Mean, Cluster: v.Group}
		if ok {
			c.Labels++
			it.Human = &l
		}
		judged, ids = append(judged, it), append(ids, v.Case)
	}
	c.correct(judged, ids, strata)
	return c
}

// correct estimates from the items, whose cases have the ids.
func (c *Correction) correct(items []stats.Judged, ids []string, drawn map[string]int) {
	scores := make([]float64, len(items))
	for i, it := range items {
		scores[i] = it.Judge
	}
	strata := stats.Strata(scores)
	for i, id := range ids {
		if at, ok := drawn[id]; ok && items[i].Human != nil {
			c.Stratified = true
			if at != strata[i] {
				c.Lack = LacksStrata
			}
		}
	}
	byScore := make([]stats.Judged, len(items))
	for i, it := range items {
		byScore[i] = it
		byScore[i].Stratum = strata[i]
	}
	if c.Stratified {
		items = byScore
	}
	c.Next = states(byScore)
	if c.Lack != "" {
		return
	}
	done, err := stats.Correct(items, stats.CorrectOptions{Level: c.Level})
	var few *stats.TooFewLabels
	switch {
	case errors.As(err, &few) && few.Alike:
		c.Lack = LacksSpread
	case errors.As(err, &few):
		c.Lack, c.More = LacksLabels, few.More
	case err != nil:
		c.Lack = LacksNumbers
	default:
		c.Corrected = &done
		if more, ok := stats.MoreLabels(done, c.Level, 0.5); ok {
			c.Half = &more
		}
		// The spread of each stratum tells where the next labels help most, also if those so far are an even sample.
		if by, err := stats.Correct(byScore, stats.CorrectOptions{Level: c.Level, Lambda: &done.Lambda}); err == nil {
			c.Next = by.Strata
		}
	}
}

// states counts the items and labels of each stratum.
func states(items []stats.Judged) []stats.Stratum {
	var out []stats.Stratum
	for _, it := range items {
		for len(out) <= it.Stratum {
			out = append(out, stats.Stratum{})
		}
		out[it.Stratum].Items++
		if it.Human != nil {
			out[it.Stratum].Labels++
		}
	}
	return out
}

// Narrows returns the half-width of the interval now, and after n further labels that are drawn from Next.
func (c Correction) Narrows(n int) (now, then float64, ok bool) {
	if c.Corrected == nil {
		return 0, 0, false
	}
	as := *c.Corrected
	as.Strata = c.Next
	now = (c.CI.Hi - c.CI.Lo) / 2
	return now, math.Min(now, stats.Narrowed(as, n, c.Level)), true
}

// correctAll adds to each difference of a metric that is labelled what people would say of it. The intervals of several
// runs hold together: each is at the level that Bonferroni's inequality asks for.
func (c *Comparison) correctAll(labels []Labels, pairs []rowPairs, runs []*columns.Table) {
	for _, l := range labels {
		for k := range c.Rows {
			row := &c.Rows[k]
			if row.Name != l.Metric || row.Pooled || len(l.Runs) != len(runs) {
				continue
			}
			old, _ := l.Runs[0].ByBase(runs[0])
			level := 1 - (1-c.Level)/float64(len(runs)-1)
			row.Corrected = make([]Correction, len(runs)-1)
			for i, run := range runs[1:] {
				new, strata := l.Runs[i+1].ByBase(run)
				if !inRange(row.MetricInfo, old) || !inRange(row.MetricInfo, new) {
					row.Corrected[i] = Correction{Level: level, Lack: LacksScale}
					continue
				}
				row.Corrected[i] = CorrectDifference(pairs[k].pairs[i], old, new, strata, level)
			}
		}
	}
}

// inRange reports whether labels lie in the range of the metric.
func inRange(m assay.MetricInfo, labels map[string]float64) bool {
	for _, v := range labels {
		if m.Range[0] < m.Range[1] && (v < m.Range[0] || v > m.Range[1]) {
			return false
		}
	}
	return true
}
