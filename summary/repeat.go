package summary

import (
	"cmp"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/stats"
)

// Repeats describes how the draws of cases that were asked several times differ.
type Repeats struct {
	// Draws is the largest number of draws of a case, Cases the number of cases with
	// at least two.
	Draws int `json:"draws"`
	// Least is the smallest number of draws of a case if it is less than Draws, as in a run that
	// was interrupted; else 0.
	Least int `json:"least,omitempty"`
	Cases int `json:"cases"`
	// Pass has an entry for each number of draws from 1. A draw passes if the target
	// answered and no threshold was missed. It is nil if no metric has a threshold and
	// the target never failed, because then nothing could fail.
	Pass []PassRate `json:"pass,omitempty"`
	// Flaky lists the cases whose draws differ in a status or a score: those that
	// passed in some draws only, then the others, the largest spread first.
	Flaky []Flaky `json:"flaky,omitempty"`
	// Metrics are in the order of the run.
	Metrics []RepeatedMetric `json:"metrics"`
}

// A PassRate is how often draws of a case pass, averaged over the N cases that have at
// least K draws.
type PassRate struct {
	K int `json:"k"`
	N int `json:"n"`
	// Any is pass@k, the probability that at least one of K draws passes; All is
	// pass^k, the probability that all do. Both are unbiased estimates from all draws
	// of a case; see [stats.PassAtK] and [stats.PassHatK].
	Any   float64         `json:"pass_at_k"`
	AnyCI *stats.Interval `json:"pass_at_k_ci"`
	All   float64         `json:"pass_hat_k"`
	AllCI *stats.Interval `json:"pass_hat_k_ci"`
}

// A Flaky case is one whose draws differ.
type Flaky struct {
	Case string `json:"case"`
	// Status has the status of each draw, in order.
	Status []assay.Status `json:"status"`
	// Metrics are those whose scores differ. Metric is the one with the largest spread
	// as a share of its range, Spread the distance between its highest and its lowest
	// value. They are "" and 0 if no scores differ in value.
	Metrics []string `json:"metrics,omitempty"`
	Metric  string   `json:"metric,omitempty"`
	Spread  float64  `json:"spread,omitempty"`

	share float64
}

// Passes returns the number of draws that passed.
func (f Flaky) Passes() int {
	n := 0
	for _, s := range f.Status {
		if s == assay.StatusOK {
			n++
		}
	}
	return n
}

// flips reports whether the status differs between draws.
func (f Flaky) flips() bool {
	return slices.ContainsFunc(f.Status, func(s assay.Status) bool { return s != f.Status[0] })
}

// A RepeatedMetric describes how one metric differs between the draws of a case.
type RepeatedMetric struct {
	Name string `json:"name"`
	// N is the number of cases with a value in two or more draws.
	N int `json:"n"`
	// Changed is the number of cases whose draws differ by more than a rounding error,
	// or in whether the metric applies or the target failed. A draw that could not be scored differs from none.
	Changed int `json:"changed"`
	// SD is the standard deviation within a case: the square root of the mean variance
	// of a case's draws. It is nil if N is 0.
	SD *float64 `json:"sd"`
	// Worst is the case whose values are furthest apart, or "" if none differ; Spread
	// is the distance.
	Worst  string  `json:"worst,omitempty"`
	Spread float64 `json:"spread,omitempty"`
	// Pass is set for a metric whose values are all 0 or 1: a draw passes with the
	// better value.
	Pass []PassRate `json:"pass,omitempty"`
}

// Floor is the noise floor: two runs of this system that ask these cases once have means that
// lie less than this apart, with probability level. It is 0 if SD is nil.
func (m RepeatedMetric) Floor(level float64) float64 {
	if m.SD == nil {
		return 0
	}
	return stats.NoiseFloor(*m.SD, m.N, level)
}

// Same reports whether all draws of every case have the same scores, and none is missing.
func (r Repeats) Same() bool { return r.Cases > 0 && r.Least == 0 && len(r.Flaky) == 0 }

// drawsOf holds the records of one case.
type drawsOf struct {
	base string
	rows []int
}

// gather returns the draws of each case; cases are in the order of their first draw.
func gather(t *columns.Table) []drawsOf {
	var out []drawsOf
	at := make([]int32, t.Cases())
	for i := range t.Len() {
		k := &at[t.Case(i)]
		if *k == 0 {
			out = append(out, drawsOf{base: t.Base(i)})
			*k = int32(len(out))
		}
		out[*k-1].rows = append(out[*k-1].rows, i)
	}
	return out
}

