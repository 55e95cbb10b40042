package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// compared builds the sections of a comparison's document.
type compared struct {
	c *Comparison
	o Options
	w words.Words
	// values are the means over the draws, by run, metric and case of the matrix, NaN where
	// there is none; see [compared.cases].
	values [][][]float64
}

// compareSections lists the sections of every comparison, in order; a short one has no
// others. To add one, write its file and its line here.
var compareSections = []func(*compared) []document.Section{
	(*compared).sideBySide, (*compared).findings, (*compared).corrected, (*compared).preferred, (*compared).means,
	(*compared).differences, (*compared).judges,
}

// furtherSections follow if a comparison is not short.
var furtherSections = []func(*compared) []document.Section{
	(*compared).lost, (*compared).tags, (*compared).front, (*compared).changed, (*compared).missed, (*compared).lookup, (*compared).settings,
}

// Document returns the comparison as a document, which every readable format renders.
func (c *Comparison) Document(o Options) *document.Document {
	x := &compared{c: c.readable(), o: o, w: o.words()}
	d := &document.Document{
		Kicker: x.w.Names().ComparisonKicker, Title: x.w.Say("ComparisonTitle", words.V{"runs": len(c.Runs)}), Headline: document.Of(x.dataset()...),
		More: x.w.More, Language: x.w.Code, Colon: x.w.Names().Colon,
	}
	sections := compareSections
	if !o.Short {
		sections = append(sections[:len(sections):len(sections)], furtherSections...)
	}
	for _, section := range sections {
		d.Sections = append(d.Sections, section(x)...)
	}
	d.Sections = append(d.Sections, warnings(x.w, c.Warnings(x.w))...)
	d.Sections = append(d.Sections, x.reproduce())
	if o.Page != "" {
		d.Saved = x.w.Saved(o.Page)
	}
	return d
}

// dataset returns a short description of what the runs ran on.
func (x *compared) dataset() []string {
	h := x.c.Reports[0].Header
	var parts []string
	if name := line(h.Dataset.Name); name != "" {
		parts = append(parts, name)
	}
	parts = append(parts, x.w.Cases(h.Dataset.Cases))
	if corpus := corpusLine(x.w, h.Corpus); corpus != "" {
		parts = append(parts, x.w.Say("CorpusOf", words.V{"corpus": corpus}))
	}
	return append(parts, x.w.Say("BaselineOf", words.V{"run": line(x.c.Runs[0])}))
}

// rows returns the metrics of the tables. A short comparison has few: those with a
// significant difference, then the composite and the primary metric, then the others.
func (x *compared) rows() []summary.ComparisonRow {
	if !x.o.Short {
		return x.c.Rows
	}
	return chosen(x.c.Rows, func(r summary.ComparisonRow) int {
		switch {
		case slices.ContainsFunc(r.Differences, summary.Shown) && !r.Estimate:
			return 0
		case r.Name == assay.CompositeName || r.Name == x.c.Primary:
			return 1
		}
		return 2
	})
}

// sideBySide is the table of means for a glance, with a group of columns for each run.
func (x *compared) sideBySide() []document.Section {
	c, h, level := x.c, x.w.Names().EstimateHeads, x.w.Interval(percent(x.c.Level))
	t := document.Table{
		NameMost: 28, Columns: []document.Column{{ID: "metric", Head: h.Metric, Words: true}},
	}
	var stack [][2]string
	for i, name := range c.Runs {
		id := func(s string) string { return fmt.Sprintf("%s%d", s, i) }
		add := func(key, head string) {
			t.Columns = append(t.Columns, document.Column{ID: id(key), Head: head, Group: name})
		}
		add("mean", h.Mean)
		add("ci", level)
		if i > 0 {
			add("delta", "Δ")
			add("p", "p (maxT)")
		}
		add("n", "n")
		stack = append(stack, [2]string{id("mean"), id("ci")})
	}
	t.Steps = []document.Step{{Stack: stack}}
	for _, r := range x.rows() {
		cells := document.Cells(document.Span{Text: r.Name, Style: document.Metric, Lower: r.Better == "lower", Estimate: r.Estimate})
		for i, e := range r.Estimates {
			cells = append(cells, document.Cells(mean(r.MetricInfo, e), ends(x.w, r.MetricInfo, e))...)
			if i == 0 {
				cells = append(cells, document.Cells(e.N)...)
				continue
			}
			d := r.Differences[i-1]
			cells = append(cells, document.Cells(delta(r.MetricInfo, d), pValue(r.MetricInfo, d),
				document.Cell{Text: document.T(itoa(d.N)), Remarks: document.Remarks(x.pairNotes(r.MetricInfo, d)...)})...)
		}
		t.Rows = append(t.Rows, document.Row{Cells: cells})
	}
	blocks := []document.Block{t}
	if c.tests() > 0 {
		level := ""
		if slices.ContainsFunc(x.rows(), func(r summary.ComparisonRow) bool {
			return slices.ContainsFunc(r.Differences, func(d stats.Comparison) bool { return delta(r.MetricInfo, d) == "~" })
		}) {
			level = percent(c.Level)
		}
		if note := x.w.Say("TildeNote", words.V{"level": level, "f": c.families()}); note != "" {
			blocks = append(blocks, document.Paragraph{Text: document.T(note)})
		}
	}
	blocks = append(blocks, x.clusters(0)...)
	blocks = append(blocks, leftOut(x.w, len(c.Rows)-len(x.rows()))...)
	return []document.Section{{ID: "compared", Views: document.Glance, Bare: document.Glance, Blocks: blocks}}
}

