package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
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
var Formats = []Format{Terminal, Markdown, jsonFormat, HTML, csvFormat, junitFormat, testsFormat, commentFormat, prometheusFormat}

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
		return Format{}, fmt.Errorf("unknown report format %q: want one of %s", name, strings.Join(s.Names(), ", "))
	case !s.can(Formats[i]):
		return Format{}, fmt.Errorf("format %q has no %s: want one of %s", name, s.noun, strings.Join(s.Names(), ", "))
	}
	return Formats[i], nil
}

// Lookup returns the format of that name for the report of a run.
func Lookup(name string) (Format, error) { return Run.Lookup(name) }
