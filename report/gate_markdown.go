package report

import (
	"bufio"
	"io"
	"strings"

	"github.com/assay-eval/assay/gate"
)

// gateTable writes the rules of the gate as a table, when they are more than
// thresholds: those stand in the summary.
func (m *markdown) gateTable() {
	if m.r.plainGate() || m.r.gateRows() == nil && m.r.gateNotes() == nil {
		return
	}
	m.printf("\n## Gate\n")
	m.gateRows()
}

func (m *markdown) gateRows() {
	rows := m.r.gateRows()
	columns := usedColumns(rows)
	if rows != nil {
		m.printf("| Rule | Status | %s | Cases |\n|---|---|%s---|", strings.Join(m.r.gateHeads(columns), " | "), strings.Repeat("---:|", len(columns)))
	}
	for _, r := range rows {
		word := r.Word
		if r.Class == verdictClass(gate.Fail) || r.Class == verdictClass(gate.Inconclusive) {
			word = "**" + word + "**"
		}
		m.printf("| %s | %s | %s | %s |", code(r.Rule), word, cells(r.Cells(columns)), inline(r.Lost))
	}
	if notes := m.r.gateNotes(); notes != nil {
		if rows != nil {
			m.printf("")
		}
		for _, n := range notes {
			m.printf("- warning: %s", inline(n))
		}
	}
}

// cells joins cells of a table.
func cells(texts []string) string {
	for i, text := range texts {
		texts[i] = inline(text)
	}
	return strings.Join(texts, " | ")
}

// GateMarkdown writes what a gate came to, for a pull request.
func GateMarkdown(w io.Writer, r *Report, o Options) error {
	m := &markdown{r: r, o: o, out: bufio.NewWriter(w)}
	if r.Gate == nil {
		m.printf("No gate.")
		return m.out.Flush()
	}
	m.printf("# Gate of %s: %s\n", inline(r.title()), verdictWord(r.Gate.Verdict))
	for _, l := range r.gateLines() {
		m.printf("- %s", inline(l))
	}
	if r.gateRows() != nil || r.gateNotes() != nil {
		m.printf("")
		m.gateRows()
	}
	return m.out.Flush()
}

// GateJSON writes what a gate came to: the member "gate" of the report's JSON,
// or null.
func GateJSON(w io.Writer, r *Report, _ Options) error { return encode(w, newGateJSON(r.Gate)) }
