package report

import (
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// An Inspection is one case on a page of its own. Its texts are whole.
type Inspection struct {
	// Word says how the case ended, and Mark whether that is good. About has the tags of
	// the case, its time and its cost.
	Word  string
	Mark  document.Mark
	About []string
	// Answer has the question, the answer and what it should say, Scores the scores with
	// their reasons, Passages what was retrieved, and Stages what the stages of the target
	// did with the case.
	Answer, Scores, Passages, Stages []document.Block
}

// wholeCase are the limits of a page that shows one case: there are none.
var wholeCase = caseLimits{answer: math.MaxInt, passage: math.MaxInt, passages: math.MaxInt, evidence: math.MaxInt, claims: math.MaxInt,
	dropped: math.MaxInt}

// Inspect returns everything that a record holds, for a page of one case.
func Inspect(h assay.Header, rec assay.Record, o Options) Inspection {
	c := newContent(&Report{Header: h}, o)
	x := c.recorded(rec)
	part := func(parts ...func(*caseContent)) []document.Block {
		b := &caseContent{content: c, shownCase: x, most: wholeCase, page: true}
		for _, f := range parts {
			f(b)
		}
		return document.Visible(b.blocks, document.Page)
	}
	out := Inspection{
		About:    c.about(x),
		Answer:   part((*caseContent).troubles, (*caseContent).answer, (*caseContent).wanted),
		Scores:   part((*caseContent).scoreTable, (*caseContent).claims, (*caseContent).remarks),
		Passages: part((*caseContent).passages),
		Stages:   part((*caseContent).stages, (*caseContent).trace, (*caseContent).notes),
	}
	out.Word, _, out.Mark = c.standing(x)
	return out
}

// recorded returns a record as lists of cases show it.
func (c *content) recorded(rec assay.Record) shownCase {
	return shownCase{lowCase{Wrong: wrongAnswer(rec)}, rec, summary.Status(c.r.Header.Metrics, rec)}
}

// CaseColumns returns the columns of a table of cases of a run, without those of any other
// metric if some are named. Their ids are the names by which cases are sorted.
func CaseColumns(h assay.Header, only []string, o Options) []document.Column {
	w := o.words()
	n := w.PageNames()
	out := []document.Column{{ID: "id", Head: n.Case, Words: true, Role: "id"}, {ID: "status", Head: n.Status, Words: true, Role: "st"},
		{Head: n.Question, Words: true, Role: "q"}}
	for _, m := range shownMetrics(h, only) {
		out = append(out, document.Column{ID: m.Name, Head: approximate(m), Role: "m", Metric: m.Name})
	}
	return append(out, document.Column{ID: "latency", Head: n.Time, Role: "late"})
}

// CaseRow returns a row of the table of [CaseColumns].
func CaseRow(h assay.Header, rec assay.Record, only []string, o Options) document.LookupRow {
	c := newContent(&Report{Header: h}, o)
	var scores []scoreColumn
	for _, m := range shownMetrics(h, only) {
		scores = append(scores, scoreColumn{MetricInfo: m})
	}
	return c.row(c.recorded(rec), nil, scores, optional{time: true})
}

// shownMetrics returns the metrics of a table of cases in their order.
func shownMetrics(h assay.Header, only []string) []assay.MetricInfo {
	all := leading(h.Metrics)
	if only == nil {
		return all
	}
	var out []assay.MetricInfo
	for _, m := range all {
		for _, name := range only {
			if m.Name == name {
				out = append(out, m)
			}
		}
	}
	return out
}

// MetricTitle returns the name of a metric in a heading; that of an estimate is marked.
func MetricTitle(m assay.MetricInfo) string { return approximate(m) }

// MeanText formats a mean with its interval and the number of its cases, as tables do:
// "0.854 [0.716…0.931] (36)". Without a mean it is a dash.
func MeanText(m assay.MetricInfo, mean *float64, ci *[2]float64, n int) string {
	e := stats.Estimate{N: n}
	if mean == nil {
		e.N = 0
	} else {
		e.Mean = *mean
	}
	if ci != nil && n >= stats.Readable {
		e.CI = &stats.Interval{Lo: ci[0], Hi: ci[1]}
	}
	return compact(m, e)
}

// Cost formats an amount in millionths of a US dollar: "$0.0123".
func Cost(micro int64) string { return caseCost(micro) }
