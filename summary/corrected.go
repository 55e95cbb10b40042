package summary

import (
	"errors"
	"maps"
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

// LabelsOf returns the labels of a run that is called by several names. twice is a case that is labelled under two of
// them; "" if there is none.
func LabelsOf(by map[string]RunLabels, names ...string) (out RunLabels, twice string) {
	out = RunLabels{Values: map[string]float64{}, Strata: map[string]int{}}
	for _, n := range names {
		for id, v := range by[n].Values {
			if _, ok := out.Values[id]; ok && (twice == "" || id < twice) {
				twice = id
			}
			out.Values[id] = v
		}
		maps.Copy(out.Strata, by[n].Strata)
	}
	return out, twice
}

// byBase returns the labels and the strata by the id that the draws of a case share: of labels, the mean of the draws
// that have one.
func (l RunLabels) byBase(t *columns.Table) (values map[string]float64, strata map[string]int) {
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
	// LacksSpread: the labels are all alike, or differ only as the scores do, so that nobody can say how others would.
	LacksSpread Lack = "spread"
	// LacksGroups: the labels are in fewer groups than can show a difference; More says how many groups are missing.
	LacksGroups Lack = "groups"
	// LacksStrata: the strata from which cases were drawn are not those of the scores of these runs.
	LacksStrata Lack = "strata"
	// LacksFailed: one run failed on cases on which the other one answered, and too few of those answers are labelled to
	// say what that changes. Failed is the number of such cases, More how many labels are missing.
	LacksFailed Lack = "failed"
	// LacksRun: the labels do not tell the run beyond doubt: they name other runs, or use a name that several runs have.
	LacksRun Lack = "run"
	// LacksOne: an answer has two labels, one by the id of its run and one by its name.
	LacksOne Lack = "one"
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
	// Failed is the number of cases on which one of two runs failed, if labels of those are missing.
	Failed int `json:"one_run_failed,omitempty"`
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

// Labelled is what is known of the answers of a run, by the id that the draws of a case share.
type Labelled struct {
	// Labels are what people said of them, on the scale of the metric. Strata are those of the cases that were drawn from
	// strata.
	Labels map[string]float64
	Strata map[string]int
	// Failed is the share of the draws in which the target gave no answer, of which nobody can be asked: they have the
	// worst value.
	Failed map[string]float64
}

// Of returns what is known of the answers of a run whose values are given: of labels, the mean of the draws that
// have one.
func (l RunLabels) Of(values []Value, t *columns.Table) Labelled {
	a := Labelled{Failed: map[string]float64{}}
	a.Labels, a.Strata = l.byBase(t)
	for _, v := range values {
		if v.Failed > 0 {
			a.Failed[v.Case] = float64(v.Failed) / float64(v.Known)
		}
	}
	return a
}

// failed reports whether no draw of a case has an answer.
func (a Labelled) failed(id string) bool { return a.Failed[id] >= 1 }

// human returns the value of a case as people see it; nil without a label of an answer.
func (a Labelled) human(m assay.MetricInfo, id string) *float64 {
	f := min(a.Failed[id], 1)
	v, ok := a.Labels[id]
	if !ok && f < 1 {
		return nil
	}
	v = (1-f)*v + f*m.Range[0]
	return &v
}

// An item is a case of an estimate. half is set if one of two runs failed on it.
type item struct {
	stats.Judged
	id   string
	half bool
}

// differences are the items of a difference.
func differences(m assay.MetricInfo, pairs []stats.Pair, old, new Labelled) []item {
	items := make([]item, len(pairs))
	for i, p := range pairs {
		it := item{Judged: stats.Judged{Judge: p.New - p.Old, Cluster: p.Cluster}, id: p.Case}
		if a, b := old.human(m, p.Case), new.human(m, p.Case); a != nil && b != nil {
			d := *b - *a
			it.Human = &d
		}
		one, two := old.failed(p.Case), new.failed(p.Case)
		it.Known, it.half = one && two, one != two
		items[i] = it
	}
	return items
}

// CorrectDifference returns the difference of a metric as people would judge it.
func CorrectDifference(m assay.MetricInfo, pairs []stats.Pair, old, new Labelled, level float64) Correction {
	items := differences(m, pairs, old, new)
	c := Correction{Level: level}
	scored := map[string]bool{}
	for _, it := range items {
		scored[it.id] = true
		_, one := old.Labels[it.id]
		_, two := new.Labels[it.id]
		switch {
		case it.Known:
		case it.Human != nil:
			c.Labels++
		case one:
			c.OneSided[0]++
		case two:
			c.OneSided[1]++
		}
	}
	for id := range new.Labels {
		if _, both := old.Labels[id]; both && !scored[id] {
			c.Unscored++
		}
	}
	drawn := maps.Clone(old.Strata)
	if drawn == nil {
		drawn = map[string]int{}
	}
	maps.Copy(drawn, new.Strata)
	c.correct(items, drawn, rangeOfDifference(m))
	var groups []string
	for _, it := range items {
		if it.Human != nil && !it.Known {
			groups = append(groups, it.Cluster)
		}
	}
	if more := stats.LeastClusters(1-level) - stats.Clusters(groups); c.Corrected != nil && more > 0 {
		c.Corrected, c.Half, c.Lack, c.More = nil, nil, LacksGroups, more
	}
	return c
}

// CorrectMean returns the mean of a metric as people would judge it.
func CorrectMean(m assay.MetricInfo, values []Value, answers Labelled, level float64) Correction {
	c := Correction{Level: level}
	var items []item
	for _, v := range values {
		_, labelled := answers.Labels[v.Case]
		if v.Known == 0 {
			if labelled {
				c.Unscored++
			}
			continue
		}
		it := item{Judged: stats.Judged{Judge: v.Mean, Cluster: v.Group, Human: answers.human(m, v.Case)}, id: v.Case}
		if it.Known = answers.failed(v.Case); labelled && !it.Known {
			c.Labels++
		}
		items = append(items, it)
	}
	c.correct(items, answers.Strata, closedRange(m))
	return c
}

// strataOf returns the strata of items: those of their scores, one more for cases on which one of two runs failed, and 0
// for those that are known. If the strata are turned, they are those of the same scores with the two runs in the other
// order.
func strataOf(items []item, turned bool) []int {
	var scores []float64
	var at []int
	for i, it := range items {
		if it.Known || it.half {
			continue
		}
		// A baseline file rounds scores, and sums differ in their last digits: those are no other stratum.
		score := math.Round(it.Judge*1e9) / 1e9
		if turned {
			score = -score
		}
		scores, at = append(scores, score), append(at, i)
	}
	out, last := make([]int, len(items)), 0
	for k, s := range stats.Strata(scores) {
		out[at[k]] = s
		last = max(last, s+1)
	}
	for i, it := range items {
		if it.half {
			out[i] = last
		}
	}
	return out
}

// leastTurned is how many labelled cases show that they were drawn for the comparison of two runs the other way round.
const leastTurned = 5

// correct estimates from the items. drawn has the strata of the cases that were drawn from some.
func (c *Correction) correct(items []item, drawn map[string]int, possible *stats.Interval) {
	labels := 0
	agree := func(strata []int) bool {
		labels = 0
		for i, it := range items {
			at, ok := drawn[it.id]
			if !ok || it.Human == nil || it.Known {
				continue
			}
			if labels++; at != strata[i] {
				return false
			}
		}
		return true
	}
	strata := strataOf(items, false)
	if !agree(strata) {
		// Cases that were drawn for the comparison of the same runs the other way round, unless a few agree by chance.
		if turned := strataOf(items, true); agree(turned) && labels >= leastTurned {
			strata = turned
		} else {
			c.Lack = LacksStrata
		}
	}
	for _, it := range items {
		_, ok := drawn[it.id]
		c.Stratified = c.Stratified || ok && it.Human != nil && !it.Known
	}
	judged := make([]stats.Judged, len(items))
	var half, asked int
	for i, it := range items {
		judged[i] = it.Judged
		if it.half {
			judged[i].Stratum = 1
			half++
			if it.Human != nil {
				asked++
			}
		}
		if c.Stratified {
			judged[i].Stratum = strata[i]
		}
	}
	if c.Lack == "" && c.Labels >= stats.MinLabels && asked < min(stats.MinStratum, half) {
		c.Lack, c.Failed, c.More = LacksFailed, half, min(stats.MinStratum, half)-asked
	}
	if c.Lack != "" {
		return
	}
	done, err := stats.Correct(judged, stats.CorrectOptions{Level: c.Level, Range: possible})
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
		if more, ok := stats.MoreLabels(done, 0.5); ok {
			c.Half = &more
		}
	}
}

// closedRange returns the range of a metric's labels; nil if it is open.
func closedRange(m assay.MetricInfo) *stats.Interval {
	if !Bounded(m) {
		return nil
	}
	r := rangeOf(m)
	return &r
}

// rangeOfDifference returns that of a difference of two labels.
func rangeOfDifference(m assay.MetricInfo) *stats.Interval {
	r := closedRange(m)
	if r == nil {
		return nil
	}
	return &stats.Interval{Lo: r.Lo - r.Hi, Hi: r.Hi - r.Lo}
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
			old := l.Runs[0].Of(Values(row.MetricInfo, runs[0]), runs[0])
			level := 1 - (1-c.Level)/float64(len(runs)-1)
			row.Corrected = make([]Correction, len(runs)-1)
			for i, run := range runs[1:] {
				new := l.Runs[i+1].Of(Values(row.MetricInfo, run), run)
				if !inRange(row.MetricInfo, old.Labels) || !inRange(row.MetricInfo, new.Labels) {
					row.Corrected[i] = Correction{Level: level, Lack: LacksScale}
					continue
				}
				row.Corrected[i] = CorrectDifference(row.MetricInfo, pairs[k].pairs[i], old, new, level)
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
