package dataset

import "slices"

// A Format describes a dataset format, for help texts.
type Format struct {
	// Name is the value of --format.
	Name string
	// Title describes it in one line.
	Title string
	// Doc describes the shape and every field.
	Doc string
	// Extensions are the usual file extensions, such as ".json"; none if there is
	// no usual one.
	Extensions []string
}

// A format also holds how the package handles it. A format is defined completely
// by this value and does not refer to other formats.
type format struct {
	name, title, doc string
	extensions       []string
	// folder is set when the dataset is a directory or a zip archive.
	folder bool
	// list is the field that holds the records when there may be an object around
	// them; single is the field that identifies a single record without it.
	list, single string
	// claim says how likely the excerpt is in this format.
	claim func(s *excerpt) claim
	// hint, which may be nil, explains an excerpt that no format claims; it
	// returns nil if it cannot.
	hint func(s *excerpt) error
	load func(l *loader) error
	// answers is the field of a recorded answer; "" if the format holds no responses.
	answers string
	// optional lists the labels whose absence is reported.
	optional []optional
	// forms are the ways to write the format.
	forms []form
}

// formats lists every format.
var formats = []*format{
	&native, &contexts, &gold, &beir, &ragas, &squad, &deepeval, &promptfoo, &promptfooResults, &langsmith, &langfuse, &mlflow, &trulens,
	&trecTopics, &table, &tabTable, &parquetTable,
}

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

// Extensions lists the usual file extensions of datasets, each once.
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
