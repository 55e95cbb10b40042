package dataset

import (
	"fmt"
	"strings"
)

// A Format is a way in which a data set is written, for help texts.
type Format struct {
	// Name is the value of --format.
	Name string
	// Title says what it is, in a line.
	Title string
	// Doc describes the shape and every field.
	Doc string
}

// format adds what the package does with it.
type format struct {
	name, title, doc string
	// detect tells by the beginning of a file whether it is of this format.
	detect func(s *sniffed) bool
	load   func(l *loader) error
	// optional lists the labels whose absence is worth a word.
	optional []optional
}

// formats lists every format. No two of them detect the same file.
func formats() []*format {
	return []*format{&native, &contexts, &gold, &beir, &ragas, &trecTopics, &table, &tabTable}
}

// Formats describes the formats that can be read.
func Formats() []Format {
	var out []Format
	for _, f := range formats() {
		out = append(out, Format{f.name, f.title, f.doc})
	}
	return out
}

func names() []string {
	var out []string
	for _, f := range formats() {
		out = append(out, f.name)
	}
	return out
}

// choose finds the format: the one that is asked for, else by content.
func choose(src *source, o Options) (*format, error) {
	if o.Format != "" {
		for _, f := range formats() {
			if f.name != o.Format {
				continue
			}
			if (src.folder != nil) != (f == &beir) {
				return nil, misfit(src, f)
			}
			return f, nil
		}
		return nil, fmt.Errorf("unknown format %q%s  (all: %s)", o.Format, suggest(o.Format, names()), strings.Join(names(), ", "))
	}
	s := sniff(src, o)
	for _, f := range formats() {
		if f.detect(s) {
			return f, nil
		}
	}
	return nil, s.unknown()
}

func misfit(src *source, f *format) error {
	e := &Error{File: src.name, Index: -1, Problem: "is no directory or zip archive", Want: "a directory or zip for format beir"}
	if f != &beir {
		e.Problem, e.Want = "is a directory or zip archive", "one file for format "+f.name
	}
	return e
}

// unknown says what the file looks like when no format fits.
func (s *sniffed) unknown() error {
	if s.broken {
		// The reader of JSON says where.
		if _, err := newJSONReader(s.head, s.name, 1).node(); err != nil {
			return err
		}
	}
	if s.layout == layoutTable {
		// What is wrong may be the choice of columns.
		if _, err := mapColumns(s.name, s.opts.Columns, s.header, nativeColumns); err != nil {
			return err
		}
	}
	e := &Error{File: s.name, Index: -1, Problem: "unknown format", Want: "one of " + strings.Join(names(), ", ") + " (--format says which)"}
	switch {
	case s.has("_id"):
		e.Problem, e.Want = "looks like a part of a BEIR data set", "its directory"
	case s.columns(4) && isWhole(s.row[3]):
		e.Problem, e.Want = "looks like TREC judgments", "topics as the data set, and these as --qrels"
	case s.columns(6) && s.row[1] == "Q0":
		e.Problem, e.Want = "looks like a TREC run", "topics or another data set, and this as recorded responses"
	case len(s.keys) > 0:
		e.Problem = "unknown format: JSON with fields " + quoted(s.keys)
		e.Want = `a "question" in every case, or --format`
	case s.layout == layoutTable && len(s.header) > 1:
		e.Problem = "unknown format: a table with columns " + quoted(s.header)
		e.Want = "a column \"question\", or --map question=COLUMN"
	case s.layout == layoutList:
		e.Problem, e.Want = "a JSON list without objects", "a list of cases"
	}
	return e
}

func quoted(names []string) string {
	const most = 8
	var out []string
	for _, n := range names[:min(len(names), most)] {
		out = append(out, fmt.Sprintf("%q", clip(n)))
	}
	if len(names) > most {
		out = append(out, "…")
	}
	return strings.Join(out, ", ")
}

func isWhole(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return s != "" && strings.Trim(s, "0123456789") == ""
}
