package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
)

// A caseColumn is a column of the table of cases and what its cells show.
type caseColumn struct {
	document.Column
	// row is the metric in the comparison.
	row  int
	cell func(y *caseOfRuns) document.Cell
}

// lookupColumns returns the columns: the reason of failure for every run, then those of
// every metric and run. The page shows one metric and one run with the baseline at a time.
// A metric on which the runs agree in every case has a folded column with the common value.
func (x *compared) lookupColumns(cases []caseOfRuns) []caseColumn {
	n := x.w.Names().PageNames
	out := []caseColumn{{Column: document.Column{ID: "case", Head: n.Case, Words: true, Role: "id"},
		cell: func(*caseOfRuns) document.Cell { return document.Cell{} }}}
	for i := range x.c.Runs {
		failures := func(y *caseOfRuns) document.Cell { return x.failures(y, i) }
		if i > 0 && slices.ContainsFunc(cases, func(y caseOfRuns) bool { c := failures(&y); return c.Text != nil || c.Below != "" }) {
			out = append(out, caseColumn{document.Column{ID: fmt.Sprintf("why-%d", i), Head: n.WhyFailed, Words: true, Role: "why",
				Group: itoa(i)}, 0, failures})
		}
	}
	out = append(out, caseColumn{Column: document.Column{ID: "question", Head: n.Question, Words: true, Role: "q"},
		cell: func(y *caseOfRuns) document.Cell { return questionCell(x.w, y.shown.Question, y.shown.Tags) }})
	var same []caseColumn
	for _, k := range x.columnOrder(cases) {
		metric := itoa(k)
		if x.unanimous(cases, k) {
			same = append(same, caseColumn{document.Column{ID: "same-" + metric, Head: approximate(x.c.Rows[k].MetricInfo), Role: "m", Folded: true},
				k, func(y *caseOfRuns) document.Cell { return x.valueCell(y, 0, k) }})
		}
		for i, name := range x.c.Runs {
			out = append(out, caseColumn{document.Column{ID: fmt.Sprintf("value-%d-%d", i, k), Head: name, Role: "late", Metric: metric,
				Group: itoa(i)}, k, func(y *caseOfRuns) document.Cell { return x.valueCell(y, i, k) }})
			if i > 0 {
				out = append(out, caseColumn{document.Column{ID: fmt.Sprintf("gain-%d-%d", i, k), Head: "Δ", Role: "m", Metric: metric,
					Group: itoa(i)}, k, func(y *caseOfRuns) document.Cell { return x.gainCell(y, i, k) }})
			}
		}
	}
	return append(out, same...)
}

// columnOrder returns the indexes of the metrics in the order of the page: the primary
// metric, then as [leading], and last those on which the runs agree.
func (x *compared) columnOrder(cases []caseOfRuns) []int {
	order, rank := make([]int, len(x.c.Rows)), make([]int, len(x.c.Rows))
	for k, m := range x.c.Rows {
		order[k], rank[k] = k, columnRank(m.MetricInfo)
		switch {
		case x.unanimous(cases, k):
			rank[k] = math.MaxInt
		case m.Name == x.c.Primary:
			rank[k] = -1
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank[a], rank[b]) })
	return order
}

// unanimous reports whether all runs have the same score of metric k in every case. A
// score that is missing because something failed agrees with none, and one case is too few.
func (x *compared) unanimous(cases []caseOfRuns, k int) bool {
	if len(cases) < 2 {
		return false
	}
	for n := range cases {
		y := &cases[n]
		first := x.scoreOf(y, 0, k)
		for i := range x.c.Runs {
			s := x.scoreOf(y, i, k)
			if s.State == assay.TargetError || s.State == assay.JudgeError || !alike(first, s) {
				return false
			}
		}
	}
	return true
}

// scoreOf returns the score of metric k in run i, the mean over its draws. A run without
// the case counts as failed.
func (x *compared) scoreOf(y *caseOfRuns, i, k int) assay.Score {
	if v, ok := x.value(y, i, k); ok {
		return assay.Score{State: assay.Scored, Value: v}
	}
	if state, ok := x.state(y, i, k); ok {
		return assay.Score{State: state}
	}
	return assay.Score{State: assay.TargetError}
}

// agreement is the line in place of the folded columns. It has the value of a metric if all
// cases have the same.
func (x *compared) agreement(columns []caseColumn, cases []caseOfRuns) string {
	var said []string
	for _, c := range columns {
		if !c.Folded {
			continue
		}
		m, first := x.c.Rows[c.row].MetricInfo, x.scoreOf(&cases[0], 0, c.row)
		if slices.ContainsFunc(cases, func(y caseOfRuns) bool { return !alike(first, x.scoreOf(&y, 0, c.row)) }) {
			said = append(said, approximate(m))
		} else {
			said = append(said, valued(x.w, m, first))
		}
	}
	if said == nil {
		return ""
	}
	return x.w.Say("Agree", words.V{"cases": len(cases), "runs": len(x.c.Runs), "scores": said})
}

// failed returns why a case failed in run i, and what a judge observed, as [content.failing].
// Records of a baseline file have scores only.
func (x *compared) failed(y *caseOfRuns, i int) (reason, observed string) {
	row, ok := x.row(y, i)
	if !ok {
		return "", ""
	}
	c := &content{r: x.c.Reports[i], o: x.o, w: x.w}
	rec := c.r.Cases.Record(row)
	if y.shown != nil {
		rec = *y.shown.records[i]
	}
	if remembered(&rec) {
		return "", ""
	}
	return c.failing(rec)
}

// failures returns the cell with the reasons of failure in run i and in the baseline.
func (x *compared) failures(y *caseOfRuns, i int) document.Cell {
	reason, below := x.failed(y, i)
	if before, _ := x.failed(y, 0); before != "" {
		below = line(x.c.Runs[0]) + ": " + before
	}
	return document.Cell{Text: document.T(reason), Below: below}
}
