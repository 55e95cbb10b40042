// Package dataset reads files into cases. It detects a file's format by its
// content, and reports every problem of a file, with its position, before
// anything runs.
//
// [Formats] lists the formats. Each is a file in the folder formats, which says how it is
// recognized and where the parts of a case are in a record.
package dataset

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
)

// Options control how a dataset is read. With the zero value everything is
// detected.
type Options struct {
	// Format is the name of a format; empty detects it.
	Format string
	// Name is the file's name in messages; empty means its path.
	Name string
	// Split selects the judgments of a BEIR dataset, a split that datasets of Hugging Face
	// saved, or one of several outputs in results of promptfoo, by its name. Of splits empty
	// means "test", or the only one that exists.
	Split string
	// Queries restricts a BEIR dataset or TREC topics to these query ids; nil
	// means all judged queries.
	Queries []string
	// MinRelevance is the lowest grade of a BEIR or TREC judgment that counts as
	// relevant; lower grades become 0. Values below 2 have no effect.
	MinRelevance int
	// KeepOwnIDs counts documents with the id of their query, which are otherwise left
	// out of rankings, as in BEIR's evaluation.
	KeepOwnIDs bool
	// Strict makes judgments of documents or queries that a BEIR or TREC dataset lacks
	// an error. Otherwise they are skipped.
	Strict bool
	// SkipInvalid leaves out rows that cannot be read, with warnings. Otherwise they are
	// errors.
	SkipInvalid bool
	// Columns maps a field to the column of a table, or the field of JSON, that holds it,
	// such as question → Query.
	Columns map[string]string
	// Qrels is the path of the judgments for TREC topics.
	Qrels string
	// Now is the time used to decide whether the dataset is stale; the zero time
	// disables the check.
	Now time.Time
	// Limits bounds what is read. With the zero value only the length of lines,
	// and of files that must be read whole, is bounded.
	Limits Limits
}

// A Dataset is a set of validated cases.
type Dataset struct {
	// Info identifies the dataset; see [Hash].
	Info assay.DatasetInfo
	// Metadata is the file's own metadata, unchanged; nil if it has none.
	Metadata map[string]any
	// Cases are in file order. Every case has a unique id and a question.
	Cases *assay.Cases
	// Responses are the recorded responses in the file, by case id; nil if there
	// are none.
	Responses map[string]assay.Response
	// Failures say why there is no response, by case id, where that was recorded.
	Failures map[string]string
	// Warnings are problems that do not prevent a run.
	Warnings []Warning

	documents func(context.Context) ([]assay.Document, error)
}

// ErrNoCorpus means that a dataset has no documents. Only BEIR datasets have
// them.
var ErrNoCorpus = errors.New("the dataset has no documents")

// Documents reads the corpus of the dataset, in its order. It returns
// [ErrNoCorpus] if there is none.
func (d *Dataset) Documents(ctx context.Context) ([]assay.Document, error) {
	if d.documents == nil {
		return nil, ErrNoCorpus
	}
	return d.documents(ctx)
}

// Load reads and validates a dataset. If the content is invalid, the error is of
// type [Errors] and lists every problem.
func Load(ctx context.Context, path string, o Options) (*Dataset, error) {
	name := o.Name
	if name == "" {
		name = path
	}
	src, err := open(path, name, o)
	if err != nil {
		return nil, listOf(err)
	}
	defer src.close()
	s := newExcerpt(src, o, false)
	f, err := s.choose()
	if err != nil {
		return nil, listOf(err)
	}
	l := newLoader(ctx, src, s, f)
	if err := f.load(l); err != nil {
		return nil, l.failed(err)
	}
	return l.finish()
}

// finish validates the cases against each other and builds the dataset.
func (l *loader) finish() (*Dataset, error) {
	l.identify()
	l.checkMapping()
	l.skipInvalid()
	if l.cases.Len() == 0 && len(l.errs) == 0 {
		e := &Error{File: l.src.name, Index: -1, Problem: "no cases", Want: "at least one question"}
		for _, w := range l.listed() {
			e.Problem += "; " + w.String() // such as judgments that were skipped
		}
		l.errs = append(l.errs, e)
	}
	if len(l.errs) > 0 {
		l.errs.sort()
		return nil, l.errs
	}
	l.noteMissing(l.format.Labels)
	l.noteStale()
	d := &Dataset{
		Metadata: l.metadata, Cases: l.cases, Responses: byID(l.cases, l.recorded), Failures: byID(l.cases, l.failures), Warnings: l.listed(), documents: l.documents,
		Info: assay.DatasetInfo{
			Name: l.title(), Path: l.src.name, Format: l.format.Name, Hash: Hash(l.cases),
			Cases: l.cases.Len(), Total: l.cases.Len(), Created: l.created,
		},
	}
	d.Info.Critical = d.Cases.Count(func(c *assay.Case) bool { return c.Critical })
	language, _ := l.metadata["language"].(string)
	// It is no part of the hash, which tells the cases apart as they are written.
	if language = strings.TrimSpace(language); language != "" && l.format.Name == "assay" {
		d.Cases = d.Cases.Change(func(_ int, c *assay.Case) {
			if c.Language == "" {
				c.Language = language
			}
		})
	}
	return d, nil
}

// listOf wraps a single problem in a list; other errors are returned unchanged.
func listOf(err error) error {
	var one *Error
	if errors.As(err, &one) {
		return Errors{one}
	}
	return err
}

// failed returns the problems found so far, and the one that ended the reading.
func (l *loader) failed(err error) error {
	var one *Error
	if !errors.As(err, &one) {
		return err
	}
	l.errs = append(l.errs, one)
	l.errs.sort()
	return l.errs
}

// title is the name in the dataset's metadata, or else the file's name.
func (l *loader) title() string {
	if name, ok := l.metadata["name"].(string); ok && strings.TrimSpace(name) != "" {
		return name
	}
	base := filepath.Base(filepath.Clean(l.src.path))
	for {
		ext := filepath.Ext(base)
		if len(ext) == len(base) || !slices.Contains(append(Extensions(), ".txt", ".gz", ".zst"), strings.ToLower(ext)) {
			return base
		}
		base = strings.TrimSuffix(base, ext)
	}
}

// staleAfter is the age at which labels should be reviewed.
const staleAfter = 30 * 24 * time.Hour

// noteStale warns of a dataset that has not changed for a long time.
func (l *loader) noteStale() {
	when, says := l.created, "was created"
	if when.IsZero() {
		when, says = l.src.modified, "was last changed"
	}
	if l.opts.Now.IsZero() || when.IsZero() {
		return
	}
	if age := l.opts.Now.Sub(when); age > staleAfter {
		l.remark(Warning{File: l.src.name, Text: fmt.Sprintf("%s %d days ago (%s), more than 30: check that its labels still hold",
			says, int(age.Hours()/24), when.UTC().Format(time.DateOnly))})
	}
}
