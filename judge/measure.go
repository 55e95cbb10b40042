package judge

import (
	"fmt"

	"github.com/assay-eval/assay/stats"
)

// A Figure is a measured number with its interval.
type Figure struct {
	// Value is nil when it is undefined, and Why says why; or why it has no interval.
	Value *float64        `json:"value"`
	CI    *stats.Interval `json:"ci"`
	Why   string          `json:"why,omitempty"`
}

// An Agreed holds measures of the agreement of two sides on labels of 0 and 1.
type Agreed struct {
	N         int    `json:"n"`
	Agreement Figure `json:"agreement"`
	Kappa     Figure `json:"kappa"`
	AC1       Figure `json:"ac1"`
}

// leastCalibrated is the number of items from which the calibration error is shown: each bin that has few is off by chance.
const leastCalibrated = 30

// calibrationBins of the expected calibration error.
const calibrationBins = 10

// What makes a measure undefined.
const (
	equalLabels = "all labels are equal"
	allEqual    = "all labels and rulings are equal"
	noDegrees   = "scores are not all in 0…1"
)

// A Sampling says how intervals are computed: clusters names the cluster of each item, "" for
// one of its own, Level is that of the intervals, and Seed starts the resampling.
type Sampling struct {
	Clusters []string
	Level    float64
	Seed     uint64
}

// A Measure computes a number of items, given by index, from −1 to 1. Why says why it may be undefined.
type Measure struct {
	Into *Figure
	Why  string
	Of   func(items []int) (float64, bool)
}

// paired is a function of two lists as one of the items that are in both.
func paired[A, B any](f func([]A, []B) (float64, bool), a []A, b []B) func(items []int) (float64, bool) {
	return func(items []int) (float64, bool) { return f(Pick(a, items), Pick(b, items)) }
}

// Take computes measures with their intervals, all on the same resamples of whole clusters.
func (s Sampling) Take(measures ...Measure) {
	all := make([]int, len(s.Clusters))
	for i := range all {
		all[i] = i
	}
	of := make([]func([]int) (float64, bool), len(measures))
	for i, m := range measures {
		of[i] = m.Of
		v, ok := m.Of(all)
		*m.Into = figure(v, ok, m.Why)
	}
	for i, ci := range stats.Bootstrap(s.Clusters, s.Level, s.Seed, of...) {
		if f := measures[i].Into; f.Value != nil && ci != nil {
			in := ci.Clip(-1, 1)
			f.CI = &in
		}
	}
}

// Agreed measures how two lists of yes and no agree.
func (s Sampling) Agreed(a, b []bool) (out Agreed) {
	out.N = len(a)
	confuse := func(items []int) stats.Confusion {
		var t stats.Confusion
		for _, i := range items {
			t.Add(a[i], b[i])
		}
		return t
	}
	s.Take(
		Measure{&out.Agreement, "no items", func(items []int) (float64, bool) { return confuse(items).Accuracy() }},
		Measure{&out.Kappa, allEqual, func(items []int) (float64, bool) { return confuse(items).Kappa() }},
		Measure{&out.AC1, allEqual, func(items []int) (float64, bool) { return confuse(items).AC1() }},
	)
	// Resamples of few disagreements lack them too often, and those of none always.
	same := make([]stats.Sample, len(a))
	for i := range a {
		same[i].Cluster = s.Clusters[i]
		if a[i] == b[i] {
			same[i].Value = 1
		}
	}
	if out.Agreement.Value == nil {
		return out
	}
	out.Agreement.CI = stats.Hits(same, s.Level).CI
	ones := 0.0
	for _, yes := range b {
		if yes {
			ones += 1 / float64(len(b))
		}
	}
	out.Kappa.widen(*out.Agreement.Value, out.Agreement.CI, ones*ones+(1-ones)*(1-ones))
	out.AC1.widen(*out.Agreement.Value, out.Agreement.CI, 2*ones*(1-ones))
	return out
}

// widen makes the interval of agreement beyond chance, (p − e)/(1 − e), hold what it is at the
// ends of that of the agreement p, with the same e. At full agreement e is the given one.
func (f *Figure) widen(p float64, ci *stats.Interval, e float64) {
	if f.Value == nil || f.CI == nil || ci == nil {
		f.CI = nil
		return
	}
	if *f.Value < 1 {
		e = (p - *f.Value) / (1 - *f.Value)
	}
	if e >= 1-1e-12 { // all labels are equal: nothing is beyond chance
		f.CI = nil
		return
	}
	beyond := func(p float64) float64 { return (p - e) / (1 - e) }
	f.CI = &stats.Interval{Lo: max(-1, min(f.CI.Lo, beyond(ci.Lo))), Hi: min(1, max(f.CI.Hi, beyond(ci.Hi)))}
}

// leastRarer is how many items of the rarer label an interval of measures needs that rest on
// both labels: resamples of fewer do not show how they vary.
const leastRarer = 10

