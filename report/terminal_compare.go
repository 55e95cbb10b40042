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

// CompareTerminal writes the comparison for a person: the baseline first, then
// each run with its difference, where "~" stands where no difference can be
// shown, and sentences that can be quoted.
func CompareTerminal(w io.Writer, c *Comparison, o Options) error {
	t := &terminal{o: o, out: bufio.NewWriter(w)}
	t.paragraph(t.bold(c.dataset()), "  ")
	t.println("")
	var n notes
	names, blocks, head := c.columns(false, &n)
	// The interval stands below the mean where there is no room beside it for
	// one run next to the baseline.
	if widest(names)+widest(blocks[0])+widest(blocks[1])+2 > t.o.width() {
		n = notes{}
		names, blocks, head = c.columns(true, &n)
	}
	for len(blocks) > 0 {
		fits := t.blocks(names, blocks, head)
		blocks = blocks[fits:]
		t.println("")
	}
	t.paragraph("~ no difference can be shown at "+percent(c.Level)+"; p is corrected for "+plural(len(c.Rows)*(len(c.Runs)-1), "test", "tests")+" (Holm)", "  ")
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

// columns gives the column of metrics and a block of columns for each run, with
// the intervals beside the means or below them, and how many lines head them.
func (c *Comparison) columns(below bool, n *notes) (names []string, blocks [][]string, head int) {
	g := &grid{head: []string{"metric"}, left: []bool{true}}
	for _, r := range c.Rows {
		g.add(arrow(r.MetricInfo))
	}
	if below {
		g.double()
	}
	names = append([]string{""}, g.lines()...)
	for i := range c.Runs {
		blocks = append(blocks, c.block(i, below, n))
	}
	return names, blocks, 1 + g.headLines()
}

// block gives the columns of run i, under a line with its name.
func (c *Comparison) block(i int, below bool, n *notes) []string {
	g := &grid{head: estimateHead(c.Level, below)}
	for range g.head {
		g.left = append(g.left, false)
	}
	if i == 0 {
		g.head, g.left = append(g.head, "n"), append(g.left, false)
	} else {
		g.head, g.left = append(g.head, "Δ", "p (Holm)", "n", ""), append(g.left, false, false, false, true)
	}
	for _, r := range c.Rows {
		e := r.Estimates[i]
		cells := estimateCells(r.MetricInfo, e, below)
		if i == 0 {
			cells = append(cells, strconv.Itoa(e.N))
		} else {
			d := r.Differences[i-1]
			cells = append(cells, delta(r.MetricInfo, d), pValue(d), strconv.Itoa(d.N), n.mark(plain(pairNotes(d))))
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

var onlyDiffer = regexp.MustCompile(`only \d+ cases? differs?`)

// pairNotes gathers what limits a difference. The number of cases that differ
// is left to the columns, so that one remark serves many rows.
func pairNotes(d stats.Comparison) []string {
	var out []string
	for _, w := range d.Warnings {
		out = append(out, onlyDiffer.ReplaceAllString(w, "few cases differ"))
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
