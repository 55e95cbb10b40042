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

// A caseOfRuns is one case in all runs.
type caseOfRuns struct {
	// Case has the id that draws share and, while the case is shown, the question and labels.
	assay.Case
	// rows are those of the first draw in the cases of each run; −1 if the run lacks the
	// case. draws are the numbers of draws.
	rows  []int
	draws []int
	// runs are the records of rows while the case is shown.
	runs []*assay.Record
	// values are the means over the draws, by run and metric; nil if there is none.
	values [][]*float64
	missed bool // by every run
	place  int
	// size is the largest change on any metric, as a share of the metric's scale.
	size float64
}

// gain returns how much better than the baseline run i is on metric k of the
// comparison, or nil if either has no value.
func (x *caseOfRuns) gain(m assay.MetricInfo, i, k int) *float64 {
	before, after := x.values[0][k], x.values[i][k]
	if before == nil || after == nil {
		return nil
	}
	v := *after - *before
	switch {
	case math.Abs(v) <= equal:
		v = 0
	case m.Better == "lower":
		v = -v
	}
	return &v
}

// lookup is the page's table of the cases of all runs, the largest change first. A page
// with room for fewer than all holds the critical cases that a run failed, those that
// changed most, some that every run misses, and a random sample, see [held].
func (x *compared) lookup() []document.Section {
	all := x.cases()
	said := words.Held{Of: len(all), Seed: x.c.Reports[0].Header.Seed}
	critical := make([]bool, len(all))
	for i, y := range all {
		if critical[i] = x.criticalFailed(y); critical[i] {
			said.CriticalOf++
		}
	}
	chosen, drawn := held(len(all), x.o.cases(mostPageCases), said.Seed,
		wish{5, func(i int) bool { return critical[i] }, &said.Critical},
		wish{3, func(i int) bool { return all[i].size > 0 }, &said.Changed},
		wish{4, func(i int) bool { return all[i].missed }, &said.Missed})
	said.N, said.Drawn = len(chosen), len(drawn)
	if len(chosen) == 0 {
		return nil
	}
	cases := make([]*caseOfRuns, len(chosen))
	for k, i := range chosen {
		cases[k] = all[i]
	}
	columns := x.lookupColumns(all)
	l := document.Lookup{
		Script: "compare.js", Words: x.w.Lookup(said.N, said.Of), Choices: x.choices(columns), Agreement: x.agreement(columns, all),
		Shown: len(cases),
		Rows: func(yield func(document.LookupRow) bool) {
			limits := pageLimits(textLimit(func(yield func(*assay.Record) bool) {
				for _, c := range cases {
					for i, row := range c.rows {
						if row < 0 {
							continue
						}
						if rec := x.c.Reports[i].whole(row); !yield(&rec) {
							return
						}
					}
				}
			}))
			for _, c := range cases {
				x.load(c)
				row := x.lookupRow(c, columns, limits)
				c.runs, c.Want = nil, assay.Want{}
				if !yield(row) {
					return
				}
			}
		},
	}
	for _, c := range columns {
		l.Columns = append(l.Columns, c.Column)
	}
	if drawn != nil {
		l.Holds = holding(cases, func(y *caseOfRuns) string { return y.ID })
	}
	command := []string{"assay", "compare"}
	for _, r := range x.c.Reports {
		command = append(command, runName(r))
	}
	return caseTable{l, said, append(command, "--format", "json")}.section(x.w)
}

// criticalFailed reports whether a run failed a critical case. Records of a baseline file
// have scores only.
func (x *compared) criticalFailed(y *caseOfRuns) bool {
	for i, row := range y.rows {
		r := x.c.Reports[i]
		if row < 0 || !r.Cases.Critical(row) {
			continue
		}
		if rec := r.Cases.Record(row); !remembered(&rec) && r.criticalFailed(rec) {
			return true
		}
	}
	return false
}

