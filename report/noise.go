package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// NoiseSchema names the version of the JSON that [NoiseJSON] writes.
const NoiseSchema = "assay.noise/1"

// NoiseJSON writes the run's header and what was found of its noise.
func NoiseJSON(w io.Writer, h assay.Header, n summary.Noise) error {
	return encode(w, struct {
		Schema string        `json:"schema"`
		Run    assay.Header  `json:"run"`
		Noise  summary.Noise `json:"noise"`
		Advice []string      `json:"advice"`
	}{NoiseSchema, h, n, n.Advice()})
}

// NoiseTerminal writes what was found of a system's noise for a person.
func NoiseTerminal(w io.Writer, r *Report, n summary.Noise, o Options) error {
	t := &terminal{r: r, o: o, out: bufio.NewWriter(w)}
	t.header()
	g := &grid{head: noiseHead(n), left: []bool{true}}
	for range g.head[1:] {
		g.left = append(g.left, false)
	}
	for _, m := range n.Metrics {
		if m.N > 0 {
			g.add(noiseCells(m)...)
		}
	}
	if len(g.rows) == 0 {
		t.paragraph("No metric has a value in two draws of a case.", "")
	} else if t.grid(g); g.columns() > t.o.width() {
		t.println("")
		t.paragraph("The table is wider than the terminal: the Markdown file has it too.", "")
	}
	t.println("")
	for _, f := range noiseFacts(n) {
		for i, l := range wrap(f.value, t.o.width()-10, "") {
			name := f.name
			if i > 0 {
				name = ""
			}
			t.println(pad(" "+name, 10) + l)
		}
	}
	if needs := noiseNeeds(n); needs != nil {
		t.println("")
		t.paragraph(needsTitle(n), "  ")
		g := &grid{head: needsHead(n), left: make([]bool, len(needs[0]))}
		g.left[0] = true
		for _, row := range needs {
			g.add(row...)
		}
		t.grid(g)
	}
	for _, a := range n.Advice() {
		t.println("")
		t.paragraph(line(a), "  ")
	}
	return t.out.Flush()
}

// NoiseMarkdown writes the same for a page.
func NoiseMarkdown(w io.Writer, r *Report, n summary.Noise) error {
	m := &markdown{r: r, out: bufio.NewWriter(w)}
	m.printf("# Noise of %s\n", inline(r.title()))
	m.fact("Run", code(r.Header.ID)+", "+inline(r.Header.State))
	m.fact("Cases", casesAsked(r.Header, r.Summary))
	m.fact("Target", inline(targetLine(r.Header.Target)))
	m.fact("Judge", inline(judgingLine(r.Header, r.Summary)))
	m.printf("")
	m.table(noiseHead(n), func(row func(...string)) {
		for _, x := range n.Metrics {
			if x.N > 0 {
				cells := noiseCells(x)
				cells[0] = code(x.Name)
				row(cells...)
			}
		}
	})
	m.printf("")
	for _, f := range noiseFacts(n) {
		m.fact(strings.ToUpper(f.name[:1])+f.name[1:], inline(f.value))
	}
	if needs := noiseNeeds(n); needs != nil {
		m.printf("\n## What it takes\n\n%s\n", inline(needsTitle(n)))
		m.table(needsHead(n), func(row func(...string)) {
			for _, cells := range needs {
				cells[0] = code(cells[0])
				row(cells...)
			}
		})
	}
	m.printf("")
	for _, a := range n.Advice() {
		m.printf("%s\n", inline(a))
	}
	m.printf("## To reproduce\n")
	for _, f := range provenance(r) {
		m.fact(f.name, code(f.value))
	}
	return m.out.Flush()
}

