package report

import (
	"io"

	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/markdown"
)

var markdownFormat = Format{
	Name: "markdown", Ext: ".md", Media: "text/markdown; charset=utf-8",
	Doc:   "tables and the lowest cases, for a pull request",
	Prose: true,
	Write: Markdown, Compare: CompareMarkdown, Gate: GateMarkdown,
}

// Markdown writes the report for a pull request or a wiki: facts, estimates with the
// verdicts on their thresholds, rules, where answers are lost, times, results by tag,
// the critical cases, the failed and then the lowest cases in detail, warnings, and
// what is needed to reproduce the run. By default it shows 20 cases, and up to 50
// failed ones.
func Markdown(w io.Writer, r *Report, o Options) error {
	return r.failed(writeMarkdown(w, r.Document(o)))
}

// CompareMarkdown writes the comparison for a pull request: a table of the usual
// retrieval metrics, the findings in sentences, every mean and every difference with
// its interval and test, then where answers are lost, tags, cost and latency, the
// cases that changed most, the cases that no run solves, and the settings that differ.
// By default it shows ten cases per run.
func CompareMarkdown(w io.Writer, c *Comparison, o Options) error {
	return c.failed(writeMarkdown(w, c.Document(o)))
}

// GateMarkdown writes the result of a gate, for a pull request.
func GateMarkdown(w io.Writer, r *Report, o Options) error {
	return r.failed(writeMarkdown(w, r.gateDocument(o)))
}

func writeMarkdown(w io.Writer, d *document.Document) error { return markdown.Write(w, d) }
