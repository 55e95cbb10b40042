package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// A ComparedCases shows cases of a comparison one at a time, for pages that list them.
type ComparedCases struct {
	x      *compared
	values func(assay.MetricInfo) [][]float64
}

// ListCases returns the cases of the comparison for pages that list them. values returns
// the values of a metric, by run and case of the matrix ([Matrix.Values]).
func (c *Comparison) ListCases(o Options, values func(assay.MetricInfo) [][]float64) *ComparedCases {
	x := &compared{c: c.readable(), o: o, w: o.words(), values: make([][][]float64, len(c.Reports))}
	for i := range x.values {
		x.values[i] = make([][]float64, len(c.Rows))
	}
	return &ComparedCases{x, values}
}

// metric returns the index of a metric, whose values are then known.
func (l *ComparedCases) metric(name string) int {
	k := slices.IndexFunc(l.x.c.Rows, func(r summary.ComparisonRow) bool { return r.Name == name })
	l.load(k)
	return k
}

func (l *ComparedCases) load(k int) {
	for i, values := range l.values(l.x.c.Rows[k].MetricInfo) {
		l.x.values[i][k] = values
	}
}

// Columns returns the columns of a table of the cases: the value of a metric in every run,
// the difference of one run from the baseline, how it ended in the two, and the stage at
// which that run lost it.
func (l *ComparedCases) Columns(run int, metric string) []document.Column {
	n := l.x.w.Names().PageNames
	out := []document.Column{{ID: "id", Head: n.Case, Words: true, Role: "id"}, {Head: n.Question, Words: true, Role: "q"}}
	for _, name := range l.x.c.Runs {
		out = append(out, document.Column{Head: line(name), Role: "m", Metric: metric})
	}
	if len(l.x.c.Runs) > 2 {
		out = append(out, document.Column{ID: "change", Head: "Δ " + line(l.x.c.Runs[run]), Role: "m"})
	} else {
		out = append(out, document.Column{ID: "change", Head: "Δ", Role: "m"})
	}
	return append(out, document.Column{Head: n.Outcome, Words: true, Role: "st"},
		document.Column{Head: l.x.w.Names().WebNames.Stage, Words: true, Role: "st"})
}

// Row returns the row of a case in the table of [ComparedCases.Columns]. at is its place in
// the matrix; records has what each run has of it, nil for a run that lacks it.
func (l *ComparedCases) Row(at, run int, metric string, records []*assay.Record) document.LookupRow {
	x, k := l.x, l.metric(metric)
	y := &caseOfRuns{at: int32(at)}
	y.shown = x.shownOf(y, records)
	row := document.LookupRow{ID: line(y.shown.ID), Place: at, Cells: []document.Cell{{}, questionCell(x.w, y.shown.Question, y.shown.Tags)}}
	for i := range x.c.Runs {
		row.Cells = append(row.Cells, x.signedCell(y, i, k))
	}
	m := x.c.Matrix()
	class := m.Class(run, at)
	outcome := document.Cell{Text: document.T(ClassName(x.w, class))}
	switch class {
	case Unknown:
		said := x.w.Say("Turned", words.V{"baseline": line(x.c.Runs[0]), "run": line(x.c.Runs[run]), "old": m.Outcome(0, at), "now": m.Outcome(run, at)})
		outcome = document.Cell{Text: document.T(said), Mark: document.Unsure}
	case NewlyWrong, BothWrong:
		outcome.Mark = document.Bad
	case NewlyRight:
		outcome.Mark = document.Good
	}
	stage := document.Cell{}
	if rec := records[run]; rec != nil {
		if lost, _ := summary.PutDown(*rec); lost != "" {
			stage.Text = document.T(x.w.Stage(lost))
		}
	}
	return document.LookupRow{ID: row.ID, Place: at, Cells: append(row.Cells, x.gainCell(y, run, k), outcome, stage)}
}

// ClassName returns the name of a class for lists of cases.
func ClassName(w words.Words, c Class) string {
	n := w.Names().WebNames
	return map[Class]string{BothRight: n.BothRight, Unknown: n.Unknown, BothWrong: n.BothWrong, NewlyRight: n.NewlyRight, NewlyWrong: n.NewlyWrong,
		Unpaired: n.Unpaired, Different: n.Different, Flaky: n.Flaky, Disagree: n.Disagree}[c]
}

// signedCell returns the value of a case in run i behind a sign: ∅ without a response, else
// how it compares with the baseline.
func (x *compared) signedCell(y *caseOfRuns, i, k int) document.Cell {
	c := x.valueCell(y, i, k)
	sign := ""
	gain, ok := x.gain(y, i, k)
	switch state, has := x.state(y, i, k); {
	case has && state == assay.TargetError:
		sign, c.Mark = "∅", document.Bad
	case i == 0 || !ok:
	case x.c.Rows[k].Estimate && gain != 0:
		sign = "≈"
	case gain > 0:
		sign, c.Mark = "▲", document.Good
	case gain < 0:
		sign, c.Mark = "▼", document.Bad
	default:
		sign = "="
	}
	if sign != "" {
		c.Text = append(document.Text{{Text: sign + " "}}, c.Text...)
	}
	return c
}

