package summary

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// A Run is one run as a comparison sees it.
type Run struct {
	Name    string
	Records []assay.Record
}

// A Comparison sets runs over the same cases side by side. The first run is
// the one that the others are compared with.
type Comparison struct {
	Runs []string        `json:"runs"`
	Rows []ComparisonRow `json:"rows"`
	// Level is the confidence level of all intervals.
	Level float64 `json:"level"`
	// Test is the test that was asked for, where it is not the sign-flip test.
	Test stats.Test `json:"test,omitempty"`
	// Tests is the number of tests of Rows, over which their p-values are
	// corrected: those of metrics that two runs share a case of.
	Tests int `json:"tests"`
	// Slices are the same rows over the cases with one tag, by tag; a tag that
	// all cases have makes none. Their p-values are corrected over all slices
	// together by Benjamini and Hochberg's method: slices are looked through, not
	// decided on.
	Slices []ComparisonSlice `json:"slices,omitempty"`
	// Primary is the metric by which Standings are ordered.
	Primary string `json:"primary,omitempty"`
	// Standings set quality against cost and latency, one entry a run, in the
	// order of Runs.
	Standings []Standing `json:"standings,omitempty"`
}

// A ComparisonSlice is a comparison over the cases with one tag.
type ComparisonSlice struct {
	Tag   string `json:"tag"`
	Cases int    `json:"cases"`
	// Tested is false when there are fewer than 20 cases: p-values then mean
	// nothing and are 1, as are those of a metric that applies to fewer.
	Tested bool            `json:"tested"`
	Rows   []ComparisonRow `json:"rows"`
}

// A Standing is one run's place among quality, cost and latency.
type Standing struct {
	Run string `json:"run"`
	// Quality is the mean of the primary metric.
	Quality stats.Estimate `json:"quality"`
	// Cost is what the target reports a case to cost, in micro-dollars, the mean
	// of those that it responded to; nil when it reports none. Latency is the
	// median; nil when none was told.
	Cost    *int64         `json:"cost,omitempty"`
	Latency *time.Duration `json:"latency_ns,omitempty"`
	// Dominated names a run that is no worse in anything and better in
	// something, where a difference in quality counts only when it is shown;
	// "" when there is none: the run stands on the front.
	Dominated string `json:"dominated,omitempty"`
	// Tied names the runs that cannot be told apart from this one in quality.
	Tied []string `json:"tied,omitempty"`
}

// A ComparisonRow is one metric over all runs.
type ComparisonRow struct {
	assay.MetricInfo
	// Estimates has one entry a run, Differences one for each but the first.
	Estimates   []stats.Estimate   `json:"estimates"`
	Differences []stats.Comparison `json:"differences"`
	// Clusters has, for each difference, into how many independent groups its
	// pairs fall: as many as there are pairs when no case has a group.
	Clusters []int `json:"clusters"`
}

// Compare pairs the runs by case and tests every metric of every run against
// the first run; p-values are corrected over all of these tests by Holm's
// method. What a case contributes is said by [Values]: draws are averaged. The
// runs are ranked as by [Comparison.Rank], without a metric chosen. seed fixes
// the random part of the tests; the order of the records changes nothing.
func Compare(metrics []assay.MetricInfo, runs []Run, test stats.Test, level float64, seed uint64) Comparison {
	c := Comparison{Level: level}
	if test != stats.SignFlip {
		c.Test = test
	}
	for _, r := range runs {
		c.Runs = append(c.Runs, r.Name)
	}
	all := make([]measured, len(runs))
	for i, r := range runs {
		all[i] = measure(metrics, r.Records)
	}
	c.Rows = c.compareRows(metrics, all, seed)
	family := tests(c.Rows, 1)
	c.Tests = len(family)
	correct(family, stats.Holm)
	c.slice(metrics, all, seed)
	if len(metrics) > 0 {
		c.rank(primary(c.Rows), all, seed)
	}
	return c
}

// Unpaired gives an error when a run shares no case with the first: such runs
// can be described, but not compared.
func Unpaired(runs []Run) error {
	for _, r := range runs[min(1, len(runs)):] {
		if !shareCase(runs[0].Records, r.Records) {
			return fmt.Errorf("%q and %q share no case: want runs over the same cases, which are paired by their ids", runs[0].Name, r.Name)
		}
	}
	return nil
}

func shareCase(a, b []assay.Record) bool {
	in := map[string]bool{}
	for _, r := range a {
		in[r.Case.Base()] = true
	}
	return slices.ContainsFunc(b, func(r assay.Record) bool { return in[r.Case.Base()] })
}

// measured is a run, or a part of one, with the values of every metric.
type measured struct {
	records []assay.Record
	values  [][]Value
}

func measure(metrics []assay.MetricInfo, records []assay.Record) measured {
	m := measured{records: inOrder(records)}
	for _, info := range metrics {
		m.values = append(m.values, Values(info, m.records))
	}
	return m
}

