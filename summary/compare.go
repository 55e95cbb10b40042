package summary

import (
	"fmt"
	"math"
	"slices"
	"strings"
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
	// Slices are the same rows over the cases with one tag, by tag. Their
	// p-values are corrected over all slices together by Benjamini and
	// Hochberg's method: slices are looked through, not decided on.
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
	// nothing and are 1.
	Tested bool            `json:"tested"`
	Rows   []ComparisonRow `json:"rows"`
}

// A Standing is one run's place among quality, cost and latency.
type Standing struct {
	Run string `json:"run"`
	// Quality is the mean of the primary metric.
	Quality stats.Estimate `json:"quality"`
	// Cost is what the target reports a case to cost, in micro-dollars; nil
	// when it reports none. Latency is the median; nil when none was told.
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
}

// Compare pairs the runs by case id and tests every metric of every run
// against the first run; p-values are corrected over all of these tests by
// Holm's method. seed fixes the random part of the tests.
func Compare(metrics []assay.MetricInfo, runs []Run, level float64, seed uint64) Comparison {
	c := Comparison{Level: level}
	for _, r := range runs {
		c.Runs = append(c.Runs, r.Name)
	}
	var p []float64
	for _, m := range metrics {
		row := ComparisonRow{MetricInfo: m}
		for i, r := range runs {
			row.Estimates = append(row.Estimates, estimate(m, r.Records, level).Estimate)
			if i > 0 {
				d := difference(m, runs[0].Records, r.Records, level, seed)
				row.Differences = append(row.Differences, d)
				p = append(p, d.P)
			}
		}
		c.Rows = append(c.Rows, row)
	}
	adjusted := stats.Holm(p)
	for i := range c.Rows {
		for j := range c.Rows[i].Differences {
			c.Rows[i].Differences[j].PAdjusted = adjusted[0]
			adjusted = adjusted[1:]
		}
	}
	return c
}

func difference(m assay.MetricInfo, old, new []assay.Record, level float64, seed uint64) stats.Comparison {
	values := map[string]float64{}
	for _, r := range old {
		if v, ok := paired(m, r); ok {
			values[r.Case.ID] = v
		}
	}
	var pairs []stats.Pair
	dropped := 0
	new = slices.Clone(new)
	slices.SortFunc(new, func(a, b assay.Record) int { return a.Seq - b.Seq })
	for _, r := range new {
		before, had := values[r.Case.ID]
		after, has := paired(m, r)
		switch {
		case had && has:
			pairs = append(pairs, stats.Pair{Old: before, New: after, Cluster: r.Case.Group})
		case had != has:
			dropped++
		}
	}
	c := stats.Compare(pairs, level, seed)
	c.Dropped = dropped
	return c
}

// paired gives the value with which a case enters a comparison.
func paired(m assay.MetricInfo, r assay.Record) (float64, bool) {
	switch s := r.Scores[m.Name]; {
	case s.State == assay.Scored:
		return s.Value, true
	case s.State == assay.TargetError && m.Better == "higher":
		return m.Range[0], true
	}
	return 0, false
}

// Shown reports whether the test shows a difference at the comparison's level.
func Shown(d stats.Comparison) bool { return d.N > 0 && d.PAdjusted < 1-d.Level }

// Sentence says in words that can be quoted what the comparison of run i, from
// 1, with the first shows for the metric of the row.
func (c Comparison) Sentence(row ComparisonRow, i int) string {
	d := row.Differences[i-1]
	old, new := c.Runs[0], c.Runs[i]
	if d.N == 0 {
		return fmt.Sprintf("%s and %s share no case that %s applies to.", new, old, row.Title)
	}
	if !Shown(d) {
		return fmt.Sprintf("No difference in %s can be shown between %s and %s (%.3f → %.3f, p %s, n = %d).",
			row.Title, old, new, d.Old, d.New, relation(d.PAdjusted), d.N)
	}
	verb := "improves"
	if (d.Diff < 0) == (row.Better == "higher") {
		verb = "worsens"
	}
	return fmt.Sprintf("%s %s %s%s over %s (%.3f → %.3f, %.0f %% CI %s…%s, p %s, n = %d).",
		new, verb, row.Title, relative(d), old, d.Old, d.New, 100*d.Level, signed(d.CI.Lo), signed(d.CI.Hi), relation(d.PAdjusted), d.N)
}

// relative gives " by 15 %", or nothing where the old mean is so near to 0
// that a percentage of it would mislead.
func relative(d stats.Comparison) string {
	if math.Abs(d.Old) < 0.05 {
		return ""
	}
	return fmt.Sprintf(" by %.1f %%", 100*math.Abs(d.Diff)/math.Abs(d.Old))
}

// P formats a p-value: three decimals, "<0.001" below.
func P(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

// relation gives "= 0.012" or "< 0.001".
func relation(p float64) string {
	if s, below := strings.CutPrefix(P(p), "<"); below {
		return "< " + s
	}
	return "= " + P(p)
}

// signed writes a difference with a true minus sign.
func signed(v float64) string { return strings.Replace(fmt.Sprintf("%+.3f", v), "-", "−", 1) }
