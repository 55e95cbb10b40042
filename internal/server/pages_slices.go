package server

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary/explore"
)

// Slices implements [web.SliceBackend].
func (b pageBackend) Slices(ctx context.Context, h assay.Header, m assay.MetricInfo) (explore.Finding, error) {
	return b.s.found(ctx, h, m)
}

// Slices implements [web.Comparison].
func (p pageComparison) Slices(ctx context.Context, run int, m assay.MetricInfo) (explore.Finding, error) {
	return p.s.foundChanges(ctx, p.c, p.hs, p.in, run, m)
}
