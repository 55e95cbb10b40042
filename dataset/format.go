package dataset

import "slices"

// A Format is a way in which a data set is written, for help texts.
type Format struct {
	// Name is the value of --format.
	Name string
	// Title says what it is, in a line.
	Title string
	// Doc describes the shape and every field.
	Doc string
	// Extensions are the usual ends of its files' names, such as ".json"; none
	// where there is no usual one.
	Extensions []string
}

// A format adds what the package does with it. Everything about a format stands
// in its definition, and no format knows another.
type format struct {
	name, title, doc string
	extensions       []string
	// folder is set when the data set is a directory or a zip archive.
	folder bool
	// list is the field that holds the records, when there may be an object
	// around them, and single the field by which one record without it is known.
	list, single string
	// claim says how sure the format is that an excerpt is written in it.
	claim func(s *excerpt) claim
	// hint, which may be nil, says what an excerpt is that no format claims: nil
	// when the format cannot tell.
	hint func(s *excerpt) error
	load func(l *loader) error
	// optional lists the labels whose absence is worth a word.
	optional []optional
	// forms are the ways to write it.
	forms []form
}

// formats lists every format.
var formats = []*format{&native, &contexts, &gold, &beir, &ragas, &promptfoo, &trecTopics, &table, &tabTable}

// Formats describes the formats that can be read.
func Formats() []Format {
	var out []Format
	for _, f := range formats {
		out = append(out, Format{f.name, f.title, f.doc, slices.Clone(f.extensions)})
	}
	return out
}

// FormatNames lists the names of the formats that can be read.
func FormatNames() []string {
	var out []string
	for _, f := range formats {
		out = append(out, f.name)
	}
	return out
}

// Extensions lists the usual ends of the names of data sets, each once.
func Extensions() []string {
	var out []string
	for _, f := range formats {
		for _, ext := range f.extensions {
			if !slices.Contains(out, ext) {
				out = append(out, ext)
			}
		}
	}
	return out
}