// findings states in sentences what the comparison shows.
func (x *compared) findings() []document.Section {
	bare := document.Glance | document.Reading
	s := document.Section{ID: "findings", Bare: bare}
	if t := x.strategies(); t.Rows != nil {
		s.Blocks = append(s.Blocks, t)
	}
	s.Blocks = append(s.Blocks, document.Paragraph{Text: document.T(strings.Join(x.dataset(), " · ")), Views: document.Reading})
	for _, v := range []struct {
		view document.Views
		most int
	}{{document.Glance, 8}, {document.Reading, 20}, {document.Page, 1 << 30}} {
		lead, more := x.lead(v.most)
		items := document.Items(lead...)
		if more > 0 {
			items = append(items, document.Items(x.w.Say("MoreDifferences", words.V{"n": more}))...)
		}
		s.Blocks = append(s.Blocks, document.List{Items: items, Kind: document.Finding, Views: v.view})
	}
	if within := x.withinError(); within != nil {
		s.Blocks = append(s.Blocks, document.List{Items: document.Items(within...)})
	}
	if power := x.power(); power != nil {
		glance := mapped(power, func(p string) string { return p + " " + x.w.Names().PowerShort })
		s.Blocks = append(s.Blocks, document.List{Items: document.Items(glance...), Views: document.Glance},
			document.Paragraph{Kind: document.Note, Text: document.T(strings.Join(power, "; ") + "; " + x.w.Names().PowerNote + "."),
				Views: document.Page})
	}
	return []document.Section{s}
}

