package report

import (
	"github.com/assay-eval/assay/report/document"
)

// draws says how the draws of the cases differ.
func (c *content) draws() []document.Section {
	s := c.r.Summary
	r := s.Repeats
	if r == nil {
		return nil
	}
	out := document.Section{ID: "draws", Title: c.w.DrawsTitle(), Views: document.Reading | document.Page}
	note := func(text string) {
		out.Blocks = append(out.Blocks, document.Paragraph{Kind: document.Note, Text: document.T(text)})
	}
	note(c.w.DrawsNote(r.Draws, r.Same()))
	if r.Same() {
		return []document.Section{out}
	}
	if len(r.Pass) > 0 {
		note(c.w.Passing())
		ci := c.w.Interval(percent(c.r.Level()))
		t := document.Table{ID: "stages", Columns: []document.Column{{Head: "k"}, {Head: "pass@k"}, {Head: ci}, {Head: "pass^k"},
			{Head: ci}, {Head: "n"}}}
		for _, p := range r.Pass {
			t.Rows = append(t.Rows, document.Row{Cells: document.Cells(itoa(p.K), number(chance, p.Any), interval(chance, p.AnyCI),
				number(chance, p.All), interval(chance, p.AllCI), itoa(p.N))})
		}
		out.Blocks = append(out.Blocks, t)
	}
	out.Blocks = append(out.Blocks, c.drawTable())
	note(c.w.CasesDiffer(len(r.Flaky), r.Cases) + ": " + flakyLine(r.Flaky))
	return []document.Section{out}
}

// drawTable shows how each metric differs between draws; what passes is shown
// where a metric says it itself.
func (c *content) drawTable() document.Table {
	s, h := c.r.Summary, c.w.DrawHeads()
	binary := false
	for _, m := range s.Repeats.Metrics {
		binary = binary || len(m.Pass) > 0
	}
	t := document.Table{ID: "stages", Columns: []document.Column{{Head: h.Metric, Words: true}, {Head: h.Changed}, {Head: h.SD},
		{Head: h.Furthest, Words: true}}}
	if binary {
		k := itoa(s.Repeats.Draws)
		t.Columns = append(t.Columns, document.Column{Head: "pass@" + k}, document.Column{Head: "pass^" + k})
	}
	t.Columns = append(t.Columns, document.Column{Head: "n"})
	for i, m := range s.Repeats.Metrics {
		info := s.Metrics[i].MetricInfo
		sd, worst := "–", document.T("–")
		if m.SD != nil {
			sd = number(info, *m.SD)
		}
		if m.Worst != "" {
			worst = document.Join(document.C(m.Worst), document.T(" "+c.w.By(number(info, m.Spread))))
		}
		cells := []document.Cell{{Text: document.C(m.Name)}, {Text: document.T(itoa(m.Changed))}, {Text: document.T(sd)}, {Text: worst}}
		if n := len(m.Pass); binary && n > 0 {
			cells = append(cells, document.Cells(number(chance, m.Pass[n-1].Any), number(chance, m.Pass[n-1].All))...)
		} else if binary {
			cells = append(cells, document.Cells("–", "–")...)
		}
		t.Rows = append(t.Rows, document.Row{Cells: append(cells, document.Cell{Text: document.T(itoa(m.N))})})
	}
	return t
}
