package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/html"
	"github.com/assay-eval/assay/report/markdown"
	"github.com/assay-eval/assay/report/terminal"
)

// A Format is a way to write a report.
type Format struct {
	Name string
	// Ext is the extension of its files, with the dot.
	Ext string
	// Media is the media type of the files.
	Media string
	// Doc is a short description of the format's purpose.
	Doc string
	// Prose is set if the text is in the language of [Options].
	Prose bool
	// Write writes the report of one run.
	Write func(io.Writer, *Report, Options) error
	// Compare writes a comparison of runs. It is nil if the format has none.
	Compare func(io.Writer, *Comparison, Options) error
	// Gate writes only the outcome of a gate. It is nil if the format cannot.
	Gate func(io.Writer, *Report, Options) error
}

// Formats lists every format. The command line, the configuration, the server and the
// documentation use it. To add a format, write its file and its line here.
var Formats = []Format{Terminal, Markdown, jsonFormat, HTML, csvFormat, junitFormat, testsFormat, commentFormat}

// A Subject is something that a format can write.
type Subject struct {
	noun string
	can  func(Format) bool
}

// Subjects of a format: the report of a run, a comparison of runs, and the outcome of
// a gate alone.
var (
	Run      = Subject{"report", func(f Format) bool { return f.Write != nil }}
	Compared = Subject{"comparison", func(f Format) bool { return f.Compare != nil }}
	Gated    = Subject{"gate report", func(f Format) bool { return f.Gate != nil }}
)

// Names returns the names of the formats that can write the subject, in the order of
// [Formats].
func (s Subject) Names() []string {
	var names []string
	for _, f := range Formats {
		if s.can(f) {
			names = append(names, f.Name)
		}
	}
	return names
}

// Lookup returns the format of that name if it can write the subject.
func (s Subject) Lookup(name string) (Format, error) {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == name })
	switch {
	case i < 0:
		return Format{}, fmt.Errorf("unknown report format %q: expected one of %s", name, strings.Join(s.Names(), ", "))
	case !s.can(Formats[i]):
		return Format{}, fmt.Errorf("format %q has no %s: expected one of %s", name, s.noun, strings.Join(s.Names(), ", "))
	}
	return Formats[i], nil
}

// Lookup returns the format of that name for the report of a run.
func Lookup(name string) (Format, error) { return Run.Lookup(name) }

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