// cases returns the cases of all runs, the largest change first.
func (x *compared) cases() []*caseOfRuns {
	c := x.c
	var out []*caseOfRuns
	at := map[string]*caseOfRuns{}
	for i, r := range c.Reports {
		values := x.values(r.Cases)
		for row := range r.Cases.Len() {
			id := r.Cases.Base(row)
			y := at[id]
			if y == nil {
				y = &caseOfRuns{Case: assay.Case{ID: id}, place: len(out), rows: make([]int, len(c.Runs)),
					draws: make([]int, len(c.Runs)), values: make([][]*float64, len(c.Runs))}
				for i := range y.values {
					y.rows[i], y.values[i] = -1, make([]*float64, len(c.Rows))
				}
				at[id] = y
				out = append(out, y)
			}
			y.draws[i]++
			if y.rows[i] < 0 {
				y.rows[i], y.values[i] = row, values[id]
			}
		}
	}
	for _, id := range c.missed().ids {
		at[id].missed = true
	}
	for _, y := range out {
		for k, row := range c.Rows {
			lo, hi := span(row.MetricInfo)
			for i := 1; i < len(c.Runs); i++ {
				if v := y.gain(row.MetricInfo, i, k); v != nil {
					y.size = max(y.size, math.Abs(*v)/(hi-lo))
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *caseOfRuns) int { return compareNearly(b.size, a.size) })
	return out
}

// load reads the records of a case that is shown. The question and the labels are those of
// the first run that has them.
func (x *compared) load(y *caseOfRuns) {
	y.runs = make([]*assay.Record, len(y.rows))
	for i, row := range y.rows {
		if row < 0 {
			continue
		}
		rec := x.c.Reports[i].whole(row)
		y.runs[i] = &rec
		y.Question = cmp.Or(y.Question, rec.Case.Question)
		if y.Tags == nil {
			y.Tags = rec.Case.Tags
		}
		if wanted(x.w, y.Want) == nil {
			y.Want = rec.Case.Want
		}
	}
}

// state returns the state of the score of metric k in run i, in the first draw. ok is false
// if the run lacks the case.
func (x *compared) state(y *caseOfRuns, i, k int) (_ assay.State, ok bool) {
	if y.rows[i] < 0 {
		return assay.Unset, false
	}
	s, _ := x.c.Reports[i].Cases.Metric(x.c.Rows[k].Name).Score(y.rows[i])
	return s.State, true
}

// values returns the contribution of each case of a run, by metric.
func (x *compared) values(t *columns.Table) map[string][]*float64 {
	out := map[string][]*float64{}
	for i := range t.Len() {
		out[t.Base(i)] = make([]*float64, len(x.c.Rows))
	}
	for k, row := range x.c.Rows {
		for _, v := range summary.Values(row.MetricInfo, t) {
			if v.Known > 0 {
				out[v.Case][k] = &v.Mean
			}
		}
	}
	return out
}

// choices lists the metrics in the order of their columns, those on which the runs agree
// last.
func (x *compared) choices(columns []caseColumn) []document.Choice {
	n := x.w.PageNames()
	var metrics, runs []document.Option
	for _, c := range columns {
		if c.Group == "0" && c.Metric != "" {
			metrics = append(metrics, document.Option{Value: c.Metric, Text: approximate(x.c.Rows[c.row].MetricInfo)})
		}
	}
	for i, name := range x.c.Runs[1:] {
		runs = append(runs, document.Option{Value: itoa(i + 1), Text: name})
	}
	outcomes := []document.Option{{Text: n.Any}, {Value: "better", Text: n.Better}, {Value: "worse", Text: n.Worse},
		{Value: "same", Text: n.Same}, {Value: "changed", Text: n.Changed}}
	if len(x.c.missed().ids) > 0 {
		outcomes = append(outcomes, document.Option{Value: "missed", Text: n.Missed})
	}
	outcomes = append(outcomes, document.Option{Value: "unpaired", Text: n.Unpaired})
	return []document.Choice{
		{ID: "metric", Label: n.Metric, Options: metrics},
		{ID: "run", Label: n.Run, Options: runs},
		{ID: "outcome", Label: n.Outcome, Options: outcomes},
	}
}

func (x *compared) lookupRow(y *caseOfRuns, columns []caseColumn, limits caseLimits) document.LookupRow {
	row := document.LookupRow{ID: line(y.ID), Place: y.place}
	if y.missed {
		row.Is = []string{"missed"}
	}
	for _, c := range columns {
		row.Cells = append(row.Cells, c.cell(y))
	}
	row.Case = x.panel(y, limits)
	return row
}

// valueCell returns the value of a case in run i, or the reason why there is none.
func (x *compared) valueCell(y *caseOfRuns, i, k int) document.Cell {
	m := x.c.Rows[k].MetricInfo
	if v := y.values[i][k]; v != nil {
		return document.Cell{Text: document.T(number(m, *v)), Order: v}
	}
	if state, ok := x.state(y, i, k); ok {
		return scoreCell(x.w, m, assay.Score{State: state})
	}
	return document.Cell{Text: document.T(x.w.PageNames().NotRun), Mark: document.Unsure}
}

// gainCell returns the difference from the baseline. It sorts by how much better the
// run is.
func (x *compared) gainCell(y *caseOfRuns, i, k int) document.Cell {
	m := x.c.Rows[k].MetricInfo
	gain := y.gain(m, i, k)
	if gain == nil {
		return document.Cell{Text: document.T("–"), Mark: document.Unsure}
	}
	c := document.Cell{Text: document.T("="), Order: gain}
	if m.Estimate && *gain != 0 {
		c.Text = document.T("≈ " + signed(m, *y.values[i][k]-*y.values[0][k]))
		return c
	}
	if diff := signed(m, *y.values[i][k]-*y.values[0][k]); *gain > 0 {
		c.Text = document.T("▲ " + diff)
	} else if *gain < 0 {
		c.Text, c.Mark = document.T("▼ "+diff), document.Bad
	}
	return c
}

// panel shows the scores and the answers of all runs side by side.
func (x *compared) panel(y *caseOfRuns, limits caseLimits) document.Case {
	n := x.w.PageNames()
	b := &caseContent{content: &content{r: x.c.Reports[0], o: x.o, w: x.w}, most: limits, page: true}
	b.Case = y.Case
	b.question()
	var facts []string
	if y.missed {
		facts = append(facts, n.Unsolved)
	}
	b.note(append(facts, y.Tags...)...)
	b.wanted()
	t := document.Table{ID: "versus", Name: x.w.CaseNames().Scores, Columns: []document.Column{{Head: n.Metric, Words: true}}}
	for _, name := range x.c.Runs {
		t.Columns = append(t.Columns, document.Column{Head: name})
	}
	for k, r := range x.c.Rows {
		row := document.Row{Cells: document.Cells(r.Title)}
		for i := range x.c.Runs {
			cell := x.valueCell(y, i, k)
			if i > 0 {
				if g := x.gainCell(y, i, k); g.Order != nil && *g.Order != 0 {
					cell.Below, cell.Mark = g.Text[0].Text, g.Mark
				}
			}
			row.Cells = append(row.Cells, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	b.say(x.w.CaseNames().Scores, "", t)
	var side document.Beside
	for i, name := range x.c.Runs {
		side.Blocks = append(side.Blocks, x.answerOf(y, i, name, limits))
	}
	b.say(n.Answers, "", side)
	return document.Case{Blocks: b.blocks}
}

// answerOf returns the answer of run i. A baseline file has scores only.
func (x *compared) answerOf(y *caseOfRuns, i int, name string, limits caseLimits) document.Block {
	n := x.w.PageNames()
	b := &caseContent{content: &content{r: x.c.Reports[i], o: x.o, w: x.w}, most: limits, page: true}
	var about []string
	if i == 0 {
		about = append(about, n.Baseline)
	}
	rec := y.runs[i]
	switch {
	case rec == nil:
		b.note(n.CaseNotRun)
	case remembered(rec):
		b.note(n.NotRecorded)
	default:
		b.Record = *rec
		about = append(about, b.w.Status(summary.Status(b.r.Header.Metrics, *rec)))
		b.answered()
	}
	if rec != nil && y.draws[i] > 1 {
		b.note(x.w.FirstDraw(y.draws[i]))
	}
	return document.Labelled{Label: name, Text: document.T(strings.Join(about, " · ")), Blocks: b.blocks}
}

// answered adds the answer of a run in a comparison and the names of its passages.
func (b *caseContent) answered() {
	p := b.Response
	switch {
	case b.Failure != nil:
		b.blocks = append(b.blocks, document.Quote{Text: b.excerpt(b.Failure.Kind+": "+b.Failure.Message, b.most.answer)})
		return
	case p == nil:
		b.note(b.w.PageNames().NoResponse)
		return
	case p.NoAnswer:
		b.note(b.w.NoAnswer())
	default:
		b.blocks = append(b.blocks, b.quoted())
	}
	if p.Latency > 0 {
		b.note(duration(p.Latency))
	}
	if p.Passages != nil {
		list := b.excerpts(p.Passages, mostSide)
		for i := range list.Items {
			list.Items[i].Text = ""
		}
		list.Left = 0
		b.blocks = append(b.blocks, list)
	}
}

// mostSide is how many passages are named below an answer in a comparison.
const mostSide = 10
