package report

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// CompareTerminal writes the comparison for a person: the means with their
// intervals, where "~" stands for a difference that cannot be shown, the
// differences as a forest plot, sentences that can be quoted, what could have
// been detected, then where answers are lost, tags, cost and latency, the cases that changed most and
// those that no run solves, and what was set otherwise. By default it shows five
// cases of one run, three of each of several.
func CompareTerminal(w io.Writer, c *Comparison, o Options) error {
	t := &terminal{o: o, out: bufio.NewWriter(w)}
	t.paragraph(t.bold(c.dataset()), "  ")
	t.println("")
	counted := t.compared(c)
	t.findings(c)
	t.forest(c, !counted)
	if !o.Brief {
		t.lostCompared(c)
		t.sliced(c)
		t.standings(c)
		t.changed(c)
		t.missed(c)
		t.settings(c)
	}
	if c.Warnings != nil || o.Page != "" {
		t.println("")
	}
	for _, warn := range c.Warnings {
		t.paragraph("warning: "+line(warn), "  ")
	}
	if o.Page != "" {
		t.println("report: " + line(o.Page))
	}
	return t.out.Flush()
}

// compared writes the table of means, as many runs side by side as there is
// room for. It reports whether that left room for the counts of cases that got
// better, stayed and got worse.
func (t *terminal) compared(c *Comparison) (counted bool) {
	var n notes
	var names []string
	var blocks [][]string
	var head int
	// Where there is no room for one run next to the baseline, the counts of cases
	// are left to the plot below, then the intervals stand below the means.
	for _, l := range []compareLayout{{false, true}, {false, false}, {true, true}, {true, false}} {
		n = notes{}
		names, blocks, head = c.columns(l, &n)
		counted = l.counts
		if widest(names)+widest(blocks[0])+widest(blocks[1])+2 <= t.o.width() {
			break
		}
	}
	for len(blocks) > 0 {
		fits := t.blocks(names, blocks, head)
		blocks = blocks[fits:]
		t.println("")
	}
	note := "~ no difference can be shown at " + percent(c.Level) + "; p is corrected for " + plural(c.Tests, "test", "tests") + " (Holm)" + c.uncorrected()
	if counted {
		note += "; b/s/w: cases better, the same, worse"
	}
	t.paragraph(note, "  ")
	t.notes(&n)
	t.println("")
	return counted
}

// A compareLayout chooses the columns of the table of means.
type compareLayout struct {
	// below puts the intervals below the means.
	below bool
	// counts shows how many cases got better, stayed and got worse.
	counts bool
}

// findings writes what the comparison shows.
func (t *terminal) findings(c *Comparison) {
	const most = 8
	lead, more := c.lead(most)
	for _, s := range lead {
		t.paragraph(s, "  ")
	}
	if more > 0 {
		t.println(fmt.Sprintf("… and %s that can be shown", plural(more, "more difference", "more differences")))
	}
	for _, s := range c.power() {
		t.paragraph(s+" (power 80 %, uncorrected).", "  ")
	}
}

// columns gives the column of metrics and a block of columns for each run, and
// how many lines head them.
func (c *Comparison) columns(l compareLayout, n *notes) (names []string, blocks [][]string, head int) {
	g := &grid{head: []string{"metric"}, left: []bool{true}}
	for _, r := range c.Rows {
		g.add(fit(arrow(r.MetricInfo), 28))
	}
	if l.below {
		g.double()
	}
	names = append([]string{""}, g.lines()...)
	for i := range c.Runs {
		blocks = append(blocks, c.block(i, l, n))
	}
	return names, blocks, 1 + g.headLines()
}

// block gives the columns of run i, under a line with its name.
func (c *Comparison) block(i int, l compareLayout, n *notes) []string {
	g := &grid{head: estimateHead(c.Level, l.below)}
	for range g.head {
		g.left = append(g.left, false)
	}
	column := func(left bool, names ...string) {
		for _, name := range names {
			g.head, g.left = append(g.head, name), append(g.left, left)
		}
	}
	if i > 0 {
		column(false, "Δ", "p (Holm)")
		if l.counts {
			column(false, "b/s/w")
		}
	}
	column(false, "n")
	if i > 0 {
		column(true, "")
	}
	for _, r := range c.Rows {
		e := r.Estimates[i]
		cells := estimateCells(r.MetricInfo, e, l.below)
		if i == 0 {
			g.add(append(cells, strconv.Itoa(e.N))...)
			continue
		}
		d := r.Differences[i-1]
		cells = append(cells, delta(r.MetricInfo, d), pValue(d))
		if l.counts {
			cells = append(cells, strings.ReplaceAll(counts(r.MetricInfo, d), " ", ""))
		}
		g.add(append(cells, strconv.Itoa(d.N), n.mark(plain(pairNotes(d))))...)
	}
	lines := g.lines()
	name := " " + fit(line(c.Runs[i]), max(width(lines[0])-2, 12))
	return slices.Insert(lines, 0, name)
}

// counts shows how many cases the new run does better, the same and worse.
func counts(m assay.MetricInfo, d stats.Comparison) string {
	if d.N == 0 {
		return ""
	}
	return fmt.Sprintf("%d / %d / %d", better(m, d), d.Ties, worse(m, d))
}

// delta shows a difference of means, "~" when none can be shown.
func delta(m assay.MetricInfo, d stats.Comparison) string {
	switch {
	case d.N == 0:
		return "–"
	case !summary.Shown(d):
		return "~"
	}
	return signed(m, d.Diff)
}

func pValue(d stats.Comparison) string {
	if d.N == 0 {
		return ""
	}
	return summary.P(d.PAdjusted)
}

var onlyDiffer = regexp.MustCompile(`only \d+ cases? differs?`)

// sided matches the numbers of cases at the end of a remark.
var sided = regexp.MustCompile(`: \d+ better, \d+ worse$`)

// pairNotes gathers what limits a difference. Numbers of cases are left to the
// columns, so that one remark serves many rows.
func pairNotes(d stats.Comparison) []string {
	var out []string
	for _, w := range d.Warnings {
		out = append(out, sided.ReplaceAllString(onlyDiffer.ReplaceAllString(w, "few cases differ"), ""))
	}
	if d.Dropped > 0 {
		out = append(out, fmt.Sprintf("%s scored in one run only and left out of Δ", plural(d.Dropped, "case", "cases")))
	}
	return out
}

// blocks writes as many blocks as fit the width, at least one, beside the names
// and returns how many it wrote. The first lines are the heading.
func (t *terminal) blocks(names []string, blocks [][]string, head int) int {
	rows := make([]string, len(names))
	for i, s := range names {
		rows[i] = pad(s, widest(names))
	}
	used, count := widest(names), 0
	for _, b := range blocks {
		w := widest(b)
		if count > 0 && used+1+w > t.o.width() {
			break
		}
		used += 1 + w
		count++
		for i := range rows {
			rule := " "
			if i < head {
				rule = "│"
			}
			rows[i] += rule + pad(b[i], w)
		}
	}
	for i, s := range rows {
		if i < head {
			s = t.bold(strings.TrimRight(s, " "))
		}
		t.println(s)
	}
	return count
}

func widest(lines []string) int {
	w := 0
	for _, l := range lines {
		w = max(w, width(l))
	}
	return w
}
