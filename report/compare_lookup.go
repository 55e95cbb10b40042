package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
)

// A caseOfRuns is one case in all runs. A comparison lists every case, so that it holds no
// record.
type caseOfRuns struct {
	// at is the index of the case in the matrix.
	at     int32
	missed bool // by every run
	// size is the largest change on any metric, as a share of the metric's scale.
	size float64
	// shown is what is read of the case while it is shown.
	shown *shownRuns
}

// shownRuns are a case and what the runs recorded of it.
type shownRuns struct {
	assay.Case
	// records are those of the first draws, nil for a run that lacks the case.
	records []*assay.Record
}

// value returns the mean over the draws of metric k in run i. ok is false if there is none.
func (x *compared) value(y *caseOfRuns, i, k int) (v float64, ok bool) {
	v = x.values[i][k][y.at]
	return v, !math.IsNaN(v)
}

// gain returns how much better than the baseline run i is on metric k of the comparison.
// ok is false if either has no value.
func (x *compared) gain(y *caseOfRuns, i, k int) (gain float64, ok bool) {
	before, had := x.value(y, 0, k)
	after, has := x.value(y, i, k)
	switch gain = after - before; {
	case !had || !has:
		return 0, false
	case math.Abs(gain) <= equal:
		return 0, true
	case x.c.Rows[k].Better == "lower":
		return -gain, true
	}
	return gain, true
}

