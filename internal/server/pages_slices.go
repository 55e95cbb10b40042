package server

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary/explore"
)

// Slices implements [web.SliceBackend].
func (b pageBackend) Slices(ctx context.Context, h assay.Header, m assay.MetricInfo) (explore.Finding, error) {
	f, err := b.s.found(ctx, h, m)
	return f, b.s.fail(ctx, err)
}

// Slices implements [web.Comparison].
func (p pageComparison) Slices(ctx context.Context, run int, m assay.MetricInfo) (explore.Finding, error) {
	f, err := p.s.foundChanges(ctx, p.c, p.hs, p.in, run, m)
	return f, p.s.fail(ctx, err)
}
