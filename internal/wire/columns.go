package wire

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

// derivedColumn holds what a report takes from the records beside their columns. The number
// is the version of everything derived: columns of another version are made again.
const derivedColumn = "report/1"

// errDeriveAgain is why stored columns are not used.
var errDeriveAgain = errors.New("there are no columns of these records")

// keepColumns stores the columns of a finished run.
func keepColumns(ctx context.Context, s *store.Store, rep *report.Report) error {
	about, err := json.Marshal(rep.Derived())
	if err != nil {
		return err
	}
	all := []store.Column{{Part: -1, N: rep.Cases.Len(), Name: derivedColumn, Body: about}}
	part := 0
	for encoded := range rep.Cases.Parts() {
		n := min(columns.PartRows, rep.Cases.Len()-part*columns.PartRows)
		for _, c := range encoded {
			all = append(all, store.Column{Part: part, N: n, Name: c.Name, Body: c.Body})
		}
		part++
	}
	return s.PutColumns(ctx, rep.Header.ID, all)
}

// fromColumns returns the report of a finished run from its columns. The error is
// errDeriveAgain if it has none, or those of other records.
func fromColumns(ctx context.Context, s *store.Store, h assay.Header, source report.Source) (*report.Report, error) {
	counts, err := s.Counts(ctx, h.ID)
	if err != nil {
		return nil, err
	}
	stored, err := s.Columns(ctx, h.ID)
	switch {
	case errors.Is(err, assay.ErrAltered):
		return nil, errDeriveAgain
	case err != nil:
		return nil, err
	case len(stored) == 0 || stored[0].Name != derivedColumn || stored[0].N != counts.Records:
		return nil, errDeriveAgain
	}
	var about report.Derived
	if err := json.Unmarshal(stored[0].Body, &about); err != nil {
		return nil, errDeriveAgain
	}
	build := columns.NewBuilder()
	for rest := stored[1:]; len(rest) > 0; {
		var part []columns.Encoded
		n := 0
		for n < len(rest) && rest[n].Part == rest[0].Part {
			part = append(part, columns.Encoded{Name: rest[n].Name, Body: rest[n].Body})
			n++
		}
		if build.AddPart(part) != nil {
			return nil, errDeriveAgain
		}
		rest = rest[n:]
	}
	cases := build.Table()
	if cases.Len() != counts.Records {
		return nil, errDeriveAgain
	}
	return report.From(h, cases, about, source), nil
}
