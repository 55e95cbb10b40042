package server

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/internal/wire"
)

// Finished implements [web.TrendBackend].
func (b pageBackend) Finished(ctx context.Context) ([]assay.Header, error) {
	hs, err := b.s.finished(ctx)
	return hs, b.s.fail(ctx, err)
}

// Trend implements [web.TrendBackend].
func (b pageBackend) Trend(ctx context.Context, q web.TrendQuery) (wire.Trend, error) {
	t, err := b.s.trend(ctx, q)
	return t, b.s.fail(ctx, err)
}

// Frontier implements [web.TrendBackend].
func (b pageBackend) Frontier(ctx context.Context, dataset, axis, metric string) (wire.Frontier, error) {
	f, err := b.s.frontier(ctx, dataset, axis, metric)
	return f, b.s.fail(ctx, err)
}
