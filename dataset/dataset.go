// Package dataset turns files into cases. A file's format is told by its
// content; every problem of a file is found before anything runs, and each is
// reported with its position.
//
// The formats are listed by [Formats], one in a file of this package.
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

// Options say how a data set is read. The zero value leaves everything to the
// content.
type Options struct {
	// Format is the name of a format, or empty to tell it by content.
	Format string
	// Name is how messages call the file; empty means its path.
	Name string
	// Split names the judgments of a BEIR data set. Empty means "test", or the
	// only split that there is.
	Split string
	// Queries are the only queries of a BEIR data set or of TREC topics to
	// take, by id; nil takes all that are judged.
	Queries []string
	// MinRelevance is the lowest grade of a BEIR or TREC judgment that counts
	// as relevant: lower ones become 0. Below 2 it changes nothing.
	MinRelevance int
	// Columns map a field to the column of a CSV file that holds it, as in
	// question → Query.
	Columns map[string]string
	// Qrels is the path of the judgments that go with TREC topics.
	Qrels string
	// Now is the time that staleness is measured at; zero measures none.
	Now time.Time
	// Limits bound what is read; its zero value bounds nothing but lines and
	// files that have to be read whole.
	Limits Limits
}

// A Dataset is a set of cases that passed every check.
type Dataset struct {
	// Info identifies the data set; its Hash is described at [Hash].
	Info assay.DatasetInfo
	// Metadata is what the file says about itself, untouched; nil if nothing.
	Metadata map[string]any
	// Cases are in the order of the file. Every case has an id of its own and
	// a question.
	Cases []assay.Case
	// Responses are those that the file holds, by the case's id; nil if none.
	Responses map[string]assay.Response
	// Warnings are what a user should know although it stops nothing.
	Warnings []Warning

	documents func(context.Context) ([]assay.Document, error)
}

// ErrNoCorpus means that a data set brings no documents: only BEIR ones do.
var ErrNoCorpus = errors.New("the data set brings no documents")

// Documents reads the corpus that comes with the data set, in its order; the
// error is [ErrNoCorpus] when there is none.
func (d *Dataset) Documents(ctx context.Context) ([]assay.Document, error) {
	if d.documents == nil {
		return nil, ErrNoCorpus
	}
	return d.documents(ctx)
}

// Load reads and checks a data set. The error is of type [Errors] when the
// content is wrong, and then lists everything that is.
func Load(ctx context.Context, path string, o Options) (*Dataset, error) {
	name := o.Name
	if name == "" {
		name = path
	}
	src, err := open(path, name, o.left())
	if err != nil {
		return nil, listOf(err)
	}
	defer src.close()
	s := newExcerpt(src, o)
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

// finish checks the cases against each other and describes them.
func (l *loader) finish() (*Dataset, error) {
	l.identify()
	if len(l.cases) == 0 && len(l.errs) == 0 {
		l.errs = append(l.errs, &Error{File: l.src.name, Index: -1, Problem: "no cases", Want: "at least one question"})
	}
	if len(l.errs) > 0 {
		l.errs.sort()
		return nil, l.errs
	}
	l.noteMissing(l.format.optional)
	l.noteStale()
	d := &Dataset{
		Metadata: l.metadata, Cases: l.cases, Responses: l.responses, Warnings: l.listed(), documents: l.documents,
		Info: assay.DatasetInfo{
			Name: l.title(), Path: l.src.name, Format: l.format.name, Hash: Hash(l.cases),
			Cases: len(l.cases), Total: len(l.cases), Created: l.created,
		},
	}
	for i := range l.cases {
		if l.cases[i].Critical {
			d.Info.Critical++
		}
	}
	return d, nil
}

// listOf makes a list of a single problem; other errors stay what they are.
func listOf(err error) error {
	var one *Error
	if errors.As(err, &one) {
		return Errors{one}
	}
	return err
}

// failed gives the problems found so far together with the one that ended
// the reading.
func (l *loader) failed(err error) error {
	var one *Error
	if !errors.As(err, &one) {
		return err
	}
	l.errs = append(l.errs, one)
	l.errs.sort()
	return l.errs
}

// title is the data set's name: what its metadata say, else the file's name.
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

// staleAfter is the age at which labels are worth another look.
const staleAfter = 30 * 24 * time.Hour

// noteStale warns of a data set that nobody has touched for long.
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
