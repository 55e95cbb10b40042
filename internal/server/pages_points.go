package server

import (
	"context"
	"errors"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/web"
)

// PointCases implements [web.PointBackend].
func (b pageBackend) PointCases(ctx context.Context, name, q string, limit, offset int) ([]web.PointCase, int, error) {
	views, total, err := b.s.casesWithPoints(ctx, name, q, Paging{Limit: limit, Offset: offset})
	if err != nil {
		return nil, 0, err
	}
	var out []web.PointCase
	for _, v := range views {
		out = append(out, web.PointCase{ID: v.Case, Question: v.Text, Points: v.Points, Vital: v.Vital, People: v.People})
	}
	return out, total, nil
}

// Points implements [web.PointBackend].
func (b pageBackend) Points(ctx context.Context, name, caseID string) (web.CasePoints, error) {
	v, err := b.s.pointsOf(ctx, name, caseID)
	return shownPoints(v), err
}

// shownPoints is what a page shows of points.
func shownPoints(v pointsView) web.CasePoints {
	out := web.CasePoints{Question: v.Question, Tag: v.tag, Version: v.Version, Locked: v.locked, By: v.changed.By, At: v.changed.At,
		ByVersion: v.changed.Version}
	out.Answer, out.Model = v.Answer, v.Model
	for _, p := range v.Points {
		out.Ideal.Points = append(out.Ideal.Points, assay.Point(p))
	}
	for _, p := range v.Passages {
		out.Passages = append(out.Passages, assay.Passage{ID: p.ID, Title: p.Title, Text: p.Text})
	}
	return out
}

// SavePoints implements [web.PointBackend].
func (b pageBackend) SavePoints(ctx context.Context, name, caseID, tag string, points []assay.Point) (int, error) {
	v, err := b.s.savePoints(ctx, name, caseID, tag, points)
	var changed *pointsChanged
	if errors.As(err, &changed) {
		return 0, &web.PointsConflict{Is: shownPoints(changed.is)}
	}
	return v.Version, formError(err)
}

// MayEdit implements [web.PointBackend].
func (b pageBackend) MayEdit(ctx context.Context) bool { return b.s.may(ctx, ScopeRun) }
