package report

import (
	"fmt"
	"io"
	"strconv"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// NoiseSchema is the version of the JSON that [NoiseJSON] writes.
const NoiseSchema = "assay.noise/1"

// NoiseJSON writes the run's header and the system's noise.
func NoiseJSON(w io.Writer, h assay.Header, n summary.Noise) error {
	return encode(w, struct {
		Schema string        `json:"schema"`
		Run    assay.Header  `json:"run"`
		Noise  summary.Noise `json:"noise"`
		Advice []string      `json:"advice"`
	}{NoiseSchema, h, n, words.English.NoiseAdvice(n)})
}

// NoiseTerminal writes the system's noise for a terminal.
func NoiseTerminal(w io.Writer, r *Report, n summary.Noise, o Options) error {
	return r.failed(writeTerminal(w, r.noise(n, o), o))
}

// NoiseMarkdown writes the system's noise as Markdown.
func NoiseMarkdown(w io.Writer, r *Report, n summary.Noise, o Options) error {
	return r.failed(writeMarkdown(w, r.noise(n, o)))
}

// noise builds the document about a system's noise.
func (r *Report) noise(n summary.Noise, o Options) *document.Document {
	c := newContent(r, o)
	d := c.frame(c.w.NoiseTitle(r.title()))
	if o.Page != "" {
		d.Saved = c.w.NoiseSaved(o.Page, line(r.Header.ID))
	}
	bare := document.Glance | document.Reading
	results := document.Section{ID: "noise", Bare: bare}
	if t := c.noiseTable(n); t.Rows != nil {
		results.Blocks = []document.Block{t}
	} else {
		results.Blocks = []document.Block{document.Paragraph{Text: document.T(c.w.NoNoise())}}
	}
	d.Sections = []document.Section{results, {ID: "facts", Bare: bare, Blocks: facts(c.noiseFacts(n))}}
	if t := c.needTable(n); t.Rows != nil {
		d.Sections = append(d.Sections, document.Section{ID: "needs", Title: c.w.NeedsTitle(), Bare: document.Glance,
			Blocks: []document.Block{document.Paragraph{Text: document.T(c.w.NeedsNote(percent(n.Power)))}, t}})
	}
	for _, a := range c.w.NoiseAdvice(n) {
		d.Sections = append(d.Sections, document.Section{ID: "advice", Bare: bare,
			Blocks: []document.Block{document.Paragraph{Text: document.T(a)}}})
	}
	d.Sections = append(d.Sections, document.Section{ID: "reproduce", Title: c.w.ReproduceTitle(), Views: document.Reading,
		Blocks: []document.Block{document.Facts{Items: provenance(c.w.Provenance(), r.Header)}}})
	return d
}

func (c *content) noiseTable(n summary.Noise) document.Table {
	h := c.w.NoiseHeads()
	t := document.Table{ID: "noise", Columns: []document.Column{{ID: "metric", Head: h.Metric, Words: true}, {ID: "mean",
		Head: h.Mean}, {ID: "ci", Head: c.w.Interval(percent(n.Level))}}}
	for i, head := range [][2]string{h.Cases, h.Target, h.Judge, h.Floor, h.Largest, h.Shown, h.Changed} {
		t.Columns = append(t.Columns, document.Column{ID: strconv.Itoa(i), Head: head[0] + " " + head[1], Short: head[0] + "\n" + head[1]})
	}
	t.Columns = append(t.Columns, document.Column{ID: "n", Head: "n"})
	t.Steps = []document.Step{{Stack: [][2]string{{"mean", "ci"}}}, {Drop: []string{"4", "5"}}, {Drop: []string{"1", "2"}}}
	for _, m := range n.Metrics {
		if m.N == 0 {
			continue
		}
		part := func(sd *float64) string {
			if sd == nil {
				return "?"
			}
			return number(m.MetricInfo, *sd)
		}
		ci := ""
		if m.N >= stats.Readable {
			ci = interval(m.MetricInfo, m.CI)
		}
		cells := []document.Cell{{Text: document.Text{{Text: m.Name, Style: document.Metric, Title: m.Title, Lower: m.Better == "lower",
			Estimate: m.Estimate}}}}
		t.Rows = append(t.Rows, document.Row{Cells: append(cells, document.Cells(
			number(m.MetricInfo, m.Mean), ci, number(m.MetricInfo, m.Cases), part(m.Target), part(m.Judge),
			"±"+number(m.MetricInfo, m.Floor), number(m.MetricInfo, m.Largest), itoa(m.Shown), itoa(m.Changed), itoa(m.N))...)})
	}
	return t
}

// noiseFacts explains the table and names the cases whose scores varied.
func (c *content) noiseFacts(n summary.Noise) []document.Fact {
	var facts []document.Fact
	add := func(name, text string) { facts = append(facts, document.Fact{Name: name, Lines: document.Of(text)}) }
	names := c.w.NoiseNames()
	add(names.Draws, c.w.NoiseDraws(n.Draws, n.Judgings))
	add(names.Floor, c.w.NoiseFloor(percent(n.Level)))
	tests, shown := 0, 0
	for _, m := range n.Metrics {
		if m.N > 0 {
			tests, shown = tests+n.Pairs, shown+m.Shown
		}
	}
	if tests > 0 {
		add(names.Same, c.w.FalseAlarms(shown, tests, percent(1-n.Level)))
	}
	add(names.Flaky, c.w.FlakyCases(len(n.Flaky), n.Cases, c.flaky(n.Flaky)))
	return facts
}

// needTable shows the cases and repetitions needed, for the metrics that varied.
func (c *content) needTable(n summary.Noise) document.Table {
	t := document.Table{ID: "needs", Columns: []document.Column{{Head: c.w.NoiseHeads().Metric, Words: true}}, Cut: true}
	for _, m := range n.Metrics {
		if m.Needs != nil && len(t.Columns) == 1 {
			for _, need := range m.Needs {
				t.Columns = append(t.Columns, document.Column{Head: fmt.Sprintf("Δ %g", need.Effect)})
			}
		}
		if m.N == 0 || m.Floor == 0 || m.Needs == nil {
			continue
		}
		row := document.Row{Cells: []document.Cell{{Text: document.C(m.Name)}}}
		for _, need := range m.Needs {
			cell := "–"
			if need.Cases > 0 {
				cell = strconv.Itoa(need.Cases)
			}
			if need.Cases > 0 && need.Repeat <= summary.MostRepeats {
				cell += fmt.Sprintf(" (×%d)", need.Repeat)
			}
			row.Cells = append(row.Cells, document.Cells(cell)...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
