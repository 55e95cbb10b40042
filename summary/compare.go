package summary

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/stats"
)

// A Run is one run of a comparison.
type Run struct {
	Name  string
	Cases *columns.Table
}

// A Comparison compares runs over the same cases. The first run is the baseline.
type Comparison struct {
	Runs []string        `json:"runs"`
	Rows []ComparisonRow `json:"rows"`
	// Level is the confidence level of all intervals.
	Level float64 `json:"level"`
	// Test is the requested test if it is not the sign-flip test.
	Test stats.Test `json:"test,omitempty"`
	// Tests is the number of tests of Rows that are tested together, so that their
	// p-values and intervals are corrected: one for each metric and run that shares a
	// case of the metric with the first run. Estimates are not tested. If Declared is
	// set, the tests of the primary metric are not counted: they are PrimaryTests,
	// which are a family of their own.
	Tests        int `json:"tests"`
	PrimaryTests int `json:"primary_tests,omitempty"`
	// Slices are the same rows over the cases with one tag, by tag. A tag that all
	// cases have is left out. Their p-values and intervals are corrected over all
	// slices together by [stats.Explore], because slices are for exploration and not
	// for decisions.
	Slices []ComparisonSlice `json:"slices,omitempty"`
	// Primary is the metric by which Standings are ordered. Declared is set if it was
	// chosen, and not taken because none was.
	Primary  string `json:"primary,omitempty"`
	Declared bool   `json:"declared,omitempty"`
	// Standings compare quality with cost and latency. They have one entry per run, in
	// the order of Runs.
	Standings []Standing `json:"standings,omitempty"`
}

// Metrics returns the metrics that all runs have.
func (c Comparison) Metrics() (out []assay.MetricInfo) {
	for _, row := range c.Rows {
		out = append(out, row.MetricInfo)
	}
	return out
}

// A ComparisonSlice is a comparison over the cases with one tag.
type ComparisonSlice struct {
	Tag   string `json:"tag"`
	Cases int    `json:"cases"`
	// Tested is false if there are fewer than 20 cases: there are then no intervals, and
	// p-values are 1. So it is with a metric that applies to fewer cases.
	Tested bool            `json:"tested"`
	Rows   []ComparisonRow `json:"rows"`
}

// A Standing compares one run's quality, cost and latency with those of the others.
type Standing struct {
	Run string `json:"run"`
	// Quality is the mean of the primary metric.
	Quality stats.Estimate `json:"quality"`
	// Cost is the target's reported cost of a case in micro-dollars, the mean over the
	// cases it responded to; nil if it reports none. Latency is the median; nil if
	// none is known.
	Cost    *int64         `json:"cost,omitempty"`
	Latency *time.Duration `json:"latency_ns,omitempty"`
	// Dominated names a run that is no worse in anything, its mean among it, and better in
	// something: in quality only if that is significant. It is "" if there is
	// none: the run is on the Pareto front.
	Dominated string `json:"dominated,omitempty"`
	// Tied names the runs whose quality does not differ significantly from this one's.
	Tied []string `json:"tied,omitempty"`
}

// A ComparisonRow is one metric over all runs.
type ComparisonRow struct {
	assay.MetricInfo
	// Estimates has one entry per run, Differences one for each run but the first. If
	// the metric is an estimate, its differences have an interval and no verdict.
	Estimates   []stats.Estimate   `json:"estimates"`
	Differences []stats.Comparison `json:"differences"`
	// Tolerances has, for each difference, how much worse the run may be; 0 if nobody said so.
	Tolerances []float64 `json:"-"`
	// NotWorse says of which differences it is shown that they are no worse than that.
	NotWorse []bool `json:"-"`
	// Clusters has, for each difference, the number of independent groups among its
	// pairs: the number of pairs if no case has a group.
	Clusters []int `json:"clusters"`
	// Corrected has, for each difference, what people would say of it; nil if the metric has no labels.
	Corrected []Correction `json:"corrected,omitempty"`
}

// A Plan says how runs are compared.
type Plan struct {
	// Test is the test of the differences; "" is the sign-flip test.
	Test stats.Test
	// Level is the confidence level, between 0 and 1.
	Level float64
	// Seed seeds the random part of the tests.
	Seed uint64
	// Primary is the metric that the comparison is about. Its tests are not corrected
	// for those of the other metrics, and the standings are by its mean. If it is "",
	// or cannot lead, all metrics are tested together, and the standings are by the
	// composite if it is compared, else by the first metric that is no estimate.
	Primary string
	// Labels are those of people, by which differences are corrected; see [Correction].
	Labels []Labels
}

