// Package stats computes estimates with intervals, paired comparisons with tests,
// and measures of agreement. It is pure, imports no other package of this module,
// and never returns NaN or an infinity: a number that cannot be computed is
// absent.
package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// DefaultLevel is the default confidence level of intervals.
const DefaultLevel = 0.95

// Readable is the least number of values over which formats that people read show an
// interval. An interval over fewer rests on its formula alone. JSON and CSV have every
// interval.
const Readable = 5

// An Interval is a closed range; in JSON it is [lo, hi].
type Interval struct{ Lo, Hi float64 }

// MarshalJSON encodes the interval as [lo, hi].
func (i Interval) MarshalJSON() ([]byte, error) { return json.Marshal([2]float64{i.Lo, i.Hi}) }

// UnmarshalJSON decodes [lo, hi].
func (i *Interval) UnmarshalJSON(b []byte) error {
	var v []float64
	if err := json.Unmarshal(b, &v); err != nil || len(v) != 2 {
		return fmt.Errorf("interval %s: expected [lo, hi]", b)
	}
	i.Lo, i.Hi = v[0], v[1]
	return nil
}

// Half is half of the interval's width, as in "± 0.03".
func (i Interval) Half() float64 { return (i.Hi - i.Lo) / 2 }

// Contains reports whether v is in the interval, including its ends.
func (i Interval) Contains(v float64) bool { return v >= i.Lo && v <= i.Hi }

// Clip returns the interval restricted to [lo, hi].
func (i Interval) Clip(lo, hi float64) Interval {
	return Interval{min(max(i.Lo, lo), hi), min(max(i.Hi, lo), hi)}
}

// An Estimate is an aggregate with its uncertainty and its counts.
type Estimate struct {
	// Mean is the mean over N cases; it is meaningless if N is 0.
	Mean float64 `json:"mean"`
	// CI is the confidence interval of Mean at Level for cases drawn like these;
	// nil if it cannot be computed, as for a single value that is not a ratio.
	CI *Interval `json:"ci"`
	// Bounds are the means if every failed score were the worst, or the best,
	// possible value. They equal Mean if nothing failed, and are nil if nothing
	// is known or the range of the metric is unbounded.
	Bounds *Interval `json:"bounds"`
	Level  float64   `json:"level"`
	// N counts the cases in the mean: those that were scored, and those in which
	// the target failed, which count 0 if higher is better.
	N int `json:"n"`
	// Failed counts scores that the evaluator could not compute. They are not in
	// the mean; Bounds shows their possible effect.
	Failed int `json:"failed"`
	// TargetErrors counts the cases in which the target failed.
	TargetErrors int `json:"target_errors"`
	// Answered is the mean over the cases in which the target did not fail; nil
	// if it failed in none or in all.
	Answered *float64 `json:"answered,omitempty"`
	// NotApplicable and Abstained count cases with nothing to measure.
	NotApplicable int `json:"not_applicable"`
	Abstained     int `json:"abstained"`
	// Warnings describe limits of the estimate.
	Warnings []Warning `json:"warnings,omitempty"`
}

// A Sample is one value of an estimate, with its cluster.
type Sample struct {
	Value float64
	// Cluster is "" for an independent value.
	Cluster string
}

// Mean is [MeanWithin] for values that may be of any size, unless all are in 0…1: these are
// taken for shares.
func Mean(samples []Sample, level float64) Estimate {
	possible := Interval{0, 1}
	if slices.ContainsFunc(samples, func(s Sample) bool { return !isShare(s.Value) }) {
		possible = Interval{math.Inf(-1), math.Inf(1)}
	}
	return MeanWithin(samples, possible, level)
}

// MeanWithin estimates the mean of samples whose possible values are given, with its
// confidence interval at the given level:
//
//   - Independent values that are all 0 or 1, of a metric in 0…1, are a proportion and get
//     Wilson's interval.
//   - Other values between two finite ends get the interval of [boundsWithin], which holds
//     whatever their distribution is.
//   - Values without a smallest or a largest one get Student's interval, corrected for their
//     skewness (Hall, JRSS B 54, 1992). It needs values that show how far others are from
//     them: equal values have none, and a warning.
//
// No interval goes beyond the possible values. The standard error is cluster-robust if
// samples share clusters (Miller 2024,
// arXiv 2411.00640: var = Σ_g(Σ_{i∈g}(x_i−m))²/n² · G/(G−1), G−1 degrees of
// freedom). Without samples N is 0; N is also 0, with a warning, if values are not finite
// or too large to add. A single value without finite ends has a mean without an interval,
// as has a level that is not between 0 and 1.
func MeanWithin(samples []Sample, possible Interval, level float64) Estimate {
	e := Estimate{N: len(samples)}
	if isFinite(level) {
		e.Level = level
	}
	if e.N == 0 {
		return e
	}
	sum, binary, equal, inside := 0.0, true, true, true
	for _, s := range samples {
		sum += s.Value
		binary = binary && (s.Value == 0 || s.Value == 1)
		equal = equal && s.Value == samples[0].Value
		inside = inside && possible.Contains(s.Value)
	}
	e.Mean = sum / float64(e.N)
	if !isFinite(e.Mean) {
		return Estimate{Level: e.Level, Warnings: []Warning{{Kind: NotFinite}}}
	}
	groups := clusters(samples)
	closed := inside && possible.Lo > -huge && possible.Hi < huge
	switch {
	case !isLevel(level):
		e.Warnings = append(e.Warnings, Warning{Kind: NoSuchLevel, Value: e.Level})
	case len(groups) == len(samples) && binary && possible == Interval{0, 1}:
		ci := Wilson(sum, e.N, level)
		e.CI = &ci
	case len(groups) < 2 && e.N > 1:
		e.Warnings = append(e.Warnings, Warning{Kind: OneGroup})
	case closed:
		ci := boundsWithin(singly(samples), groups, possible.Lo, possible.Hi, (1-level)/2, twoSided)
		e.CI = &ci
	case e.N > 1:
		if e.CI = spreadOf(groups, float64(e.N), e.Mean).interval(level); e.CI == nil && equal {
			e.Warnings = append(e.Warnings, Warning{Kind: AllEqual, N: e.N})
		}
	}
	if e.CI != nil && inside {
		ci := e.CI.Clip(possible.Lo, possible.Hi)
		e.CI = &ci
	}
	if e.N < smallSample {
		e.Warnings = append(e.Warnings, Warning{Kind: FewCases, N: e.N})
	}
	return e
}

