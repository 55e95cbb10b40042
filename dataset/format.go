package dataset

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/yaml"
)

// A Format describes a dataset format, for help texts.
type Format struct {
	// Name is the value of --format.
	Name string `yaml:"-"`
	// Title describes it in one line.
	Title string
	// Doc describes the shape and every field.
	Doc string
	// Extensions are the usual file extensions, such as ".json"; none if there is
	// no usual one.
	Extensions []string
}

// A format is a file in formats, and the code of the few that no mapping describes.
type format struct {
	Format `yaml:",inline"`
	// Folder is set when the dataset is a directory or a zip archive.
	Folder bool
	// List is the field that holds the records when there may be an object around
	// them; Single is the field that identifies a single record without it.
	List, Single string
	// Answers is the field of a recorded answer; "" if the format holds no responses.
	Answers string
	// Claim says how likely an excerpt is in this format.
	Claim []claimRule
	// Labels are those whose absence is reported.
	Labels []optional
	// Like is a format whose fields come before those of this one.
	Like string
	// Inside is set if the records may be in an object that is the whole file.
	Inside inside
	// Cells says how to read the text in a column of a table; "inputs.*" stands for inputs
	// and all columns that begin with "inputs.". Without it the format is no table.
	Cells map[string]cell
	// Texts says that JSON holds texts in the place of lists, as a table does; Sparse that an
	// empty text is an absent field.
	Texts, Sparse bool
	// Skip says which records are left out.
	Skip skip
	// Fields say where a record holds the parts of a case and of its response.
	Fields []fieldMap
	// Drop lists fields that assay has no place for, which is warned of, Ignore those that
	// say nothing of the case.
	Drop, Ignore []string
	// Rest is what becomes of all others: "unknown" warns of each, "all" keeps them as
	// metadata, and any other word keeps those that hold something, under names that begin
	// with it where a name is taken.
	Rest string
	// Assertions says what becomes of the assertions of promptfoo.
	Assertions map[string]assertion
	code       `yaml:"-"`
}

// code is what a format does that no mapping describes; each part may be nil.
type code struct {
	claim func(s *excerpt) claim
	// hint explains an excerpt that no format claims; it returns nil if it cannot.
	hint func(s *excerpt) error
	load func(l *loader) error
}

func codeOf(name string) code {
	switch name {
	case "assay":
		return code{load: func(l *loader) error { return l.records(l.format.read, l.about) }}
	case "beir":
		return code{hint: beirHint, load: loadBEIR}
	case "squad":
		return squad
	case "promptfoo":
		return code{load: loadPromptfoo}
	case "promptfoo-results":
		return code{load: loadPromptfooResults}
	case "mlflow":
		return code{load: loadMLflow}
	case "trulens":
		return code{load: loadTrulens}
	case "trec":
		return code{claim: trecClaim, hint: trecHint, load: loadTREC}
	case "csv", "tsv":
		return code{claim: func(s *excerpt) claim { return tableClaim(s, name) }, hint: tableHint, load: loadTable}
	case "parquet":
		return code{hint: rowsHint, load: loadRows}
	}
	return code{}
}

//go:embed formats/*.yaml
var formatFiles embed.FS

// FormatNames lists the names of the formats that can be read. A file's name is the place
// in the list and the name.
func FormatNames() []string {
	files, err := formatFiles.ReadDir("formats")
	if err != nil { // the folder is embedded
		panic(err)
	}
	var out []string
	for _, f := range files {
		_, name, _ := strings.Cut(strings.TrimSuffix(f.Name(), ".yaml"), "-")
		out = append(out, name)
	}
	return out
}

var allFormats struct {
	once sync.Once
	list []*format
}

// formats returns every format.
func formats() []*format {
	allFormats.once.Do(func() {
		for i, name := range FormatNames() {
			f := &format{Format: Format{Name: name}, code: codeOf(name)}
			file := path.Join("formats", fmt.Sprintf("%02d-%s.yaml", i+1, name))
			data, err := formatFiles.ReadFile(file)
			if err == nil {
				_, err = yaml.Read(file, data, f)
			}
			if err != nil { // the files are embedded, and tests read them
				panic(err)
			}
			allFormats.list = append(allFormats.list, f)
		}
		for _, f := range allFormats.list {
			for _, other := range allFormats.list {
				if other.Name == f.Like {
					f.Fields = append(slices.Clone(other.Fields), f.Fields...)
				}
			}
			if f.load == nil {
				f.load = (*loader).byMapping
			}
		}
	})
	return allFormats.list
}

// formatOf returns a format by its name.
func formatOf(name string) *format { return formats()[slices.Index(FormatNames(), name)] }

// Formats describes the formats that can be read.
func Formats() []Format {
	var out []Format
	for _, f := range formats() {
		out = append(out, f.Format)
	}
	return out
}

// Extensions lists the usual file extensions of datasets, each once.
func Extensions() []string {
	var out []string
	for _, f := range formats() {
		for _, ext := range f.Extensions {
			if !slices.Contains(out, ext) {
				out = append(out, ext)
			}
		}
	}
	return out
}

// labelled reports whether a case, or its recorded response, which may be nil, has a label.
func labelled(label string, c *assay.Case, r *assay.Response) bool {
	switch label {
	case "response":
		return r != nil
	case "retrieved":
		return r != nil && r.Passages != nil
	case "contexts":
		return c.Want.Passages != nil || c.Want.Documents != nil
	}
	return partOf(label).has(c)
}
