package wire

import (
	"context"

	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/summary/explore"
)

// Slices returns the slices of the run, which are kept.
func (x *CaseIndex) Slices(ctx context.Context, from *store.Store) (*explore.Slices, error) {
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