// CanLead returns an error if the metric cannot be the primary one of a comparison of
// the metrics.
func CanLead(metrics []assay.MetricInfo, name string) error {
	var names []string
	for _, m := range metrics {
		switch {
		case m.Name != name:
			names = append(names, m.Name)
		case m.Estimate:
			return fmt.Errorf("metric %q is an estimate, which ranks nothing: expected a metric that was judged or needs no judge", name)
		default:
			return nil
		}
	}
	return fmt.Errorf("metric %q is not compared: expected one of %q", name, names)
}

// Compare pairs the runs by case and tests every metric of every run against the first
// run, all of them together ([stats.CompareTogether]). The value of a case is the one
// that [Values] returns: the mean of its draws. Every two runs are ranked in the same
// way, by the primary metric alone.
func Compare(metrics []assay.MetricInfo, runs []Run, p Plan) Comparison {
	c := Comparison{Level: p.Level}
	if p.Test != stats.SignFlip {
		c.Test = p.Test
	}
	for _, r := range runs {
		c.Runs = append(c.Runs, r.Name)
	}
	all := make([]*columns.Table, len(runs))
	for i, r := range runs {
		all[i] = r.Cases
	}
	c.Declared = p.Primary != "" && CanLead(metrics, p.Primary) == nil
	lead := p.Primary
	if !c.Declared {
		lead = ""
	}
	together := func(rows []rowPairs) [][]stats.Comparison { return c.together(rows, lead, p.Seed) }
	pairs := pairRows(metrics, all, nil)
	c.Rows = c.rows(pairs, all, together)
	if slices.ContainsFunc(metrics, func(m assay.MetricInfo) bool { return m.OpenThreshold }) {
		for _, end := range bothEnds {
			c.hold(together(pairRows(metrics, all, end)))
		}
	}
	for _, r := range c.Rows {
		for _, d := range r.Differences {
			switch {
			case r.Estimate || d.N == 0:
			case c.Declared && r.Name == lead:
				c.PrimaryTests++
			default:
				c.Tests++
			}
		}
	}
	c.correctAll(p.Labels, pairs, all)
	c.slice(pairs, all, p.Seed)
	if at := primary(c.Rows, lead); at >= 0 {
		c.rank(at, all, p.Seed)
	}
	return c
}

// Unpaired returns an error if a run shares no case with the first. Such runs can be
// described, but not compared.
func Unpaired(runs []Run) error {
	for _, r := range runs[min(1, len(runs)):] {
		for _, r := range []Run{runs[0], r} {
			if r.Cases.Len() == 0 {
				return fmt.Errorf("%q has no finished case to compare", r.Name)
			}
		}
		if !shareCase(runs[0].Cases, r.Cases) {
			return fmt.Errorf("%q and %q share no case: expected runs over the same cases, which are paired by their ids", runs[0].Name, r.Name)
		}
	}
	return nil
}

func shareCase(a, b *columns.Table) bool {
	in := map[string]bool{}
	for i := range a.Len() {
		in[a.Base(i)] = true
	}
	for i := range b.Len() {
		if in[b.Base(i)] {
			return true
		}
	}
	return false
}

// rowPairs are the pairs of one metric, for each run but the first, and the cases that
// have a value in one of the two runs alone.
type rowPairs struct {
	metric  assay.MetricInfo
	pairs   [][]stats.Pair
	dropped [][]string
	// ends has the smallest and the largest value that the labels of each case allow, if they can
	// narrow the range of the metric.
	ends map[string][2]float64
}

// pairRows pairs the values of cases or, if end is not nil, an end of their bounds.
func pairRows(metrics []assay.MetricInfo, runs []*columns.Table, end func(Value) float64) []rowPairs {
	out := make([]rowPairs, len(metrics))
	for m, info := range metrics {
		out[m].metric = info
		first := valuesAt(end, Values(info, runs[0]))
		if _, bounded := endsOf(info, runs[0]); bounded {
			out[m].ends = make(map[string][2]float64, len(first))
			for _, v := range first {
				out[m].ends[v.Case] = v.Ends
			}
		}
		for _, r := range runs[1:] {
			pairs, dropped := pair(info, first, valuesAt(end, Values(info, r)))
			out[m].pairs, out[m].dropped = append(out[m].pairs, pairs), append(out[m].dropped, dropped)
		}
	}
	return out
}

