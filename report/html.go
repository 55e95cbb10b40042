package report

import (
	"io"

	"github.com/assay-eval/assay/report/html"
)

var htmlFormat = Format{
	Name: "html", Ext: ".html", Media: "text/html; charset=utf-8",
	Doc:   "one self-contained page with plots, search and every case",
	Prose: true,
	Write: HTML, Compare: CompareHTML,
}

// HTML writes the report as one page that needs nothing else: styles, scripts,
// plots and data are inside, and a policy in its head forbids every request.
// All that is known of each case can be searched and opened; very long texts
// are cut, so that the page of a large run stays one that a browser can open.
func HTML(w io.Writer, r *Report, o Options) error {
	return html.Write(w, r.Document(o), "report.js", newPageData(newContent(r, o)))
}

// CompareHTML writes the comparison as one page like that of [HTML]: the
// differences with their intervals as a forest plot, each case's difference, the
// differences by tag, quality against cost and latency, what changed most, and a
// table of the cases in which to see who won and what no run solves. Without
// scripts all but that table is there.
func CompareHTML(w io.Writer, c *Comparison, o Options) error {
	return html.Write(w, c.Document(o), "compare.js", newCompareData(c, o))
}
