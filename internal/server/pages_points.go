package server

import (
	"context"

	"github.com/assay-eval/assay"
)

// PointCases implements [web.PointBackend].
func (b pageBackend) PointCases(ctx context.Context, name, q string, limit, offset int) ([]casePoints, int, error) {
	return b.s.casesWithPoints(ctx, name, q, Paging{Limit: limit, Offset: offset})
}

// Points implements [web.PointBackend].
func (b pageBackend) Points(ctx context.Context, name, caseID string) (pointsView, error) {
	return b.s.pointsOf(ctx, name, caseID)
}

// SavePoints implements [web.PointBackend].
func (b pageBackend) SavePoints(ctx context.Context, name, caseID, tag string, points []assay.Point) (int, error) {
	v, err := b.s.savePoints(ctx, name, caseID, tag, points)
	return v.Version, formError(err)
}

// MayEdit implements [web.PointBackend].
func (b pageBackend) MayEdit(ctx context.Context) bool { return b.s.may(ctx, ScopeRun) }
