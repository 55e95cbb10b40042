package report

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/draw"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// differences is the table of all differences from the first run, with a plot of each.
// Metrics with the same unit share a table and an axis.
func (x *compared) differences() []document.Section {
	c := x.c
	level := x.w.Interval(percent(c.Level))
	estimates := slices.ContainsFunc(c.Rows, func(r summary.ComparisonRow) bool { return r.Estimate })
	tolerated := slices.ContainsFunc(c.Rows, func(r summary.ComparisonRow) bool {
		return slices.ContainsFunc(r.Tolerances, func(t float64) bool { return t > 0 }) && !r.Estimate
	})
	s := document.Section{ID: "differences", Title: x.w.Say("DifferencesTitle", words.V{"baseline": c.Runs[0]}), Nav: x.w.Names().DifferencesNav}
	s.Blocks = []document.Block{
		document.Paragraph{Text: document.T(x.w.Say("ForestLegend", words.V{"level": level, "estimates": estimates, "tolerances": tolerated})),
			Views: document.Glance},
		document.Paragraph{Kind: document.Note,
			Text:  document.T(x.w.Say("DifferencesNote", words.V{"level": level, "f": c.families(), "estimates": estimates, "tolerances": tolerated})),
			Views: document.Page},
	}
	reach, units := reaches(x.rows())
	for _, unit := range units {
		s.Blocks = append(s.Blocks, x.differenceTable(unit, draw.Reach(reach[unit])))
	}
	s.Blocks = append(s.Blocks, x.clusters(document.Page)...)
	if c.tests() > 0 {
		s.Blocks = append(s.Blocks, document.Paragraph{Text: document.T(x.w.Say("FamilyNote", c.families())), Views: document.Reading})
	}
	if shown, noWorse, not, estimated := x.sentences(); (shown != nil || noWorse != nil) && not != nil || estimated != nil {
		s.Blocks = append(s.Blocks, document.Fold{Title: x.w.Names().NotShown,
			Blocks: []document.Block{document.List{Items: document.Items(append(not, estimated...)...)}}, Views: document.Page})
	}
	return []document.Section{s}
}

// reaches returns, by unit, the largest distance from 0 of the differences and their
// intervals, and the units in order.
func reaches(rows []summary.ComparisonRow) (reach map[string]float64, units []string) {
	reach = map[string]float64{}
	for _, row := range rows {
		if _, ok := reach[row.Unit]; !ok {
			units = append(units, row.Unit)
		}
		far := reach[row.Unit]
		for _, d := range row.Differences {
			far = max(far, math.Abs(d.Diff))
			if d.CI != nil {
				far = max(far, math.Abs(d.CI.Lo), math.Abs(d.CI.Hi))
			}
		}
		reach[row.Unit] = far
	}
	return reach, units
}

func (x *compared) differenceTable(unit string, reach float64) document.Table {
	c, h := x.c, x.w.Names().DifferenceHeads
	several := document.Reading | document.Page
	if len(c.Runs) > 2 {
		several = 0
	}
	const text, glance, page = document.Reading, document.Glance, document.Page
	plot := h.Plot
	if unit != "" {
		plot += ", " + line(unit)
	}
	t := document.Table{
		ID: "compare", Name: x.w.Names().DifferencesNav, NameMost: 24, Cut: true,
		Columns: []document.Column{
			{ID: "metric", Head: h.Metric, Words: true}, {ID: "run", Head: x.w.Names().Strategy, Short: h.Run, Words: true, Role: "run", Most: 16,
				Views: several},
			{ID: "old", Head: c.Runs[0], Views: text}, {ID: "new", Head: h.Mean, Views: text},
			{ID: "oldp", Head: h.Baseline, Views: page}, {ID: "newp", Head: h.Mean, Short: h.ShortMean, Views: page},
			{ID: "plot", Head: plot, Plot: 81, PlotLeast: 17, Role: "forest", Views: glance | page},
			{ID: "delta", Head: "Δ", Views: glance | text}, {ID: "ci", Head: x.w.Interval(percent(c.Level)), Views: glance | text},
			{ID: "deltap", Head: "Δ", Views: page},
			{ID: "p", Head: "p (maxT)", Role: "last", Views: text | page},
			{ID: "counts", Head: h.Counts, Short: h.ShortCounts, Role: "last"}, {ID: "mde", Head: h.Detects, Views: text},
			{ID: "n", Head: "n", Views: text}, {ID: "np", Head: h.NDetects, Role: "last", Views: page},
		},
		Steps: []document.Step{{Drop: []string{"counts"}}, {Drop: []string{"ci"}}, {Drop: []string{"delta"}}},
	}
	t.Foot = make([]document.Cell, len(t.Columns))
	t.Foot[6] = document.Cell{Plot: draw.ForestAxis{Reach: reach, Label: x.w.Say("AxisLabel", words.V{"unit": line(unit)})}}
	for _, row := range x.rows() {
		if row.Unit != unit {
			continue
		}
		for i := range row.Differences {
			t.Rows = append(t.Rows, x.differenceRow(row, i, reach))
		}
	}
	return t
}