// table writes a table whose first column holds names and the others numbers.
func (m *markdown) table(head []string, rows func(row func(...string))) {
	row := func(cells ...string) { m.printf("| %s |", strings.Join(cells, " | ")) }
	for i, h := range head {
		head[i] = strings.ReplaceAll(h, "\n", " ")
	}
	row(head...)
	m.printf("|---|%s", strings.Repeat("---:|", len(head)-1))
	rows(row)
}

func noiseHead(n summary.Noise) []string {
	return []string{"metric", "mean", strings.Replace(intervals(n.Level), " interval", "\ninterval", 1), "sd of\ncases", "sd of\ntarget", "sd of\njudge", "noise\nfloor", "largest\nA/A Δ", "A/A\nshown", "cases\nchanged", "n"}
}

func noiseCells(m summary.MetricNoise) []string {
	part := func(sd *float64) string {
		if sd == nil {
			return "?"
		}
		return number(m.MetricInfo, *sd)
	}
	return []string{
		arrow(m.MetricInfo), number(m.MetricInfo, m.Mean), interval(m.MetricInfo, m.CI), number(m.MetricInfo, m.Cases), part(m.Target), part(m.Judge),
		"±" + number(m.MetricInfo, m.Floor), number(m.MetricInfo, m.Largest), strconv.Itoa(m.Shown), strconv.Itoa(m.Changed), strconv.Itoa(m.N),
	}
}

// noiseFacts explains the table and names the cases that moved.
func noiseFacts(n summary.Noise) []fact {
	judged := "each response was judged once"
	if n.Judgings > 1 {
		judged = fmt.Sprintf("the first response to each was judged %d times", n.Judgings)
	}
	facts := []fact{
		{"draws", fmt.Sprintf("each case was asked %d times; %s", n.Draws, judged)},
		{"floor", fmt.Sprintf("two runs of this system over these cases lie less than this apart in %s of pairs", percent(n.Level))},
	}
	tests, shown := 0, 0
	for _, m := range n.Metrics {
		if m.N > 0 {
			tests, shown = tests+n.Pairs, shown+m.Shown
		}
	}
	if tests > 0 {
		facts = append(facts, fact{"A/A", fmt.Sprintf("%d of %s of a draw with another, of all metrics, %s a difference; by chance %s of them may, and all are false alarms", shown, plural(tests, "comparison", "comparisons"), shows(shown), percent(1-n.Level))})
	}
	if len(n.Flaky) > 0 {
		facts = append(facts, fact{"flaky", fmt.Sprintf("%d of %s: %s", len(n.Flaky), plural(n.Cases, "case", "cases"), flakyLine(n.Flaky))})
	} else {
		facts = append(facts, fact{"flaky", "no case"})
	}
	return facts
}

func shows(n int) string {
	if n == 1 {
		return "shows"
	}
	return "show"
}

func needsTitle(n summary.Noise) string {
	return fmt.Sprintf("Cases it takes, each asked once, to see a difference between two versions in %s of comparisons; in brackets how often the cases at hand must be asked instead, where that helps. The least: where a change moves some cases more than others it takes more.", percent(n.Power))
}

func needsHead(n summary.Noise) []string {
	head := []string{"metric"}
	for _, m := range n.Metrics {
		if m.Needs != nil {
			for _, need := range m.Needs {
				head = append(head, fmt.Sprintf("Δ %g", need.Effect))
			}
			break
		}
	}
	return head
}

// noiseNeeds are the rows of what it takes, for the metrics that moved; nil when
// none did.
func noiseNeeds(n summary.Noise) [][]string {
	var rows [][]string
	for _, m := range n.Metrics {
		if m.N == 0 || m.Floor == 0 || m.Needs == nil {
			continue
		}
		row := []string{line(m.Name)}
		for _, need := range m.Needs {
			cell := "–"
			if need.Cases > 0 {
				cell = strconv.Itoa(need.Cases)
			}
			if need.Cases > 0 && need.Repeat <= summary.MostRepeats {
				cell += fmt.Sprintf(" (×%d)", need.Repeat)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return rows
}
