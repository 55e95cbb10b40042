package report

import (
	"io"

	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/html"
	"github.com/assay-eval/assay/report/markdown"
	"github.com/assay-eval/assay/report/terminal"
)

// Terminal is for a terminal. By default it shows eight failed cases and the five lowest
// others. Of a comparison, "~" marks a difference that is not significant.
var Terminal = prose(Format{
	Name: "terminal", Ext: ".txt", Media: "text/plain; charset=utf-8",
	Doc: "a summary for a person at a terminal",
}, true, func(w io.Writer, d *document.Document, o Options) error {
	return terminal.Write(w, d, terminal.Options{Width: o.width(), Colour: o.Colour})
})

// Markdown is for a pull request or a wiki. By default it shows 20 cases and up to 50 failed
// ones, and ten cases per run of a comparison.
var Markdown = prose(Format{
	Name: "markdown", Ext: ".md", Media: "text/markdown; charset=utf-8",
	Doc: "tables and the lowest cases, for a pull request",
}, true, func(w io.Writer, d *document.Document, _ Options) error { return markdown.Write(w, d) })

// HTML is one self-contained page: styles, scripts and plots are inline, and a content
// security policy forbids every request. The cases can be searched and opened. The page of a
// large run has the failed critical cases, the worst of the others and a random sample, 500
// unless [Options.Cases] says otherwise, and says so. That of a large comparison has the
// critical cases that a run failed, those that changed most, some that every run misses and a
// random sample. Very long texts are cut.
var HTML = prose(Format{
	Name: "html", Ext: ".html", Media: "text/html; charset=utf-8",
	Doc: "one self-contained page with plots and a searchable table of up to 500 cases: the worst and a random sample",
}, false, func(w io.Writer, d *document.Document, _ Options) error { return html.Write(w, d) })

// prose completes a format that renders documents; gate is set if it has one of a gate alone.
func prose(f Format, gate bool, render func(io.Writer, *document.Document, Options) error) Format {
	f.Prose = true
	f.Write = func(w io.Writer, r *Report, o Options) error { return r.failed(render(w, r.Document(o), o)) }
	f.Compare = func(w io.Writer, c *Comparison, o Options) error { return c.failed(render(w, c.Document(o), o)) }
	if gate {
		f.Gate = func(w io.Writer, r *Report, o Options) error { return r.failed(render(w, r.gateDocument(o), o)) }
	}
	return f
}
