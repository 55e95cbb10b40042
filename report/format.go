package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Format is one way to write a report.
type Format struct {
	Name string
	// Ext is the extension of its files, with the dot.
	Ext string
	// Media is the media type of its files.
	Media string
	// Doc says in a few words what it is for.
	Doc string
	// Prose is set when the text is in the language of [Options].
	Prose bool
	// Write writes the report of one run.
	Write func(io.Writer, *Report, Options) error
	// Compare writes a comparison of runs; nil when the format has none.
	Compare func(io.Writer, *Comparison, Options) error
	// Gate writes the outcome of a gate alone; nil when the format cannot.
	Gate func(io.Writer, *Report, Options) error
}

// Formats lists every format: the command line, the configuration, the server
// and the documentation read it. To add one, write its file and its line here.
var Formats = []Format{terminalFormat, markdownFormat, jsonFormat, htmlFormat, csvFormat, junitFormat, commentFormat, prometheusFormat}

// A Subject is what a format can write.
type Subject struct {
	noun string
	can  func(Format) bool
}

// Subjects of a format: the report of a run, a comparison of runs, and the
// outcome of a gate alone.
var (
	Run      = Subject{"report", func(f Format) bool { return f.Write != nil }}
	Compared = Subject{"comparison", func(f Format) bool { return f.Compare != nil }}
	Gated    = Subject{"gate report", func(f Format) bool { return f.Gate != nil }}
)

// Names gives the names of the formats that can write the subject, in the order
// of the table.
func (s Subject) Names() []string {
	var names []string
	for _, f := range Formats {
		if s.can(f) {
			names = append(names, f.Name)
		}
	}
	return names
}

// Lookup finds a format that can write the subject by its name.
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

// Lookup finds a format for the report of a run by its name.
func Lookup(name string) (Format, error) { return Run.Lookup(name) }
