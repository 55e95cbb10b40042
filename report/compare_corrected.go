package report

import (
	"fmt"

	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// Correction returns the correction of difference i of a row, which counts from 1, with what sentences need.
func (c *Comparison) Correction(row summary.ComparisonRow, i int) (words.CorrectedDifference, bool) {
	if i > len(row.Corrected) {
		return words.CorrectedDifference{}, false
	}
	return words.CorrectedDifference{Metric: row.MetricInfo, Old: line(c.Runs[0]), New: line(c.Runs[i]), Judge: row.Differences[i-1],
		Correction: row.Corrected[i-1]}, true
}

// Corrections returns all corrections of the comparison, in the order of its rows.
func (c *Comparison) Corrections() (out []words.CorrectedDifference) {
	for _, row := range c.Rows {
		for i := range row.Corrected {
			d, _ := c.Correction(row, i+1)
			out = append(out, d)
		}
	}
	return out
}

// corrected shows the differences as people would judge them, beside the judge's.
func (x *compared) corrected() []document.Section {
	all := x.c.Corrections()
	if all == nil {
		return nil
	}
	h := x.w.Names().CorrectedHeads
	t := document.Table{ID: "corrected", Name: x.w.Names().CorrectedTitle, NameMost: 24, Columns: []document.Column{
		{ID: "metric", Head: h.Metric, Words: true}, {ID: "run", Head: x.w.Names().Strategy, Short: h.Run, Words: true, Most: 16},
		{ID: "judge", Head: h.Judge}, {ID: "judgeci", Head: x.w.Interval(percent(x.c.Level))},
		{ID: "corrected", Head: h.Corrected}, {ID: "ci", Head: x.w.Interval(percent(all[0].Level))},
		{ID: "people", Head: h.People}, {ID: "labels", Head: h.Labels}, {ID: "lambda", Head: "λ"}, {ID: "half", Head: h.Half},
	}, Steps: []document.Step{{Drop: []string{"half", "people"}}, {Stack: [][2]string{{"judge", "judgeci"}, {"corrected", "ci"}}}}}
	var sentences, notes []string
	for _, d := range all {
		sentences = append(sentences, visible(x.w.Corrected(d)))
		if n := x.w.Say("NotCounted", d); n != "" {
			notes = append(notes, visible(n))
		}
		if d.Corrected == nil {
			continue
		}
		t.Rows = append(t.Rows, x.correctedRow(d))
	}
	s := document.Section{ID: "corrected", Title: x.w.Names().CorrectedTitle, Nav: x.w.Names().CorrectedTitle}
	s.Blocks = append(s.Blocks, document.List{Items: document.Items(sentences...), Kind: document.Finding})
	if t.Rows != nil {
		s.Blocks = append(s.Blocks, t, document.Paragraph{Kind: document.Note, Text: document.T(x.w.Names().CorrectedNote)})
	}
	if notes != nil {
		s.Blocks = append(s.Blocks, document.List{Items: document.Items(notes...), Kind: document.Note})
	}
	return []document.Section{s}
}

func (x *compared) correctedRow(d words.CorrectedDifference) document.Row {
	m := d.Metric
	name := document.Cell{Text: document.Text{{Text: m.Name, Title: m.Title, Style: document.Metric, Lower: m.Better == "lower"}}}
	ends := func(ci *stats.Interval) string {
		if ci == nil {
			return "?"
		}
		return summary.Ends(m, *ci)
	}
	half := "–"
	if d.Half != nil {
		half = itoa(*d.Half)
	}
	corrected := document.Span{Text: signed(m, d.Mean)}
	if d.Direction(m) != summary.Open {
		corrected.Style = document.Strong
	}
	return document.Row{Cells: append(append([]document.Cell{name},
		document.Cells(d.New, signed(m, d.Judge.Diff), ends(d.Judge.CI))...),
		append([]document.Cell{{Text: document.Text{corrected}}},
			document.Cells(ends(&d.CI), signed(m, d.Human), itoa(d.N), fmt.Sprintf("%.2f", d.Lambda), half)...)...)}
}