// repeats compares the draws of records that are in the order of the run. It returns
// nil if no case was asked twice.
func repeats(metrics []assay.MetricInfo, t *columns.Table, level float64) *Repeats {
	if !t.Repeated() {
		return nil
	}
	cases := gather(t)
	statuses := make([]assay.Status, 0, t.Len())
	for _, r := range t.Records() {
		statuses = append(statuses, Status(metrics, *r))
	}
	out := &Repeats{Metrics: make([]RepeatedMetric, len(metrics))}
	could := slices.ContainsFunc(metrics, func(m assay.MetricInfo) bool { return m.Threshold != nil })
	var passed []passes
	flaky := make([]Flaky, len(cases))
	for i, c := range cases {
		p := passes{n: len(c.rows), cluster: t.Group(c.rows[0]), alone: c.base}
		flaky[i].Case = c.base
		for _, row := range c.rows {
			status := statuses[row]
			flaky[i].Status = append(flaky[i].Status, status)
			could = could || status == assay.StatusError
			if status == assay.StatusOK {
				p.c++
			}
		}
		passed = append(passed, p)
		out.Draws = max(out.Draws, len(c.rows))
		if len(c.rows) > 1 {
			out.Cases++
		}
	}
	for _, c := range cases {
		if n := len(c.rows); n < out.Draws && (out.Least == 0 || n < out.Least) {
			out.Least = n
		}
	}
	for i, m := range metrics {
		out.Metrics[i] = repeatedMetric(m, t, cases, flaky, out.Draws, level)
	}
	if could {
		out.Pass = passRates(passed, out.Draws, level)
	}
	for _, f := range flaky {
		if f.flips() || f.Metrics != nil {
			out.Flaky = append(out.Flaky, f)
		}
	}
	slices.SortStableFunc(out.Flaky, func(a, b Flaky) int {
		return cmp.Or(TrueFirst(a.flips(), b.flips()), cmp.Compare(b.share, a.share))
	})
	return out
}

// differ is the distance from which two values of a metric are different. It exceeds
// rounding errors.
const differ = 1e-9

// repeatedMetric compares the draws of one metric and records the spread of each case
// in flaky.
func repeatedMetric(m assay.MetricInfo, t *columns.Table, cases []drawsOf, flaky []Flaky, draws int, level float64) RepeatedMetric {
	out := RepeatedMetric{Name: m.Name}
	var within float64
	var passed []passes
	binary := m.Range == [2]float64{0, 1}
	column := t.Metric(m.Name)
	for i, c := range cases {
		values, changed := drawn(m, column, c.rows)
		p := passes{n: len(values), cluster: t.Group(c.rows[0]), alone: c.base}
		for _, v := range values {
			binary = binary && (v == 0 || v == 1)
			if (v == 1) == (m.Better != "lower") {
				p.c++
			}
		}
		passed = append(passed, p)
		spread := 0.0
		if len(values) > 1 {
			out.N++
			within += variance(values)
			spread = slices.Max(values) - slices.Min(values)
		}
		if spread <= differ {
			spread = 0
		}
		if spread == 0 && !changed {
			continue
		}
		out.Changed++
		flaky[i].Metrics = append(flaky[i].Metrics, m.Name)
		if share := spread / (m.Range[1] - m.Range[0]); spread > 0 && (flaky[i].Metric == "" || share > flaky[i].share) {
			flaky[i].Metric, flaky[i].Spread, flaky[i].share = m.Name, spread, share
		}
		if spread > out.Spread {
			out.Worst, out.Spread = c.base, spread
		}
	}
	if out.N > 0 {
		sd := math.Sqrt(within / float64(out.N))
		out.SD = &sd
		if binary {
			out.Pass = passRates(passed, draws, level)
		}
	}
	return out
}

// drawn returns the values of a metric over the draws of a case, and whether it applies to only
// some draws. A draw that could not be scored may be like the others.
func drawn(m assay.MetricInfo, c columns.Column, rows []int) (values []float64, changed bool) {
	var states []assay.State
	for _, i := range rows {
		s, _ := c.Numbers(i)
		if v, ok := paired(m, s); ok {
			values = append(values, v)
		}
		if s.State != assay.JudgeError {
			states = append(states, s.State)
		}
	}
	return values, len(slices.Compact(states)) > 1
}

// variance returns the unbiased variance of at least two values, or 0 if they differ
// only by rounding.
func variance(values []float64) float64 {
	if slices.Max(values)-slices.Min(values) <= differ {
		return 0
	}
	mean, ss := 0.0, 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		ss += (v - mean) * (v - mean)
	}
	return ss / float64(len(values)-1)
}

// passes holds the number of draws of a case and of those that passed.
type passes struct {
	n, c           int
	cluster, alone string
}

// passRates averages pass@k and pass^k over the cases that have k draws.
func passRates(cases []passes, draws int, level float64) []PassRate {
	size := map[string]int{}
	for _, c := range cases {
		size[c.cluster]++
	}
	var out []PassRate
	for k := 1; k <= draws; k++ {
		var anyOf, all []stats.Sample
		for _, c := range cases {
			if c.cluster == c.alone && size[c.cluster] == 1 {
				c.cluster = ""
			}
			one, ok := stats.PassAtK(c.n, c.c, k)
			if !ok {
				continue
			}
			each, _ := stats.PassHatK(c.n, c.c, k)
			anyOf, all = append(anyOf, stats.Sample{Value: one, Cluster: c.cluster}), append(all, stats.Sample{Value: each, Cluster: c.cluster})
		}
		if len(all) == 0 {
			break
		}
		a, h := stats.Mean(anyOf, level), stats.Mean(all, level)
		out = append(out, PassRate{K: k, N: a.N, Any: a.Mean, AnyCI: clipped(a.CI), All: h.Mean, AllCI: clipped(h.CI)})
	}
	return out
}

func clipped(ci *stats.Interval) *stats.Interval {
	if ci == nil {
		return nil
	}
	c := ci.Clip(0, 1)
	return &c
}
