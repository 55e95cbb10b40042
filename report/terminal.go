package report

import (
	"io"

	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/terminal"
)

var terminalFormat = Format{
	Name: "terminal", Ext: ".txt", Media: "text/plain; charset=utf-8",
	Doc:   "a summary for a person at a terminal",
	Prose: true,
	Write: Terminal, Compare: CompareTerminal, Gate: GateTerminal,
}

// Terminal writes a summary for a terminal: the estimates with their intervals and
// counts, the result of the gate, where answers are lost, results by tag, the lowest
// cases, and warnings. By default it shows eight failed cases and the five lowest
// others.
func Terminal(w io.Writer, r *Report, o Options) error {
	return r.failed(writeTerminal(w, r.Document(o), o))
}

// CompareTerminal writes the comparison for a terminal: the means with their
// intervals, where "~" marks a difference that is not significant, sentences that can
// be quoted, the differences as a forest plot, then where answers are lost, tags, cost
// and latency, the cases that changed most, the cases that no run solves, and the
// settings that differ.
func CompareTerminal(w io.Writer, c *Comparison, o Options) error {
	return c.failed(writeTerminal(w, c.Document(o), o))
}

// GateTerminal writes the result of a gate for a terminal.
func GateTerminal(w io.Writer, r *Report, o Options) error {
	return r.failed(writeTerminal(w, r.gateDocument(o), o))
}

func writeTerminal(w io.Writer, d *document.Document, o Options) error {
	return terminal.Write(w, d, terminal.Options{Width: o.width(), Colour: o.Colour})
}
