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

// The kinds of columns in the store. Each begins with a column about the whole run, whose
// name has the version of everything derived: columns of another version are made again.
const (
	casesKind, casesVersion = "cases", "report/5"
	textsKind, textsVersion = "texts", "texts/2"
)

// errDeriveAgain is why stored columns are not used.
var errDeriveAgain = errors.New("there are no columns of these records")

// keepColumns stores the columns of a finished run.
func keepColumns(ctx context.Context, s *store.Store, rep *report.Report) error {
	about, err := json.Marshal(rep.Derived())
	if err != nil {
		return err
	}
	all := []store.Column{{Part: -1, N: rep.Cases.Len(), Name: casesVersion, Body: about}}
	for body := range rep.Cases.Parts() {
		all = append(all, partOf(len(all)-1, rep.Cases.Len(), "rows", body))
	}
	return s.PutColumns(ctx, rep.Header.ID, casesKind, all)
}

// partOf returns a part of what is derived from n records.
func partOf(part, n int, name string, body []byte) store.Column {
	return store.Column{Part: part, N: min(columns.PartRows, n-part*columns.PartRows), Name: name, Body: body}
}

// fromColumns returns the report of a finished run from its columns. The error is
// errDeriveAgain if it has none, or those of other records.
func fromColumns(ctx context.Context, s *store.Store, h assay.Header, source report.Source) (*report.Report, error) {
	cases, about, err := keptCases(ctx, s, h)
	if err != nil {
		return nil, err
	}
	return report.From(h, cases, about, source), nil
}

// keptCases reads the columns of a finished run. The error is errDeriveAgain if it has
// none, or those of other records.
func keptCases(ctx context.Context, s *store.Store, h assay.Header) (_ *columns.Table, about report.Derived, err error) {
	n, parts, err := keptColumns(ctx, s, h, casesKind, casesVersion)
	if err != nil {
		return nil, about, err
	}
	if err := json.Unmarshal(parts[0].Body, &about); err != nil {
		return nil, about, errDeriveAgain
	}
	build := columns.NewBuilder()
	for _, part := range parts[1:] {
		if build.AddPart(part.Body) != nil {
			return nil, about, errDeriveAgain
		}
	}
	cases := build.Table()
	if cases.Len() != n {
		return nil, about, errDeriveAgain
	}
	return cases, about, nil
}

// keptColumns reads the columns of a kind, and the number of records that they are derived
// from.
func keptColumns(ctx context.Context, s *store.Store, h assay.Header, kind, version string) (n int, _ []store.Column, _ error) {
	counts, err := s.Counts(ctx, h.ID)
	if err != nil {
		return 0, nil, err
	}
	stored, err := s.Columns(ctx, h.ID, kind)
	switch {
	case errors.Is(err, assay.ErrAltered):
		return 0, nil, errDeriveAgain
	case err != nil:
		return 0, nil, err
	case len(stored) == 0 || stored[0].Name != version || stored[0].N != counts.Records:
		return 0, nil, errDeriveAgain
	}
	return counts.Records, stored, nil
}

// keepTexts stores the texts of a finished run.
func keepTexts(ctx context.Context, s *store.Store, runID string, texts *columns.Texts) error {
	all := []store.Column{{Part: -1, N: texts.Len(), Name: textsVersion, Body: []byte("{}")}}
	for body := range texts.Parts() {
		all = append(all, partOf(len(all)-1, texts.Len(), "texts", body))
	}
	return s.PutColumns(ctx, runID, textsKind, all)
}

// keptTexts reads the texts of a finished run. The error is errDeriveAgain if it has none,
// or those of other records.
func keptTexts(ctx context.Context, s *store.Store, h assay.Header) (*columns.Texts, error) {
	n, parts, err := keptColumns(ctx, s, h, textsKind, textsVersion)
	if err != nil {
		return nil, err
	}
	texts := &columns.Texts{}
	for _, part := range parts[1:] {
		if texts.AddPart(part.Body) != nil {
			return nil, errDeriveAgain
		}
	}
	if texts.Len() != n {
		return nil, errDeriveAgain
	}
	return texts, nil
}