func (x *compared) differenceRow(row summary.ComparisonRow, i int, reach float64) document.Row {
	c, m, d := x.c, row.MetricInfo, row.Differences[i]
	shown := summary.Shown(d)
	name := document.Span{Text: m.Name, Title: m.Title, Style: document.Metric, Lower: m.Better == "lower", Estimate: m.Estimate}
	if name.Lower {
		name.Notes = []string{x.w.Names().LowerIsBetter}
	}
	if m.Estimate {
		name.Notes = append(name.Notes, x.w.Names().EstimateWord)
	}
	out := document.Row{}
	first := document.Cell{Text: document.Text{name}, Span: len(row.Differences)}
	if i == 0 {
		out.Rank = document.First
	} else {
		first.Joined = true
	}
	mark := document.None
	change, ci := document.Text(nil), ""
	if d.N > 0 {
		change, ci = x.change(m, d), x.signedInterval(row, d.CI)
	}
	if shown {
		mark = document.Bad
		if summary.Improves(m, d) {
			mark = document.Good
		}
	}
	old, new := row.Estimates[0], row.Estimates[i+1]
	detects, remarks := mde(m, d), document.Remarks(x.pairNotes(m, d)...)
	np := document.Cell{Text: document.T(itoa(d.N)), Remarks: remarks, FoldTitle: x.w.Say("Remarks", words.V{"n": len(remarks)})}
	if detects != "" {
		np.Below = "≥ " + detects
	}
	oldText, newText := "–", "–"
	if d.N > 0 {
		oldText, newText = number(m, d.Old), number(m, d.New)
	}
	out.Cells = document.Cells(first, c.Runs[i+1], oldText, newText,
		document.Cell{Text: document.T(mean(m, old)), Below: ends(x.w, m, old)}, document.Cell{Text: document.T(mean(m, new)), Below: ends(x.w, m, new)},
		document.Cell{Plot: x.forest(row, i+1, reach), Mark: mark}, document.Cell{Text: change, Mark: mark}, ci,
		document.Cell{Text: change, Below: ci, Mark: mark}, pValue(m, d), counts(m, d), detects,
		document.Cell{Text: document.T(itoa(d.N)), Remarks: remarks}, np)
	return out
}

// change returns a difference: "▲ +0.228" if it is significant, "≈ +0.113" if it is an
// estimate, else "~ −0.007".
func (x *compared) change(m assay.MetricInfo, d stats.Comparison) document.Text {
	if m.Estimate {
		return document.T("≈ " + signed(m, d.Diff))
	}
	if summary.Shown(d) {
		return document.Text{{Text: shownSign(m, d) + " " + signed(m, d.Diff), Style: document.Strong}}
	}
	return document.Text{{Text: "~ " + signed(m, d.Diff), Style: document.Dim}}
}

func (x *compared) forest(row summary.ComparisonRow, i int, reach float64) draw.Plot {
	m, d := row.MetricInfo, row.Differences[i-1]
	f := draw.Forest{Diff: d.Diff, CI: spanOf(d.CI), None: d.N == 0, Shown: summary.Shown(d), Estimate: m.Estimate, Better: summary.Improves(m, d),
		NoWorse: row.NoWorse(i), Reach: reach, Label: x.w.Names().NoCommonCase}
	if d.N > 0 {
		var ends []string
		if d.CI != nil {
			lo, hi := summary.Bounds(m, *d.CI)
			ends = []string{lo, hi}
		}
		f.Label = x.w.Say("DifferenceLabel", words.V{"diff": signed(m, d.Diff), "level": percent(d.Level), "ends": ends})
	}
	return f
}

// shownSign returns the sign for better or worse if the difference is significant.
func shownSign(m assay.MetricInfo, d stats.Comparison) string {
	if summary.Improves(m, d) {
		return "▲"
	}
	return "▼"
}

// counts returns the numbers of cases in which the new run does better, equally well
// and worse; "" for an estimate, which decides no case.
func counts(m assay.MetricInfo, d stats.Comparison) string {
	if d.N == 0 || m.Estimate {
		return ""
	}
	better, worse := summary.Sides(m, d)
	return fmt.Sprintf("%d/%d/%d", better, d.Ties, worse)
}

