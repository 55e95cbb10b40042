package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/store"
)

// PointCases implements [web.PointBackend].
func (b pageBackend) PointCases(ctx context.Context, name, q string, limit, offset int) (views []web.CasePoints, total int, err error) {
	_, set, err := b.s.loaded(ctx, name)
	if err != nil {
		return nil, 0, err
	}
	q = strings.ToLower(strings.TrimSpace(q))
	for _, c := range set.Cases.All() {
		if !strings.Contains(strings.ToLower(c.ID), q) && !strings.Contains(strings.ToLower(c.Question), q) {
			continue
		}
		if total++; total <= offset || len(views) == limit {
			continue
		}
		v := web.CasePoints{Case: c.ID, Question: c.Question}
		if c.Want.Ideal != nil {
			v.Points = len(c.Want.Ideal.Points)
			for _, p := range c.Want.Ideal.Points {
				if p.Vital {
					v.Vital++
				}
				if p.By != "" {
					v.People++
				}
			}
		}
		views = append(views, v)
	}
	return views, total, nil
}

// Points implements [web.PointBackend].
func (b pageBackend) Points(ctx context.Context, name, caseID string) (web.PointsView, error) {
	d, set, err := b.s.loaded(ctx, name)
	if err != nil {
		return web.PointsView{}, err
	}
	at := caseAt(set.Cases, caseID)
	if at < 0 {
		return web.PointsView{}, absent("case", caseID)
	}
	return viewOfPoints(d, set.Cases.At(at)), nil
}

// loaded finds a dataset and reads its cases. The error is a problem.
func (s *Server) loaded(ctx context.Context, name string) (*foundDataset, *dataset.Dataset, error) {
	d, err := s.findDataset(ctx, name)
	if err != nil {
		return nil, nil, s.orAbsent(ctx, err, "dataset", name)
	}
	set, err := s.load(ctx, d)
	return d, set, s.fail(ctx, err)
}

// caseAt returns the index of a case, -1 without one.
func caseAt(cases *assay.Cases, id string) int {
	for i, c := range cases.All() {
		if c.ID == id {
			return i
		}
	}
	return -1
}

// viewOfPoints describes the points of a case.
func viewOfPoints(d *foundDataset, c assay.Case) web.PointsView {
	v := web.PointsView{Question: c.Question, Locked: unwritable(d), Tag: tagOf(c.Want.Ideal)}
	if c.Want.Ideal != nil {
		v.Ideal = *c.Want.Ideal
	}
	if d.path != "" {
		return v
	}
	v.Version = d.kept.version().Version
	all := d.kept.versions()
	if i := slices.IndexFunc(all, func(one web.DatasetVersion) bool { return one.Case == c.ID }); i >= 0 {
		v.Changed = all[i]
	}
	return v
}

// tagOf changes when the points of an ideal answer do.
func tagOf(ideal *assay.Ideal) string {
	if ideal == nil {
		return "none"
	}
	return ideal.Digest()
}

// MayEdit implements [web.PointBackend].
func (b pageBackend) MayEdit(ctx context.Context) bool { return b.s.may(ctx, ScopeRun) }

// SavePoints implements [web.PointBackend].
func (b pageBackend) SavePoints(ctx context.Context, name, caseID, tag string, points []assay.Point) (version int, err error) {
	s := b.s
	by, err := s.labeller(ctx, "")
	if err != nil {
		return 0, err
	}
	if len(points) > dataset.MaxPoints {
		return 0, web.FormError{{Message: fmt.Sprintf("expected at most %d points", dataset.MaxPoints)}}
	}
	release, err := s.claim(ctx, store.KindDataset+"-"+hashed(name), "the dataset is being written")
	if err != nil {
		return 0, err
	}
	defer release()
	free, err := take(ctx, s.filing)
	if err != nil {
		return 0, err
	}
	defer free()
	d, err := s.findDataset(ctx, name)
	if err != nil {
		return 0, s.orAbsent(ctx, err, "dataset", name)
	}
	if why := unwritable(d); why != "" {
		return 0, conflict(why)
	}
	set, err := s.loadWhileAlone(ctx, d)
	if err != nil {
		return 0, err
	}
	at := caseAt(set.Cases, caseID)
	if at < 0 {
		return 0, absent("case", caseID)
	}
	c := set.Cases.At(at)
	if is := viewOfPoints(d, c); tag != is.Tag {
		return 0, &web.PointsConflict{Is: is}
	}
	ideal, err := dataset.EditPoints(c.Want.Ideal, points, by)
	if err != nil {
		return 0, mistakesInPoints(err)
	}
	if tagOf(ideal) == tag {
		return d.kept.version().Version, nil
	}
	set.Cases = set.Cases.Change(func(i int, c *assay.Case) {
		if i == at {
			c.Want.Ideal = ideal
		}
	})
	next, err := s.renew(ctx, &d.kept, set, by, caseID)
	if err != nil {
		return 0, err
	}
	return next.Info.Version, nil
}

// mistakesInPoints says what is wrong with which point.
func mistakesInPoints(err error) error {
	all, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return web.FormError{{Message: err.Error()}}
	}
	var out web.FormError
	for _, one := range all.Unwrap() {
		mistake := web.FieldError{Message: one.Error()}
		var bad *dataset.PointError
		if errors.As(one, &bad) {
			mistake.Field = fmt.Sprintf("points[%d].%s", bad.At, bad.Field)
		}
		out = append(out, mistake)
	}
	return out
}
