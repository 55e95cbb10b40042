package server

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/internal/wire"
)

// Finished implements [web.TrendBackend].
func (b pageBackend) Finished(ctx context.Context) ([]assay.Header, error) {
	return b.s.finished(ctx)
}

// Trend implements [web.TrendBackend].
func (b pageBackend) Trend(ctx context.Context, q web.TrendQuery) (wire.Trend, error) {
	return b.s.trend(ctx, q)
}

// LatestOfTargets implements [web.TrendBackend].
func (b pageBackend) LatestOfTargets(ctx context.Context, dataset, metric string) ([]string, string, error) {
	return b.s.latestOfTargets(ctx, dataset, metric)
}