// delta returns a difference of means, "~" if it is not significant.
func delta(m assay.MetricInfo, d stats.Comparison) string {
	switch {
	case d.N == 0:
		return "–"
	case m.Estimate:
		return "≈ " + signed(m, d.Diff)
	case !summary.Shown(d):
		return "~"
	}
	return signed(m, d.Diff)
}

// pValue returns the corrected p-value; "" if nothing was tested.
func pValue(m assay.MetricInfo, d stats.Comparison) string {
	if d.N == 0 || m.Estimate {
		return ""
	}
	return summary.P(d.PAdjusted)
}

// signedInterval returns the interval of a difference, or "?" if there is none.
func (x *compared) signedInterval(r summary.ComparisonRow, ci *stats.Interval) string {
	switch {
	case r.NearChance != "":
		return x.w.Names().NearChance
	case ci == nil:
		return "?"
	}
	return summary.Ends(r.MetricInfo, *ci)
}

// pairNotes returns the limitations of a difference. It omits the numbers of cases,
// which have columns of their own, so one remark can serve many rows.
func (x *compared) pairNotes(m assay.MetricInfo, d stats.Comparison) []string {
	var out []string
	if m.Estimate {
		out = append(out, x.w.Names().EstimateCompared)
	}
	for _, w := range d.Warnings {
		out = append(out, x.w.Limit(w.General()))
	}
	if d.Dropped > 0 {
		out = append(out, x.w.Say("LeftOut", words.V{"cases": d.Dropped}))
	}
	return out
}

func finiteNumber(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// power returns the detectable differences, one line per number of cases: "300 cases
// can detect 0.03 in ndcg@10, 0.041 in hit@1, or more".
func (x *compared) power() []string {
	cases, can, cannot := map[int]bool{}, map[int][]string{}, map[int][]string{}
	for _, row := range x.c.Rows {
		most := map[int]float64{}
		for _, d := range row.Differences {
			v, ok := summary.Detects(row.MetricInfo, d)
			if ok && !(math.IsInf(v, 0) && slices.ContainsFunc(row.Differences, summary.Shown)) {
				most[d.N] = max(most[d.N], v)
			}
		}
		for n, v := range most {
			cases[n] = true
			if d := detected(v); d == "" {
				cannot[n] = append(cannot[n], line(row.Name))
			} else {
				can[n] = append(can[n], x.w.Say("PowerIn", words.V{"Difference": d, "Metric": line(row.Name)}))
			}
		}
	}
	var out []string
	for _, n := range slices.Backward(slices.Sorted(maps.Keys(cases))) {
		out = append(out, x.w.Say("Power", words.V{"cases": n, "can": can[n], "cannot": cannot[n]}))
	}
	return out
}

// mde returns the minimum detectable effect of a difference, or "" if it is not known.
func mde(m assay.MetricInfo, d stats.Comparison) string {
	v, _ := summary.Detects(m, d)
	if v == 0 {
		return ""
	}
	return detected(v)
}

// detected formats a detectable difference; "" if none is possible.
func detected(v float64) string {
	if math.IsInf(v, 0) {
		return ""
	}
	return summary.RoundedUp(v)
}

// tests returns the number of tests of the table.
func (c *Comparison) tests() int { return c.Tests + c.PrimaryTests }

// families returns what was tested together.
func (c *Comparison) families() words.Families {
	f := words.Families{Tests: c.Tests}
	if c.Declared {
		f.Primary, f.PrimaryTests = line(c.Primary), c.PrimaryTests
	}
	return f
}

// led returns the rows, that of a declared primary metric first.
func (c *Comparison) led() []summary.ComparisonRow {
	if row, ok := c.row(c.Primary); ok && c.Declared {
		rest := slices.DeleteFunc(slices.Clone(c.Rows), func(r summary.ComparisonRow) bool { return r.Name == row.Name })
		return append([]summary.ComparisonRow{row}, rest...)
	}
	return c.Rows
}

// notLed returns the sentences about a declared primary metric in which no difference
// can be shown.
func (x *compared) notLed() []string {
	row, ok := x.c.row(x.c.Primary)
	if !ok || !x.c.Declared {
		return nil
	}
	var out []string
	for i, d := range row.Differences {
		if !summary.Shown(d) {
			out = append(out, visible(x.w.Difference(x.c.Computed.Comparison, row, i+1)))
		}
	}
	return out
}

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
		x.addCorrected(&t, d)
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

func (x *compared) addCorrected(t *document.Table, d words.CorrectedDifference) {
	m := d.Metric
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
	t.Add(document.Span{Text: m.Name, Title: m.Title, Style: document.Metric, Lower: m.Better == "lower"}, d.New, signed(m, d.Judge.Diff),
		ends(d.Judge.CI), corrected, ends(&d.CI), signed(m, d.Human), d.N, fmt.Sprintf("%.2f", d.Lambda), half)
}