// hold widens the differences of metrics that rest on a threshold with an interval, to hold those
// at an end of it. What is not shown there is not shown.
func (c *Comparison) hold(there [][]stats.Comparison) {
	for m, row := range c.Rows {
		for i := range row.Differences {
			d, at := &row.Differences[i], Within(row.MetricInfo, there[m][i])
			if !row.OpenThreshold || at.N == 0 {
				continue
			}
			d.CI = widened(d.CI, at.Diff, at.CI)
			d.P, d.PAdjusted, d.SignP = max(d.P, at.P), max(d.PAdjusted, at.PAdjusted), max(d.SignP, at.SignP)
			if d.Diff*at.Diff < 0 {
				d.P, d.PAdjusted, d.SignP = 1, 1, 1
			}
		}
	}
}

// together tests the metrics in families: the primary one, the others, and each
// estimate by itself.
func (c *Comparison) together(rows []rowPairs, primary string, seed uint64) [][]stats.Comparison {
	var first, others, apart [][]stats.Pair
	family := func(r rowPairs) *[][]stats.Pair {
		switch {
		case r.metric.Estimate:
			return &apart
		case primary != "" && r.metric.Name == primary:
			return &first
		}
		return &others
	}
	for _, r := range rows {
		f := family(r)
		*f = append(*f, r.pairs...)
	}
	tested := map[*[][]stats.Pair][]stats.Comparison{
		&first:  stats.CompareTogether(c.Test, first, c.Level, seed),
		&others: stats.CompareTogether(c.Test, others, c.Level, seed),
		&apart:  stats.CompareBy(c.Test, apart, c.Level, seed),
	}
	out := make([][]stats.Comparison, len(rows))
	for i, r := range rows {
		f, n := family(r), len(r.pairs)
		out[i], tested[f] = tested[f][:n], tested[f][n:]
	}
	return out
}

// rows returns the rows of a table. test has the differences of each metric.
func (c *Comparison) rows(all []rowPairs, runs []*columns.Table, test func([]rowPairs) [][]stats.Comparison) []ComparisonRow {
	tested := test(all)
	rows := make([]ComparisonRow, len(all))
	for m, r := range all {
		row := ComparisonRow{MetricInfo: r.metric}
		for i, run := range runs {
			row.Estimates = append(row.Estimates, estimate(r.metric, run, c.Level).Estimate)
			if i == 0 {
				continue
			}
			d := Within(r.within(i-1), tested[m][i-1])
			d.Dropped = len(r.dropped[i-1])
			if r.metric.NearChance != "" {
				d.CI, d.TCI = nil, nil
			}
			if r.metric.Estimate {
				d = untested(d)
			}
			groups := clusters(r.pairs[i-1])
			few := func(w stats.Warning) bool { return w.Kind == stats.FewDiffer && (Shown(d) || 3*w.N >= groups) } // not few
			d.Warnings = slices.Concat(slices.DeleteFunc(slices.Clone(d.Warnings), few), cautions(r.metric, d))
			row.Differences = append(row.Differences, d)
			row.Clusters = append(row.Clusters, groups)
		}
		rows[m] = row
	}
	return rows
}

// within returns the metric with the ends of the means that the labels of the pairs of difference
// i allow.
func (r rowPairs) within(i int) assay.MetricInfo {
	m := r.metric
	if r.ends != nil {
		var ends [][2]float64
		mean := 0.0
		for _, p := range r.pairs[i] {
			ends = append(ends, r.ends[p.Case])
			mean += p.Old / float64(len(r.pairs[i]))
		}
		m.Allowed = allowed(m, ends, mean)
	}
	return m
}

// Family returns the number of differences that are tested together with those of the
// metric, these among them.
func (c Comparison) Family(metric string) int {
	if c.Declared && metric == c.Primary {
		return c.PrimaryTests
	}
	return c.Tests
}

// cautions returns what the numbers of a difference do not show.
func cautions(m assay.MetricInfo, d stats.Comparison) []stats.Warning {
	var out []stats.Warning
	if m.Pooled && d.N > 0 {
		out = append(out, stats.Warning{Kind: stats.MeansOfCases})
	}
	if Disagrees(d) {
		better, worse := Sides(m, d)
		out = append(out, stats.Warning{Kind: stats.MeanAgainstCases, N: better, M: worse})
	}
	return out
}

// Disagrees reports whether most cases change in the other direction than the mean,
// and the mean or the count of cases is more than noise. Without the second condition,
// about every other pair of equal systems would qualify.
func Disagrees(d stats.Comparison) bool {
	return d.Disagree && (d.P < 1-d.Level || d.SignP < 1-d.Level)
}