// strategies is the short table: one row per run, the usual metrics with two decimals.
func (x *compared) strategies() document.Table {
	columns := x.c.usual()
	t := document.Table{ID: "usual", Views: document.Reading, Columns: []document.Column{{Head: x.w.Names().Strategy, Words: true}}}
	if columns == nil {
		return t
	}
	for _, u := range columns {
		t.Columns = append(t.Columns, document.Column{Head: u.title})
	}
	for i, name := range x.c.Runs {
		row := document.Row{Cells: document.Cells(name)}
		for _, u := range columns {
			row.Cells = append(row.Cells, document.Cells(twoDecimals(u.row.MetricInfo, u.row.Estimates[i]))...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func twoDecimals(m assay.MetricInfo, e stats.Estimate) string {
	if e.N == 0 {
		return mean(m, e)
	}
	return fmt.Sprintf("%.2f", e.Mean)
}

// means is the table of all means with their intervals.
func (x *compared) means() []document.Section {
	c := x.c
	t := document.Table{ID: "means", Columns: []document.Column{{Head: x.w.Names().Strategy, Words: true}}}
	for _, r := range c.Rows {
		t.Columns = append(t.Columns, document.Column{Head: approximate(r.MetricInfo), Code: true})
	}
	for i, name := range c.Runs {
		row := document.Row{Cells: document.Cells(name)}
		for _, r := range c.Rows {
			e := r.Estimates[i]
			row.Cells = append(row.Cells, document.Cell{Text: document.T(fmt.Sprintf("%s (%d)", mean(r.MetricInfo, e), e.N)),
				Below: ends(x.w, r.MetricInfo, e)})
		}
		t.Rows = append(t.Rows, row)
	}
	note := document.Paragraph{Kind: document.Note, Text: document.T(x.w.Say("MeansNote", words.V{"level": x.w.Interval(percent(c.Level))}))}
	return []document.Section{{ID: "means", Title: x.w.Names().MeansTitle, Views: document.Reading,
		Blocks: append([]document.Block{t, note}, x.clusters(0)...)}}
}

// clusters says which cases are not independent, and which the means and the differences are of.
func (x *compared) clusters(in document.Views) []document.Block {
	out := clusters(x.w, in, mapped(x.c.Reports, headerOf)...)
	if slices.ContainsFunc(x.c.Rows, func(r summary.ComparisonRow) bool {
		return slices.ContainsFunc(r.Differences, func(d stats.Comparison) bool { return d.Dropped > 0 })
	}) {
		out = append(out, document.Paragraph{Kind: document.Note, Text: document.T(x.w.Names().OverCommon), Views: in})
	}
	return out
}

func (x *compared) reproduce() document.Section {
	s := document.Section{ID: "reproduce", Title: x.w.Names().ReproduceTitle, Nav: x.w.Names().ReproduceNav, Views: document.Reading | document.Page}
	var items []document.Fact
	for i, name := range x.c.Runs {
		items = append(items, document.Fact{Name: name, Lines: []document.Text{x.origin(i)}})
	}
	s.Blocks = facts(items)
	return s
}

// origin returns where the numbers of run i come from.
func (x *compared) origin(i int) document.Text {
	h := x.c.Reports[i].Header
	var out document.Text
	add := func(name, value string) {
		if value == "" {
			return
		}
		if out != nil {
			name = ", " + name
		}
		out = append(out, document.Span{Text: name}, document.Span{Text: value, Style: document.Code})
	}
	n := x.w.Names().OriginNames
	add(n.Run+" ", h.ID)
	add("assay ", h.Version)
	add(n.Dataset+" ", h.Dataset.Hash)
	if command := shellLine(h.Command); command != "" {
		add(n.Seed+" ", fmt.Sprint(h.Seed))
		add("", command)
	}
	return out
}

// sentences returns a sentence for each difference: the significant ones, those that are
// shown to be within a tolerance, the others, and those of estimates, which have no verdict. A declared primary metric comes first.
func (x *compared) sentences() (shown, noWorse, not, estimated []string) {
	for i := 1; i < len(x.c.Runs); i++ {
		for _, row := range x.c.led() {
			s := visible(x.w.Difference(x.c.Computed.Comparison, row, i))
			switch {
			case row.Estimate:
				estimated = append(estimated, s)
			case summary.Shown(row.Differences[i-1]):
				shown = append(shown, s)
			case row.NoWorse(i):
				noWorse = append(noWorse, s)
			default:
				not = append(not, s)
			}
		}
	}
	return shown, noWorse, not, estimated
}

// lead returns at most most sentences to begin a comparison: the significant
// differences, and the number of those left out. If there are none, it returns the
// sentences about the primary metric. If all metrics are estimates, it returns theirs.
func (x *compared) lead(most int) (sentences []string, more int) {
	shown, noWorse, not, estimated := x.sentences()
	if shown == nil && noWorse == nil && not == nil {
		return estimated[:min(len(estimated), most)], 0
	}
	if len(shown) > 0 {
		sentences = shown[:min(len(shown), most)]
		more = len(shown) - len(sentences)
		sentences = append(sentences, noWorse[:min(len(noWorse), most-len(sentences))]...)
		if first := x.notLed(); first != nil {
			sentences = slices.Concat(first, sentences)
		}
		return sentences, more
	}
	for i := 1; i < len(x.c.Runs); i++ {
		if row, ok := x.c.row(x.c.Primary); ok {
			sentences = append(sentences, visible(x.w.Difference(x.c.Computed.Comparison, row, i)))
		}
	}
	if len(sentences) < len(not)+len(noWorse) {
		sentences = append([]string{x.w.Say("NoDifference", words.V{"level": percent(x.c.Level), "tests": x.c.tests()})}, sentences...)
	}
	for _, s := range noWorse[:min(len(noWorse), most)] {
		if !slices.Contains(sentences, s) {
			sentences = append(sentences, s)
		}
	}
	return sentences, 0
}