// Between measures how the annotators of items agree: labels are those of each item by the
// annotators in a fixed order, nil for a missing one. Every pair of labels of an item is one
// comparison. It is nil if no item has two.
func (s Sampling) Between(labels [][]*float64, isTrue func(label float64) bool) *Agreed {
	var first, second []bool
	pairs := Sampling{Level: s.Level, Seed: s.Seed}
	for i, l := range labels {
		cluster := s.Clusters[i]
		if cluster == "" && len(l) > 2 {
			// The pairs of one item are not independent.
			cluster = fmt.Sprintf("\x00%d", i)
		}
		for x := range l {
			for y := range x {
				if l[x] != nil && l[y] != nil {
					first, second = append(first, isTrue(*l[y])), append(second, isTrue(*l[x]))
					pairs.Clusters = append(pairs.Clusters, cluster)
				}
			}
		}
	}
	if len(first) == 0 {
		return nil
	}
	a := pairs.Agreed(first, second)
	return &a
}

// A Balance has how often what is true is ruled so, what is not true is ruled so, and the mean
// of both.
type Balance struct {
	Sensitivity, Specificity, Accuracy Figure
}

// Balance measures rulings on items whose truth is known. Intervals are those of proportions
// of clustered items, and of the mean of two proportions, which hold near 0 and 1 too: see
// [stats.Hits] and [stats.Middle].
func (s Sampling) Balance(ruled, truth []bool) (b Balance) {
	var yes, no []stats.Sample
	for i, t := range truth {
		hit := stats.Sample{Cluster: s.Clusters[i]}
		if ruled[i] == t {
			hit.Value = 1
		}
		if t {
			yes = append(yes, hit)
		} else {
			no = append(no, hit)
		}
	}
	b.Sensitivity = Share(yes, s.Level, "no item is labelled true")
	b.Specificity = Share(no, s.Level, "no item is labelled false")
	v, ci, ok := stats.Middle(yes, no, s.Level)
	b.Accuracy = figure(v, ok, equalLabels)
	if ok {
		b.Accuracy.CI = ci
	}
	return b
}

// Share is the share of hits among values of 0 and 1 with its interval; why says why there are
// none.
func Share(hits []stats.Sample, level float64, why string) Figure {
	e := stats.Hits(hits, level)
	f := figure(e.Mean, e.N > 0, why)
	f.CI = e.CI
	return f
}

// Degrees are how well degrees of 0…1 tell what is true.
type Degrees struct {
	// AUROC is of any scores; Brier and Error, the expected calibration error, take the
	// degree as a probability.
	AUROC, Brier, Error Figure
}

// Degrees measures degrees of items whose truth is known.
func (s Sampling) Degrees(scores []float64, truth []bool) (d Degrees) {
	s.Take(
		Measure{&d.AUROC, equalLabels, paired(stats.AUROC, scores, truth)},
		Measure{&d.Brier, noDegrees, paired(stats.Brier, scores, truth)},
		Measure{&d.Error, noDegrees, func(items []int) (float64, bool) {
			return stats.ECE(Pick(scores, items), Pick(truth, items), calibrationBins)
		}},
	)
	var sides [2][]stats.Sample
	errors := make([]stats.Sample, len(scores))
	for i, v := range scores {
		want := 0
		if truth[i] {
			want = 1
		}
		sides[want] = append(sides[want], stats.Sample{Cluster: s.Clusters[i]})
		errors[i] = stats.Sample{Value: (v - float64(want)) * (v - float64(want)), Cluster: s.Clusters[i]}
	}
	few := sides[0]
	if len(sides[1]) < len(few) {
		few = sides[1]
	}
	if a := d.AUROC.Value; a != nil && (*a == 0 || *a == 1) {
		// Resamples of pairs that are all ranked alike are, too. Each item of the rarer label
		// with one of the other is an independent pair.
		for i := range few {
			few[i].Value = *a
		}
		d.AUROC.CI = stats.Hits(few, s.Level).CI
	}
	for _, f := range []*Figure{&d.AUROC, &d.Error} {
		if f.CI != nil && f.CI.Lo == f.CI.Hi {
			f.CI, f.Why = nil, "all resamples are equal: no interval can be given"
		} else if f.CI != nil {
			f.CI.Lo = max(0, f.CI.Lo)
		}
	}
	if d.Error.Value != nil && len(scores) < leastCalibrated {
		d.Error = Figure{Why: fmt.Sprintf("%d items: the calibration error needs %d, because fewer make it too large", len(scores), leastCalibrated)}
	}
	if d.Brier.Value != nil {
		d.Brier.CI = stats.MeanWithin(errors, stats.Interval{Lo: 0, Hi: 1}, s.Level).CI
	}
	if rarer := len(few); rarer < leastRarer && d.AUROC.Value != nil {
		d.AUROC.CI, d.AUROC.Why = nil, fmt.Sprintf("%d items of the rarer label: an interval needs %d", rarer, leastRarer)
	}
	return d
}

// figure makes a Figure of a value that may be undefined.
func figure(v float64, ok bool, why string) Figure {
	if !ok {
		return Figure{Why: why}
	}
	return Figure{Value: &v}
}
