package wire

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/summary/explore"
)

// slicesOf returns the slices of the run, which are kept.
func (x *CaseIndex) slicesOf(ctx context.Context, from *store.Store) (*explore.Slices, error) {
	texts, err := x.search(ctx, from)
	if err != nil {
		return nil, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.slices == nil {
		x.slices = explore.Of(x.cases, texts)
	}
	return x.slices, nil
}

// Find looks for slices of the run on which a metric departs.
func (x *CaseIndex) Find(ctx context.Context, from *store.Store, m assay.MetricInfo, level float64) (explore.Finding, error) {
	s, err := x.slicesOf(ctx, from)
	if err != nil {
		return explore.Finding{}, err
	}
	return s.Find(m, x.cases, level), nil
}

// FindChanges looks for slices of the run on which the change of a metric departs, from that
// of the cases of a baseline.
func (x *CaseIndex) FindChanges(
	ctx context.Context, from *store.Store, m assay.MetricInfo, baseline *columns.Table, level float64,
) (explore.Finding, error) {
	s, err := x.slicesOf(ctx, from)
	if err != nil {
		return explore.Finding{}, err
	}
	return s.FindChanges(m, baseline, x.cases, level), nil
}