// lookup is the page's table of the cases of all runs, the largest change first. A page
// with room for fewer than all holds the critical cases that a run failed, those that
// changed most, some that every run misses, and a random sample, see [held].
func (x *compared) lookup() []document.Section {
	most := x.o.cases(mostPageCases)
	if most == 0 {
		return nil
	}
	all := x.cases()
	said := words.Held{Of: len(all), Seed: x.c.Reports[0].Header.Seed}
	chosen, drawn := held(&said, most, func(i int) bool { return x.criticalFailed(&all[i]) },
		wish{3, func(i int) bool { return all[i].size > 0 }, &said.Changed},
		wish{4, func(i int) bool { return all[i].missed }, &said.Missed})
	said.N, said.Drawn = len(chosen), len(drawn)
	if len(chosen) == 0 {
		return nil
	}
	cases := make([]*caseOfRuns, len(chosen))
	for k, i := range chosen {
		cases[k] = &all[i]
	}
	columns := x.lookupColumns(all)
	l := document.Lookup{
		Script: "compare.js", Words: x.w.Lookup(said), Choices: x.choices(columns), Agreement: x.agreement(columns, all),
		Shown: len(cases),
		Rows: func(yield func(document.LookupRow) bool) {
			limits := pageLimits(textLimit(func(yield func(*assay.Record) bool) {
				for _, y := range cases {
					for i, r := range x.c.Reports {
						if row, ok := x.row(y, i); ok {
							if rec := r.whole(row); !yield(&rec) {
								return
							}
						}
					}
				}
			}))
			for _, y := range cases {
				y.shown = x.load(y)
				row := x.lookupRow(y, columns, limits)
				y.shown = nil
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
		l.Holds = holding(cases, x.id)
	}
	command := []string{"assay", "compare"}
	for _, r := range x.c.Reports {
		command = append(command, runName(r))
	}
	return caseTable(x.w, l, said, append(command, "--format", "json"), x.c.OutcomeRule(x.w))
}

// criticalFailed reports whether a run failed a critical case.
func (x *compared) criticalFailed(y *caseOfRuns) bool {
	for i, r := range x.c.Reports {
		row, ok := x.row(y, i)
		if !ok || !r.Cases.Critical(row) {
			continue
		}
		if r.criticalFailed(r.Cases.Record(row)) {
			return true
		}
	}
	return false
}

// cases returns the cases of all runs, the largest change first.
func (x *compared) cases() []caseOfRuns {
	c, m := x.c, x.c.Matrix()
	x.values = make([][][]float64, len(c.Reports))
	for i, r := range c.Reports {
		for _, row := range c.Rows {
			x.values[i] = append(x.values[i], m.Values(row.MetricInfo, r))
		}
	}
	out := make([]caseOfRuns, len(m.Cases))
	for at := range out {
		y := &out[at]
		y.at = int32(at)
		for k, row := range c.Rows {
			lo, hi := span(row.MetricInfo)
			for i := 1; i < len(c.Runs); i++ {
				if v, ok := x.gain(y, i, k); ok {
					y.size = max(y.size, math.Abs(v)/(hi-lo))
				}
			}
		}
	}
	for _, id := range c.missed().ids {
		out[m.Index(id)].missed = true
	}
	slices.SortStableFunc(out, func(a, b caseOfRuns) int { return compareNearly(b.size, a.size) })
	return out
}

// row returns the row of the first draw of a case in the cases of run i; ok is false if the
// run lacks the case.
func (x *compared) row(y *caseOfRuns, i int) (row int, ok bool) {
	return x.c.Matrix().Row(i, int(y.at))
}

func (x *compared) id(y *caseOfRuns) string { return x.c.Matrix().Cases[y.at] }

// load reads the records of a case that is shown.
func (x *compared) load(y *caseOfRuns) *shownRuns {
	records := make([]*assay.Record, len(x.c.Reports))
	for i, r := range x.c.Reports {
		if row, ok := x.row(y, i); ok {
			rec := r.whole(row)
			records[i] = &rec
		}
	}
	return x.shownOf(y, records)
}

// shownOf returns a case with its records. The question and the labels are those of the
// first run that has them.
func (x *compared) shownOf(y *caseOfRuns, records []*assay.Record) *shownRuns {
	out := &shownRuns{Case: assay.Case{ID: x.id(y)}, records: records}
	for _, rec := range records {
		if rec == nil {
			continue
		}
		out.Question = cmp.Or(out.Question, rec.Case.Question)
		if out.Tags == nil {
			out.Tags = rec.Case.Tags
		}
		if wanted(x.w, out.Want) == nil {
			out.Want = rec.Case.Want
		}
	}
	return out
}

// state returns the state of the score of metric k in run i, in the first draw. ok is false
// if the run lacks the case.
func (x *compared) state(y *caseOfRuns, i, k int) (_ assay.State, ok bool) {
	row, ok := x.row(y, i)
	if !ok {
		return assay.Unset, false
	}
	s, _ := x.c.Reports[i].Cases.Metric(x.c.Rows[k].Name).Numbers(row)
	return s.State, true
}

// choices lists the metrics in the order of their columns, those on which the runs agree
// last.
func (x *compared) choices(columns []caseColumn) []document.Choice {
	n := x.w.Names().PageNames
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
	row := document.LookupRow{ID: line(y.shown.ID), Place: int(y.at)}
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
	if v, ok := x.value(y, i, k); ok {
		return document.Cell{Text: document.T(number(m, v)), Order: &v}
	}
	if state, ok := x.state(y, i, k); ok {
		return scoreCell(x.w, m, assay.Score{State: state})
	}
	return document.Cell{Text: document.T(x.w.Names().PageNames.NotRun), Mark: document.Unsure}
}

// gainCell returns the difference from the baseline. It sorts by how much better the
// run is.
func (x *compared) gainCell(y *caseOfRuns, i, k int) document.Cell {
	m := x.c.Rows[k].MetricInfo
	gain, ok := x.gain(y, i, k)
	if !ok {
		return document.Cell{Text: document.T("–"), Mark: document.Unsure}
	}
	c := document.Cell{Text: document.T("="), Order: &gain}
	diff := signed(m, x.values[i][k][y.at]-x.values[0][k][y.at])
	switch {
	case m.Estimate && gain != 0:
		c.Text = document.T("≈ " + diff)
	case gain > 0:
		c.Text, c.Mark = document.T("▲ "+diff), document.Good
	case gain < 0:
		c.Text, c.Mark = document.T("▼ "+diff), document.Bad
	}
	return c
}

// panel shows the scores and the answers of all runs side by side.
func (x *compared) panel(y *caseOfRuns, limits caseLimits) document.Case {
	n := x.w.Names().PageNames
	b := x.caseContent(0)
	b.most, b.Case = limits, y.shown.Case
	b.question()
	var facts []string
	if y.missed {
		facts = append(facts, n.Unsolved)
	}
	b.note(append(facts, y.shown.Tags...)...)
	b.wanted()
	b.say(x.w.Names().CaseNames.Scores, "", x.versus(y))
	var side document.Beside
	for i, name := range x.c.Runs {
		side.Blocks = append(side.Blocks, x.answerOf(y, i, name, limits))
	}
	b.say(n.Answers, "", side)
	return document.Case{Blocks: b.blocks}
}

// versus is the table of the scores of all runs, with their differences from the baseline.
func (x *compared) versus(y *caseOfRuns) document.Table {
	t := document.Table{ID: "versus", Name: x.w.Names().CaseNames.Scores, Columns: []document.Column{{Head: x.w.Names().PageNames.Metric, Words: true}}}
	for _, name := range x.c.Runs {
		t.Columns = append(t.Columns, document.Column{Head: name})
	}
	for k, r := range x.c.Rows {
		cells := document.Cells(r.Title)
		for i := range x.c.Runs {
			cell := x.valueCell(y, i, k)
			if g := x.gainCell(y, i, k); i > 0 && g.Order != nil {
				cell.Below, cell.Mark = g.Text[0].Text, g.Mark
			}
			cells = append(cells, cell)
		}
		t.Rows = append(t.Rows, document.Row{Cells: cells})
	}
	return t
}

// answerOf returns the answer of run i. A baseline file has scores only.
func (x *compared) answerOf(y *caseOfRuns, i int, name string, limits caseLimits) document.Labelled {
	n := x.w.Names().PageNames
	b := x.caseContent(i)
	b.most = limits
	var about []string
	if i == 0 {
		about = append(about, n.Baseline)
	}
	rec := y.shown.records[i]
	switch {
	case rec == nil:
		b.note(n.CaseNotRun)
	case remembered(rec):
		b.note(n.NotRecorded)
	default:
		b.Record = *rec
		cell, _ := b.standing(b.recorded(*rec))
		about = append(about, cell.Text[0].Text)
		b.answered()
	}
	if draws := x.draws(y, i); draws > 1 {
		b.note(x.w.Say("FirstDraw", words.V{"draws": draws}))
	}
	return document.Labelled{Label: name, Text: document.T(strings.Join(about, " · ")), Blocks: b.blocks}
}

// draws returns how often run i asked a case.
func (x *compared) draws(y *caseOfRuns, i int) int {
	cases := x.c.Reports[i].Cases
	row, ok := x.row(y, i)
	switch {
	case !ok:
		return 0
	case !cases.Repeated():
		return 1
	}
	n := 0
	for other := range cases.Len() {
		if cases.Case(other) == cases.Case(row) {
			n++
		}
	}
	return n
}

// answered adds the answer of a run in a comparison and the names of its passages.
func (b *caseContent) answered() {
	p := b.Response
	switch {
	case b.Failure != nil:
		b.blocks = append(b.blocks, document.Quote{Text: b.excerpt(b.Failure.Kind+": "+b.Failure.Message, b.most.answer)})
		return
	case p == nil:
		b.note(b.w.Names().PageNames.NoResponse)
		return
	case p.NoAnswer:
		b.note(b.w.Names().NoAnswer)
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
