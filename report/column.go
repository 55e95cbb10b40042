package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// leading puts metrics in the order of a page's columns: the composite, then those that a
// judge ruled on, then the others.
func leading(metrics []assay.MetricInfo) []assay.MetricInfo {
	byRank := func(a, b assay.MetricInfo) int { return cmp.Compare(columnRank(a), columnRank(b)) }
	return slices.SortedStableFunc(slices.Values(metrics), byRank)
}

// columnRank returns the group of a metric's column, counted from the left.
func columnRank(m assay.MetricInfo) int {
	switch {
	case m.Name == assay.CompositeName:
		return 0
	case m.Judged:
		return 1
	}
	return 2
}

// A scoreColumn is the column of a metric in the table of cases.
type scoreColumn struct {
	assay.MetricInfo
	document.Column
	// agreed is the score of every case, nil if the cases differ.
	agreed *assay.Score
}

// scoreColumns returns the columns of the metrics in their order on the page. A column on
// which all records agree is folded. The choices and the rows follow this list.
func (c *content) scoreColumns() []scoreColumn {
	var out []scoreColumn
	for i, m := range leading(c.r.Header.Metrics) {
		x := scoreColumn{MetricInfo: m, Column: document.Column{ID: metricID(i), Head: approximate(m), Role: "m"}}
		if x.agreed = agreed(m.Name, c.r.Cases); x.agreed != nil {
			x.Folded = true
		}
		out = append(out, x)
	}
	return out
}

// agreed returns the score that all records have, or nil if they differ, if a score is
// missing because something failed, or if there is only one record.
func agreed(metric string, t *columns.Table) *assay.Score {
	if t.Len() < 2 {
		return nil
	}
	column := t.Metric(metric)
	first, ok := column.Score(0)
	for i := range t.Len() {
		s, has := column.Score(i)
		if !ok || !has || s.State == assay.TargetError || s.State == assay.JudgeError || !alike(first, s) {
			return nil
		}
	}
	return &first
}

// alike reports whether two scores have the same state and value.
func alike(a, b assay.Score) bool {
	return a.State == b.State && (a.State != assay.Scored || math.Abs(a.Value-b.Value) <= equal)
}

// agreement is the line in place of the folded columns.
func (c *content) agreement(columns []scoreColumn) string {
	var said []string
	for _, x := range columns {
		if x.agreed != nil {
			said = append(said, valued(c.w, x.MetricInfo, *x.agreed))
		}
	}
	if said == nil {
		return ""
	}
	return c.w.Say("Agree", words.V{"cases": c.r.Cases.Distinct(), "runs": 1, "scores": said})
}

// valued returns a metric with its score: "recall@10 1.000".
func valued(w words.Words, m assay.MetricInfo, s assay.Score) string {
	return approximate(m) + " " + scoreCell(w, m, s).Text[0].Text
}

// failing returns why a case failed, and what a judge observed that speaks against it. Both
// are empty if nothing failed.
func (c *content) failing(r assay.Record) (reason, observed string) {
	var said []string
	if why := c.why(r); why != "" {
		said = append(said, why)
	}
	if stage, ok := lostAt(r); ok {
		said = append(said, c.w.LostAt(stage))
	}
	if said != nil {
		observed = c.observation(r)
	}
	for _, m := range leading(c.r.Header.Metrics) {
		if s := r.Scores[m.Name]; s.State == assay.JudgeError {
			said = append(said, line(m.Name)+": "+c.w.State(s.State))
			observed = cmp.Or(observed, s.Reason)
		}
	}
	return strings.Join(said, " · "), clip(line(observed), longestReason)
}

// observation returns the first observation of the judged metric that a failed case is
// furthest to the left in: of those that missed their threshold, else of those with less
// than full marks.
func (c *content) observation(r assay.Record) string {
	found := ""
	for _, m := range leading(c.r.Header.Metrics) {
		s := r.Scores[m.Name]
		remarks := remarked(s)
		if !ruled(m) || s.State != assay.Scored || len(remarks) == 0 || way(m, s.Value) == 1 {
			continue
		}
		text := remarks[0].Kind + ": " + remarks[0].Text
		if summary.Misses(m, s) {
			return text
		}
		found = cmp.Or(found, text)
	}
	return found
}

// longestReason is the longest observation in the table.
const longestReason = 160