// compareRows tests every metric of every run against the first, uncorrected.
func (c *Comparison) compareRows(metrics []assay.MetricInfo, runs []measured, seed uint64) []ComparisonRow {
	var pairs [][]stats.Pair
	var dropped []int
	for m := range metrics {
		for i := 1; i < len(runs); i++ {
			p, _, d := pair(runs[0].values[m], runs[i].values[m])
			pairs, dropped = append(pairs, p), append(dropped, d)
		}
	}
	// All at once: what has the same clusters shares its sign patterns.
	tested := stats.CompareBy(c.Test, pairs, c.Level, seed)
	rows := make([]ComparisonRow, len(metrics))
	for m, info := range metrics {
		row := ComparisonRow{MetricInfo: info}
		for i, r := range runs {
			row.Estimates = append(row.Estimates, estimate(info, r.records, c.Level).Estimate)
			if i == 0 {
				continue
			}
			d := tested[0]
			d.Dropped = dropped[0]
			d.Warnings = append(slices.Clone(d.Warnings), cautions(info, d)...)
			row.Differences = append(row.Differences, d)
			row.Clusters = append(row.Clusters, clusters(pairs[0]))
			tested, pairs, dropped = tested[1:], pairs[1:], dropped[1:]
		}
		rows[m] = row
	}
	return rows
}

// cautions says what the numbers of a difference do not.
func cautions(m assay.MetricInfo, d stats.Comparison) []string {
	var out []string
	if m.Pooled && d.N > 0 {
		out = append(out, "compared by the mean over cases, not pooled")
	}
	if Disagrees(d) {
		better, worse := Sides(m, d)
		out = append(out, fmt.Sprintf("mean and most cases disagree (mean_and_sign_disagree): %d better, %d worse", better, worse))
	}
	return out
}

// Disagrees reports whether most cases move against the mean and one of the two,
// the mean or the count of cases, is more than noise: of two systems that do not
// differ, every other one or so has such a pair.
func Disagrees(d stats.Comparison) bool {
	return d.Disagree && (d.P < 1-d.Level || d.SignP < 1-d.Level)
}

// Sides counts the cases that the new run does better, and worse.
func Sides(m assay.MetricInfo, d stats.Comparison) (better, worse int) {
	if m.Better == "lower" {
		return d.Losses, d.Wins
	}
	return d.Wins, d.Losses
}

func clusters(pairs []stats.Pair) int {
	groups, alone := map[string]bool{}, 0
	for _, p := range pairs {
		if p.Cluster == "" {
			alone++
		} else {
			groups[p.Cluster] = true
		}
	}
	return alone + len(groups)
}

// Groups gives the number of independent groups that the pairs of difference i,
// from 1, form: the number of pairs where it was not counted.
func (row ComparisonRow) Groups(i int) int {
	if i > len(row.Clusters) {
		return row.Differences[i-1].N
	}
	return row.Clusters[i-1]
}

// Improves reports whether the mean of the new run is the better one.
func Improves(m assay.MetricInfo, d stats.Comparison) bool {
	return (d.Diff < 0) == (m.Better == "lower")
}

// RelativeChange gives the absolute difference as a share of the old mean. ok is
// false where such a share would mislead: the old mean is close to 0, or the
// scale has no natural 0.
func RelativeChange(m assay.MetricInfo, d stats.Comparison) (share float64, ok bool) {
	if m.Range[0] < 0 || d.Old < 0.05*width(m) {
		return 0, false
	}
	return math.Abs(d.Diff) / d.Old, true
}

// tests gives the differences over at least so many pairs.
func tests(rows []ComparisonRow, least int) []*stats.Comparison {
	var out []*stats.Comparison
	for i := range rows {
		for j := range rows[i].Differences {
			if d := &rows[i].Differences[j]; d.N >= least {
				out = append(out, d)
			}
		}
	}
	return out
}

// correct replaces the p-values of a family of tests by corrected ones.
func correct(family []*stats.Comparison, method func([]float64) []float64) {
	p := make([]float64, len(family))
	for i, d := range family {
		p[i] = d.P
	}
	for i, adjusted := range method(p) {
		family[i].PAdjusted = adjusted
	}
}

// Shown reports whether the test shows a difference at the comparison's level.
func Shown(d stats.Comparison) bool { return d.N > 0 && d.PAdjusted < 1-d.Level }

// Detects gives the smallest true difference that so many cases with such
// differences show with a probability of 80 %. ok is false when nothing tells,
// and when the cases are so few that the test can show none, whatever they say:
// that is when a difference has no interval.
func Detects(d stats.Comparison) (mde float64, ok bool) {
	if d.CI == nil || d.MDE == nil || math.IsNaN(*d.MDE) || math.IsInf(*d.MDE, 0) {
		return 0, false
	}
	return *d.MDE, true
}
