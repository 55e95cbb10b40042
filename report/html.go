package report

import (
	"io"

	"github.com/assay-eval/assay/report/html"
)

var htmlFormat = Format{
	Name: "html", Ext: ".html", Media: "text/html; charset=utf-8",
	Doc:   "one self-contained page with plots and a searchable table of up to 500 cases: the worst and a random sample",
	Prose: true,
	Write: HTML, Compare: CompareHTML,
}

// HTML writes the report as one self-contained page: styles, scripts and plots are
// inline, and a content security policy forbids every request. The cases can be
// searched and opened. The page of a large run has the failed critical cases, the worst
// of the others and a random sample, 500 unless [Options.Cases] says otherwise, and says
// so. Very long texts are cut.
func HTML(w io.Writer, r *Report, o Options) error { return r.failed(html.Write(w, r.Document(o))) }

// CompareHTML writes the comparison as one page like that of [HTML]: the differences
// with their intervals as a forest plot, the difference of each case, the differences
// by tag, quality against cost and latency, the largest changes, and a table of the
// cases with the answers of all runs: of a large comparison the critical cases that a
// run failed, those that changed most, some that every run misses and a random sample.
func CompareHTML(w io.Writer, c *Comparison, o Options) error {
	return c.failed(html.Write(w, c.Document(o)))
}
