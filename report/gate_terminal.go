package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// gate writes the rules of the gate as a table, when they are more than
// thresholds: those stand in the table of metrics.
func (t *terminal) gate() {
	if t.r.plainGate() {
		return
	}
	t.gateRows()
}

// gateRows writes the table and the remarks, after an empty line, if there are
// any.
func (t *terminal) gateRows() {
	rows, notes := t.r.gateRows(), t.r.gateNotes()
	if rows != nil || notes != nil {
		t.println("")
	}
	if rows != nil {
		t.grid(t.gateGrid(rows))
	}
	for _, n := range notes {
		t.paragraph("warning: "+line(n), "  ")
	}
}

// gateGrid makes the table of rules as wide as the terminal allows: where it is
// narrow the intervals are left out, then all but what was got and the
// difference, and then rules are cut.
func (t *terminal) gateGrid(rows []gateRow) *grid {
	w := t.o.width()
	columns := usedColumns(rows)
	for _, drop := range [][]string{nil, {"Interval"}, {"Baseline", "n"}} {
		columns = slices.DeleteFunc(columns, func(c string) bool { return slices.Contains(drop, c) })
		if g := t.gateTable(rows, columns, w); g.columns() <= w {
			return g
		}
	}
	for rule := w; ; rule-- {
		if g := t.gateTable(rows, columns, rule); g.columns() <= w || rule <= 12 {
			return g
		}
	}
}

// gateTable makes the table with some columns, and rules cut to a width.
func (t *terminal) gateTable(rows []gateRow, columns []string, rule int) *grid {
	g := &grid{head: []string{"gate", "status"}, left: []bool{true, true}}
	for _, c := range t.r.gateHeads(columns) {
		g.head, g.left = append(g.head, heading(c)), append(g.left, false)
	}
	for _, r := range rows {
		g.add(append([]string{fit(r.Rule, rule), r.Word}, r.Cells(columns)...)...)
	}
	return g
}

// heading names a column as terminals do, in small letters.
func heading(c string) string {
	if c == "Δ" {
		return c
	}
	return strings.ToLower(c)
}

// GateTerminal writes what a gate came to for a person: the verdict, why rules
// did not pass, and the table of rules.
func GateTerminal(w io.Writer, r *Report, o Options) error {
	t := &terminal{r: r, o: o, out: bufio.NewWriter(w)}
	if r.Gate == nil {
		t.println("no gate")
		return t.out.Flush()
	}
	t.paragraph(t.bold("gate "+verdictWord(r.Gate.Verdict)+" · "+strings.Join(headline(r), " · ")), "  ")
	t.paragraph(fmt.Sprintf("run %s %s", line(r.Header.ID), line(r.Header.State)), "  ")
	t.println("")
	for _, l := range r.gateLines() {
		t.paragraph(" "+l, "   ")
	}
	t.gateRows()
	return t.out.Flush()
}
