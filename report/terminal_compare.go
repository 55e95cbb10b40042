package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// CompareTerminal writes the comparison for a person: the baseline first, then
// each run with its difference, where "~" stands where no difference can be
// shown, and sentences that can be quoted.
func CompareTerminal(w io.Writer, c *Comparison, o Options) error {
	t := &terminal{o: o, out: bufio.NewWriter(w)}
	t.paragraph(t.bold(c.dataset()), "  ")
	t.println("")
	var n notes
	var blocks [][]string
	for i := range c.Runs {
		blocks = append(blocks, c.block(i, &n))
	}
	names := c.names()
	for len(blocks) > 0 {
		fits := t.blocks(names, blocks)
		blocks = blocks[fits:]
		t.println("")
	}
	t.println("~ no difference can be shown at " + percent(c.Level) + "; p is corrected for " + plural(len(c.Rows)*(len(c.Runs)-1), "test", "tests") + " (Holm)")
	t.notes(&n)
	t.println("")
	shown, not := c.sentences()
	for _, s := range shown {
		t.paragraph(s, "  ")
	}
	// What cannot be shown is in the table already; a word is due only when
	// there is nothing else to say.
	if len(shown) == 0 {
		for _, s := range not[:min(len(not), 3)] {
			t.paragraph(s, "  ")
		}
	}
	for _, warn := range c.Warnings {
		t.paragraph("warning: "+line(warn), "  ")
	}
	if o.Page != "" {
		t.println("report: " + line(o.Page))
	}
	return t.out.Flush()
}

// names gives the column of metrics, under two lines of heading.
func (c *Comparison) names() []string {
	g := &grid{head: []string{"metric"}, left: []bool{true}}
	for _, r := range c.Rows {
		g.add(arrow(r.MetricInfo))
	}
	return append([]string{""}, g.lines()...)
}

// block gives the columns of run i, under a line with its name.
func (c *Comparison) block(i int, n *notes) []string {
	half95 := "±" + percent(c.Level)
	g := &grid{head: []string{"mean", half95, "n"}, left: []bool{false, false, false}}
	if i > 0 {
		g.head = []string{"mean", half95, "Δ", "p (Holm)", "n", ""}
		g.left = []bool{false, false, false, false, false, true}
	}
	for _, r := range c.Rows {
		e := r.Estimates[i]
		cells := []string{mean(r.MetricInfo, e), half(r.MetricInfo, e), strconv.Itoa(e.N)}
		if i > 0 {
			d := r.Differences[i-1]
			cells = append(cells[:2], delta(r.MetricInfo, d), pValue(d), strconv.Itoa(d.N), n.mark(pairNotes(d)))
		}
		g.add(cells...)
	}
	lines := g.lines()
	name := " " + fit(line(c.Runs[i]), max(width(lines[0])-2, 12))
	return slices.Insert(lines, 0, name)
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

// pairNotes gathers what limits a difference. The number of cases that differ
// is left to the columns, so that one remark serves many rows.
func pairNotes(d stats.Comparison) []string {
	differ := fmt.Sprintf("only %d cases differ", d.Wins+d.Losses)
	var out []string
	for _, w := range d.Warnings {
		out = append(out, strings.Replace(w, differ, "few cases differ", 1))
	}
	if d.Dropped > 0 {
		out = append(out, fmt.Sprintf("%s scored in one run only and left out of Δ", plural(d.Dropped, "case", "cases")))
	}
	return out
}

// blocks writes as many blocks as fit the width, at least one, beside the names
// and returns how many it wrote.
func (t *terminal) blocks(names []string, blocks [][]string) int {
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
			if i < 2 {
				rule = "│"
			}
			rows[i] += rule + pad(b[i], w)
		}
	}
	for i, s := range rows {
		if i < 2 {
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