// Sides returns the numbers of cases in which the new run does better and worse.
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

// Groups returns the number of independent groups among the pairs of difference i,
// which counts from 1. If they were not counted, it is the number of pairs.
func (row ComparisonRow) Groups(i int) int {
	if i > len(row.Clusters) {
		return row.Differences[i-1].N
	}
	return row.Clusters[i-1]
}

// Improves reports whether the new run's mean is better.
func Improves(m assay.MetricInfo, d stats.Comparison) bool {
	return (d.Diff < 0) == (m.Better == "lower")
}

// RelativeChange returns the absolute difference as a share of the old mean. ok is
// false if that share would be misleading: the old mean is close to 0, or the scale
// has no natural 0.
func RelativeChange(m assay.MetricInfo, d stats.Comparison) (share float64, ok bool) {
	if m.Range[0] < 0 || d.Old < 0.05*width(m) {
		return 0, false
	}
	return math.Abs(d.Diff) / d.Old, true
}

// untested returns a difference of estimates: it has an interval and no verdict, because
// a formula can rank two systems otherwise than a judge would. Its p-values are 1, and
// nothing is said about what could be detected.
func untested(d stats.Comparison) stats.Comparison {
	d.P, d.PAdjusted, d.SignP, d.Disagree, d.MDE, d.Warnings = 1, 1, 1, false, nil, nil
	return d
}

// Shown reports whether a difference is significant at the comparison's level.
func Shown(d stats.Comparison) bool { return d.N > 0 && d.PAdjusted < 1-d.Level }

// Tolerate sets how much worse than the baseline run i, counted from 1, may be.
func (row *ComparisonRow) Tolerate(i int, tolerance float64, old, new *columns.Table, level float64, seed uint64) {
	if row.Tolerances == nil {
		row.Tolerances, row.NotWorse = make([]float64, len(row.Differences)), make([]bool, len(row.Differences))
	}
	row.Tolerances[i-1] = tolerance
	d := row.Differences[i-1]
	if tolerance <= 0 || row.Estimate || d.N < stats.Readable || d.CI == nil || Shown(d) {
		return
	}
	sign, end := 1.0, d.CI.Lo
	if row.Better == "lower" {
		sign, end = -1, -d.CI.Hi
	}
	if end > -tolerance {
		pairs, _ := PairsOf(row.MetricInfo, old, new)
		t, ok := NonInferior(pairs, sign, 1, tolerance, level, seed)
		row.NotWorse[i-1] = ok && t.Shown
	}
}

// NoWorse reports whether run i, counted from 1, is shown to be no worse than its tolerance,
// though no difference is shown: by the test of a gate, and by the interval, which holds for all tests together.
func (row ComparisonRow) NoWorse(i int) bool { return row.NotWorse != nil && row.NotWorse[i-1] }

// Detects returns the smallest true difference that the cases of a metric's difference
// detect with a power of 80 %; an infinity if no value in the metric's range is as far from
// the old mean. ok is false if it is not known, if none is and yet the observed one is
// shown, and if there are too few cases for any significant result; in that case a difference has
// no interval.
func Detects(m assay.MetricInfo, d stats.Comparison) (mde float64, ok bool) {
	if d.CI == nil || d.MDE == nil {
		return 0, false
	}
	if *d.MDE > max(d.Old-m.Range[0], m.Range[1]-d.Old) {
		return math.Inf(1), !Shown(d)
	}
	return *d.MDE, true
}

// Tested returns the metrics that are no estimates: those of which differences are tested.
func Tested(metrics []assay.MetricInfo) []assay.MetricInfo {
	return slices.DeleteFunc(slices.Clone(metrics), func(m assay.MetricInfo) bool { return m.Estimate })
}

// settleMost is how many times the cases of a comparison [Settles] asks for at most.
const settleMost = 100

// Settles returns about how many cases would show a difference as large as the observed one
// with a power of 80 %, if the true one is as large and the cases are like those that there
// are, also in their clusters; two significant digits, rounded up. ok is false if the
// difference is shown or 0, if it has no interval, and if it needs no more cases, as where an
// interval is not corrected as its p-value is, or more than a hundred times as many.
func Settles(d stats.Comparison) (cases int, ok bool) {
	n := d.Settle
	if d.CI == nil || Shown(d) || n <= float64(d.N) || !(n <= settleMost*float64(d.N)) {
		return 0, false
	}
	digit := math.Pow(10, max(0, math.Floor(math.Log10(n))-1))
	return int(math.Ceil(n/digit) * digit), true
}
