package report

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
)

// gate shows the result of the gate, and a table of its rules unless all are
// thresholds, which are in the table of metrics.
func (c *content) gate() []document.Section {
	if c.r.Gate == nil {
		return nil
	}
	v := c.verdict(c.r.Gate.Verdict)
	s := document.Section{ID: "gate", Title: c.w.Names().Gate, Word: &v, Bare: document.Glance}
	s.Blocks = []document.Block{document.List{Items: c.gateItems(), Views: document.Page}}
	if !c.r.plainGate() {
		s.Blocks = append(s.Blocks, c.gateBlocks()...)
	}
	return []document.Section{s}
}

// gateItems returns the gate's reasons and the rules that did not pass, or every rule
// if all are thresholds.
func (c *content) gateItems() []document.Item {
	var out []document.Item
	if c.r.plainGate() {
		for _, x := range c.r.judged() {
			out = append(out, document.Item{Text: document.Text{c.verdict(x.Verdict), {Text: " " + c.ruleLine(x)}}})
		}
		return out
	}
	for _, l := range c.gateLines() {
		l[1].Text = " " + strings.TrimPrefix(l[1].Text, " · ")
		out = append(out, document.Item{Text: l})
	}
	return out
}

// gateBlocks returns the table of rules and the remarks that do not affect the result.
func (c *content) gateBlocks() []document.Block {
	var out []document.Block
	if rows := c.gateRows(); rows != nil {
		out = append(out, c.gateTable(rows))
	}
	if notes := words.Findings(c.w, c.r.Gate.Warnings); notes != nil {
		items := mapped(notes, func(n string) string { return c.w.Names().Warning + ": " + line(n) })
		out = append(out, document.List{Items: document.Items(items...)})
	}
	return out
}

func (c *content) gateTable(rows []gateRow) document.Table {
	h := c.w.Names().GateHeads
	used := usedColumns(rows)
	names := map[string]string{"Baseline": h.Baseline, "Run": h.Run, "Δ": "Δ", "Interval": h.Interval, "n": "n", "People": h.People}
	for _, x := range slices.Concat(c.r.Gate.Results, c.r.Gate.Tracked) {
		if x.CI != nil && x.Level > 0 {
			names["Interval"] = c.w.Interval(percent(x.Level))
		}
	}
	t := document.Table{
		ID: "rules", Name: h.Table,
		Columns: []document.Column{{ID: "rule", Head: h.Rule, Words: true, Views: document.Reading | document.Page},
			{ID: "name", Head: h.Rule, Short: document.LowerFirst(c.w.Names().Gate), Words: true, Views: document.Glance}, {ID: "status", Head: h.Status,
				Words: true}},
		Steps: []document.Step{{Drop: []string{"Interval"}}, {Drop: []string{"Baseline", "n"}, Name: 12}},
	}
	for _, id := range used {
		t.Columns = append(t.Columns, document.Column{ID: id, Head: names[id]})
	}
	t.Columns = append(t.Columns, document.Column{ID: "cases", Head: h.Cases, Words: true, Views: document.Reading | document.Page})
	for _, r := range rows {
		cells := []document.Cell{{Text: document.C(r.Rule)}, {Text: document.T(r.Rule)}, {Text: document.Text{r.Status}}}
		for _, id := range used {
			cells = append(cells, document.Cell{Text: document.T(r.Values[id])})
		}
		cells = append(cells, document.Cell{Text: document.T(r.Lost)})
		t.Rows = append(t.Rows, document.Row{Cells: cells})
	}
	return t
}

// gateDocument returns the report of the gate alone.
func (r *Report) gateDocument(o Options) *document.Document {
	c := newContent(r, o)
	if r.Gate == nil {
		return &document.Document{Title: c.w.Names().NoGate, Headline: document.Of(c.w.Names().NoGate), More: c.w.More, Language: c.w.Code}
	}
	word := c.w.Verdict(r.Gate.Verdict)
	d := &document.Document{
		Title:    c.w.Say("GateTitle", words.V{"name": r.title(), "verdict": word}),
		Status:   document.T(c.w.Say("RunStatus", words.V{"id": line(r.Header.ID), "state": line(r.Header.State)})),
		Headline: document.Of(append([]string{document.LowerFirst(c.w.Names().Gate) + " " + word}, c.headline()...)...),
		More:     c.w.More, Language: c.w.Code, Colon: c.w.Names().Colon,
	}
	lines := mapped(c.gateLines(), func(l document.Text) document.Item { return document.Item{Text: l} })
	bare := document.Glance | document.Reading
	d.Sections = []document.Section{
		{ID: "verdicts", Bare: bare, Blocks: []document.Block{document.List{Items: lines}}},
		{ID: "gate", Bare: bare, Blocks: c.gateBlocks()},
	}
	if lines := c.gatedJudge(); lines != nil {
		d.Sections = append(d.Sections, document.Section{ID: "judge", Bare: bare,
			Blocks: facts([]document.Fact{{Name: c.w.Names().FactNames.Judge, Lines: document.Of(lines...)}})})
	}
	return d
}