// smallSample is the size below which only gross changes of a mean are
// detectable: with the usual standard deviation of 0.25 its interval is wider
// than ±0.09.
const smallSample = 30

// standardError returns the standard error of the mean m of the samples and its
// degrees of freedom, which are 0 if all samples are in one cluster.
func standardError(samples []Sample, m float64) (se, df float64) {
	return clusteredError(clusters(samples), float64(len(samples)), m)
}

// clusteredError is standardError of n samples in clusters.
func clusteredError(groups []cluster, n, m float64) (se, df float64) {
	var ss float64
	for _, g := range groups {
		d := g.sum - g.n*m
		ss += d * d
	}
	g := float64(len(groups))
	if g < 2 {
		return 0, 0
	}
	return math.Sqrt(ss / (n * n) * g / (g - 1)), g - 1
}

// A cluster is the sum and the number of the samples in a cluster.
type cluster struct{ sum, n float64 }

// clusters groups samples, in order of first appearance.
func clusters(samples []Sample) []cluster {
	out, _ := clustersAndSizes(samples)
	return out
}

// singly returns each sample as an item of its own.
func singly(samples []Sample) []bag {
	out := make([]bag, len(samples))
	for i, s := range samples {
		out[i] = bag{s.Value, 1, 1}
	}
	return out
}

// clustersAndSizes also returns the sum of the absolute values of each cluster.
func clustersAndSizes(samples []Sample) ([]cluster, []float64) {
	out, sizes := make([]cluster, 0, len(samples)), make([]float64, 0, len(samples))
	at := grouping{}
	for _, s := range samples {
		i := at.index(s.Cluster, len(out))
		if i == len(out) {
			out, sizes = append(out, cluster{}), append(sizes, 0)
		}
		out[i].sum += s.Value
		out[i].n++
		sizes[i] += math.Abs(s.Value)
	}
	return out, sizes
}

// grouping assigns indexes to clusters. A value without a cluster gets its own.
type grouping map[string]int

// index returns the index of a cluster; a new cluster gets the next one.
func (g grouping) index(name string, next int) int {
	if name == "" {
		return next
	}
	i, seen := g[name]
	if !seen {
		i = next
		g[name] = i
	}
	return i
}

// studentInterval is m ± t·se, or nil if that overflows.
func studentInterval(m, se, df, level float64) *Interval {
	h := 0.0
	if se > 0 {
		h = se * TQuantile((1+level)/2, df)
	}
	ci := Interval{m - h, m + h}
	if !isFinite(ci.Lo) || !isFinite(ci.Hi) {
		return nil
	}
	return &ci
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// isLevel reports whether p is between 0 and 1, and far enough from both for the
// quantile of half of the remainder to be finite.
func isLevel(p float64) bool { return p > 1e-12 && p < 1-1e-12 }

// isShare reports whether x is between 0 and 1, or one of them.
func isShare(x float64) bool { return x >= 0 && x <= 1 }

// Quantile returns the p-quantile, 0 ≤ p ≤ 1, of sorted values by linear
// interpolation (Hyndman and Fan's type 7); ok is false without values, or for
// another p.
func Quantile(sorted []float64, p float64) (q float64, ok bool) {
	if len(sorted) == 0 || !(p >= 0 && p <= 1) {
		return 0, false
	}
	h := p * float64(len(sorted)-1)
	i := int(h)
	if i >= len(sorted)-1 {
		return sorted[len(sorted)-1], true
	}
	part := h - float64(i)
	if part == 0 {
		return sorted[i], true
	}
	step := sorted[i+1] - sorted[i]
	// The distance of two huge numbers may overflow.
	if math.IsInf(step, 0) {
		return (1-part)*sorted[i] + part*sorted[i+1], true
	}
	return sorted[i] + part*step, true
}
