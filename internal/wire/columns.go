package wire

import (
	"context"
	"encoding/json"
	"errors"
	"iter"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

// A columnKind is a kind of columns in the store. They begin with one about the whole run, whose
// name is the version of everything derived: columns of another version are made again.
type columnKind struct{ name, version, part string }

var (
	caseColumns = columnKind{"cases", "report/5", "rows"}
	textColumns = columnKind{"texts", "texts/2", "texts"}
)

// errDeriveAgain is why stored columns are not used.
var errDeriveAgain = errors.New("there are no columns of these records")

// keep stores what is derived from n records of a finished run: what is about the whole, and the parts.
func (k columnKind) keep(ctx context.Context, s *store.Store, runID string, n int, about []byte, parts iter.Seq[[]byte]) error {
	all := []store.Column{{Part: -1, N: n, Name: k.version, Body: about}}
	for body := range parts {
		part := len(all) - 1
		all = append(all, store.Column{Part: part, N: min(columns.PartRows, n-part*columns.PartRows), Name: k.part, Body: body})
	}
	return s.PutColumns(ctx, runID, k.name, all)
}

// read hands each stored part of a finished run to add. It returns what is about the whole, and the number of
// records. The error is errDeriveAgain if the run has no such columns, or those of other records.
func (k columnKind) read(ctx context.Context, s *store.Store, h assay.Header, add func(part []byte) error) (about []byte, n int, err error) {
	counts, err := s.Counts(ctx, h.ID)
	if err != nil {
		return nil, 0, err
	}
	stored, err := s.Columns(ctx, h.ID, k.name)
	switch {
	case errors.Is(err, assay.ErrAltered):
		return nil, 0, errDeriveAgain
	case err != nil:
		return nil, 0, err
	case len(stored) == 0 || stored[0].Name != k.version || stored[0].N != counts.Records:
		return nil, 0, errDeriveAgain
	}
	for _, part := range stored[1:] {
		if add(part.Body) != nil {
			return nil, 0, errDeriveAgain
		}
	}
	return stored[0].Body, counts.Records, nil
}

// keepColumns stores the columns of a finished run.
func keepColumns(ctx context.Context, s *store.Store, rep *report.Report) error {
	about, err := json.Marshal(rep.Derived())
	if err != nil {
		return err
	}
	return caseColumns.keep(ctx, s, rep.Header.ID, rep.Cases.Len(), about, rep.Cases.Parts())
}

// keptCases reads the columns of a finished run. The error is errDeriveAgain if it has
// none, or those of other records.
func keptCases(ctx context.Context, s *store.Store, h assay.Header) (_ *columns.Table, about report.Derived, err error) {
	build := columns.NewBuilder()
	body, n, err := caseColumns.read(ctx, s, h, build.AddPart)
	if err != nil {
		return nil, about, err
	}
	cases := build.Table()
	if json.Unmarshal(body, &about) != nil || cases.Len() != n {
		return nil, about, errDeriveAgain
	}
	return cases, about, nil
}