// A Selected describes a metric over some cases that both runs have a value for.
type Selected struct {
	N int
	// Old and New are the means, Diff is their difference; "–" if N is 0.
	Old, New, Diff string
}

// Selected describes some cases of the matrix, in a run and in the baseline. It tests
// nothing: the cases were chosen after the fact.
func (l *ComparedCases) Selected(run int, metric string, cases []int) Selected {
	k := l.metric(metric)
	m := l.x.c.Rows[k].MetricInfo
	var old, new float64
	out := Selected{Old: "–", New: "–", Diff: "–"}
	for _, at := range cases {
		before, after := l.x.values[0][k][at], l.x.values[run][k][at]
		if math.IsNaN(before) || math.IsNaN(after) {
			continue
		}
		out.N, old, new = out.N+1, old+before, new+after
	}
	if n := float64(out.N); n > 0 {
		out.Old, out.New, out.Diff = number(m, old/n), number(m, new/n), signed(m, new/n-old/n)
	}
	return out
}

// A ComparedCase is one case with what every run made of it.
type ComparedCase struct {
	Question       string
	Tags           []string
	Wanted, Scores []document.Block
	// Runs has the baseline first.
	Runs []ComparedRun
}

// A ComparedRun is what a run made of a case.
type ComparedRun struct {
	Name string
	// Has is set if the run has the case.
	Has bool
	// About says how the case ended, Took how long the answer took; "" if that is unknown.
	About document.Text
	Took  string
	// Answer is the whole answer, nil if there is none; Instead says why, or that it is empty.
	Answer  *string
	Instead []document.Block
	// Passages says of each passage where the baseline has it.
	Passages []document.Block
}

// Inspect returns a case of the matrix with everything that the runs recorded; records are
// those of its first draws, nil for a run that lacks the case.
func (l *ComparedCases) Inspect(at int, records []*assay.Record) ComparedCase {
	x := l.x
	for k := range x.c.Rows {
		l.load(k)
	}
	y := &caseOfRuns{at: int32(at)}
	y.shown = x.shownOf(y, records)
	b := x.caseContent(0)
	b.Case = y.shown.Case
	b.wanted()
	out := ComparedCase{Question: y.shown.Question, Tags: y.shown.Tags, Wanted: b.blocks, Scores: []document.Block{x.versus(y)}}
	for i, name := range x.c.Runs {
		side := x.answerOf(y, i, name, wholeCase)
		one := ComparedRun{Name: name, Has: records[i] != nil, About: side.Text}
		rec := records[i]
		if one.Instead = side.Blocks; rec != nil && rec.Response != nil && rec.Failure == nil && !rec.Response.NoAnswer {
			answer := visible(rec.Response.Answer)
			one.Answer, one.Instead = &answer, nil
			if strings.TrimSpace(answer) == "" {
				one.Instead = []document.Block{document.Paragraph{Kind: document.Note, Text: document.T(x.w.Names().Empty)}}
			}
			if t := rec.Response.Latency; t > 0 {
				one.Took = duration(t)
			}
		}
		one.Passages = x.ranked(i, records)
		out.Runs = append(out.Runs, one)
	}
	return out
}

// ranked returns the passages of run i, each with its rank in the baseline; those of the
// baseline say where no other run has them.
func (x *compared) ranked(i int, records []*assay.Record) []document.Block {
	rec := records[i]
	if rec == nil || rec.Response == nil || len(rec.Response.Passages) == 0 {
		return nil
	}
	b := x.caseContent(i)
	b.Record = *rec
	list := b.excerpts(rec.Response.Passages, b.most.passages)
	rank := func(p assay.Passage, in *assay.Record) int {
		if in == nil || in.Response == nil {
			return -1
		}
		return slices.IndexFunc(in.Response.Passages, p.Same)
	}
	for at, p := range rec.Response.Passages {
		others := records[:1]
		if i == 0 {
			others = records[1:]
		}
		was := -1
		for _, other := range others {
			was = max(was, rank(p, other))
		}
		switch note := &list.Items[at].Note; {
		case was < 0:
			*note = x.w.Names().WebNames.OnlyHere
		case i > 0 && was == at:
			*note = "="
		case i > 0:
			*note = fmt.Sprintf("%d → %d", was+1, at+1)
		}
	}
	return []document.Block{list}
}

// caseContent returns an empty case of run i, whose texts are shown whole.
func (x *compared) caseContent(i int) *caseContent {
	return &caseContent{content: &content{r: x.c.Reports[i], o: x.o, w: x.w}, most: wholeCase, page: true}
}

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
