package server

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/store"
)

// What the pages have, too.
type (
	datasetVersion = web.DatasetVersion
	pointView      = web.PointView
	idealPassage   = web.IdealPassage
	pointsView     = web.PointsView
	casePoints     = web.CasePoints
)

// PointsPath is the part of an address that names a case of a dataset.
type PointsPath struct {
	DatasetPath
	Case string `path:"case_id" maxLength:"1000" doc:"id of a case"`
}

type pointsRequest struct {
	Points []pointView `json:"points" maxItems:"100" nullable:"false" doc:"all points of the case, in their order"`
}

// A taggedPoints is a reply with points and what they are now.
type taggedPoints struct {
	ETag string `header:"ETag" doc:"digest of the ideal answer"`
	Body pointsView
}

func (s *Server) pointRoutes() {
	register(s, operation("catalogue", http.MethodGet, "/datasets/{name}/cases", "list-dataset-cases",
		"List the cases of a dataset with the number of their points"),
		func(ctx context.Context, in *struct {
			DatasetPath
			Paging
			Q string `query:"q" maxLength:"1000" doc:"only cases with this text in their id or question, in any case"`
		}) (*list[casePoints], error) {
			views, total, err := pageBackend{s}.PointCases(ctx, in.Name, in.Q, in.Limit, in.Offset)
			return listed(views, total, in.Paging), err
		})
	register(s, operation("catalogue", http.MethodGet, "/datasets/{name}/cases/{case_id}/points", "get-points",
		"Get the points of a case",
		says("The points of its ideal answer: what an answer should say, which metrics of completeness look for.")),
		func(ctx context.Context, in *PointsPath) (*taggedPoints, error) {
			v, err := pageBackend{s}.Points(ctx, in.Name, in.Case)
			return &taggedPoints{v.Tag, v}, err
		})
	register(s, operation("catalogue", http.MethodPut, "/datasets/{name}/cases/{case_id}/points", "put-points",
		"Change the points of a case", needs(ScopeRun), fails(http.StatusConflict, http.StatusPreconditionFailed),
		says("Replaces them, and makes a new version of the dataset, with its author and time: earlier versions, and the runs over them, stay "+
			"as they were. A point that is as it was keeps who made it; any other is that of the caller. If-Match with the ETag of the points "+
			"makes it a 412, with the points as they are, if another person changed them meanwhile. Points that are as they were make no "+
			"version. A dataset of the server's folder, an archive, and one with recorded responses are a 409.")),
		func(ctx context.Context, in *struct {
			PointsPath
			Match string `header:"If-Match" maxLength:"128" doc:"ETag of the points that are changed"`
			Body  pointsRequest
		}) (*taggedPoints, error) {
			points := make([]assay.Point, len(in.Body.Points))
			for i, p := range in.Body.Points {
				points[i] = assay.Point{Text: p.Text, Vital: p.Vital, Passage: p.Passage}
			}
			v, err := s.savePoints(ctx, in.Name, in.Case, in.Match, points)
			var changed *web.PointsConflict
			if errors.As(err, &changed) {
				return nil, huma.NewError(http.StatusPreconditionFailed, changed.Error(),
					&huma.ErrorDetail{Location: "header.If-Match", Message: "want the ETag " + changed.Is.Tag, Value: changed.Is})
			}
			return &taggedPoints{v.Tag, v}, err
		})
}

// PointCases implements [web.PointBackend].
func (b pageBackend) PointCases(ctx context.Context, name, q string, limit, offset int) (views []casePoints, total int, err error) {
	s := b.s
	d, err := s.findDataset(ctx, name)
	if err != nil {
		return nil, 0, s.orAbsent(ctx, err, "dataset", name)
	}
	set, err := s.load(ctx, d)
	if err != nil {
		return nil, 0, s.fail(ctx, err)
	}
	q = strings.ToLower(strings.TrimSpace(q))
	for _, c := range set.Cases.All() {
		if !strings.Contains(strings.ToLower(c.ID), q) && !strings.Contains(strings.ToLower(c.Question), q) {
			continue
		}
		if total++; total <= offset || len(views) == limit {
			continue
		}
		v := casePoints{Case: c.ID, Question: c.Question}
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
func (b pageBackend) Points(ctx context.Context, name, caseID string) (pointsView, error) {
	s := b.s
	d, err := s.findDataset(ctx, name)
	if err != nil {
		return pointsView{}, s.orAbsent(ctx, err, "dataset", name)
	}
	set, err := s.load(ctx, d)
	if err != nil {
		return pointsView{}, s.fail(ctx, err)
	}
	at := caseAt(set.Cases, caseID)
	if at < 0 {
		return pointsView{}, absent("case", caseID)
	}
	return viewOfPoints(name, d, set.Cases.At(at)), nil
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
func viewOfPoints(name string, d *foundDataset, c assay.Case) pointsView {
	v := pointsView{Dataset: name, Case: c.ID, Question: c.Question, Points: []pointView{}, Passages: []idealPassage{},
		Locked: unwritable(d), Tag: tagOf(c.Want.Ideal)}
	if d.path == "" {
		v.Version = d.kept.version().Version
		for _, one := range d.kept.versions() {
			if one.Case == c.ID {
				v.Changed = one
				break
			}
		}
	}
	ideal := c.Want.Ideal
	if ideal == nil {
		return v
	}
	v.Answer, v.Model, v.Ideal = ideal.Answer, ideal.Model, *ideal
	if !ideal.Made.IsZero() {
		v.Made = &ideal.Made
	}
	for _, p := range ideal.Points {
		v.Points = append(v.Points, pointView(p))
	}
	for _, p := range ideal.Passages {
		v.Passages = append(v.Passages, idealPassage{ID: p.ID, Title: cmp.Or(p.Title, p.Source, p.Document), Text: p.Text})
	}
	return v
}

// tagOf is the ETag of the points of an ideal answer.
func tagOf(ideal *assay.Ideal) string {
	if ideal == nil {
		return `"none"`
	}
	return `"` + strings.TrimPrefix(ideal.Digest(), "sha256:") + `"`
}

// SavePoints implements [web.PointBackend].
func (b pageBackend) SavePoints(ctx context.Context, name, caseID, tag string, points []assay.Point) (int, error) {
	v, err := b.s.savePoints(ctx, name, caseID, tag, points)
	return v.Version, formError(err)
}

// MayEdit implements [web.PointBackend].
func (b pageBackend) MayEdit(ctx context.Context) bool { return b.s.may(ctx, ScopeRun) }

// savePoints replaces the points of a case by a new version of its dataset. match is the ETag of the points that are
// replaced, "" or "*" for whichever there are. The error is a [*web.PointsConflict] if there are others, else a problem.
func (s *Server) savePoints(ctx context.Context, name, caseID, match string, points []assay.Point) (pointsView, error) {
	by, err := s.labeller(ctx, "")
	if err != nil {
		return pointsView{}, err
	}
	if len(points) > dataset.MaxPoints {
		return pointsView{}, wrong("body.points", fmt.Sprintf("want at most %d points", dataset.MaxPoints), len(points))
	}
	sum := sha256.Sum256([]byte(name))
	release, err := s.claim(ctx, store.KindDataset+"-"+hex.EncodeToString(sum[:]), "the dataset is being written")
	if err != nil {
		return pointsView{}, s.fail(ctx, err)
	}
	defer release()
	free, err := take(ctx, s.filing)
	if err != nil {
		return pointsView{}, s.fail(ctx, err)
	}
	defer free()
	d, err := s.findDataset(ctx, name)
	if err != nil {
		return pointsView{}, s.orAbsent(ctx, err, "dataset", name)
	}
	if why := unwritable(d); why != "" {
		return pointsView{}, conflict(why)
	}
	set, err := s.loadWhileAlone(ctx, d)
	if err != nil {
		return pointsView{}, s.fail(ctx, err)
	}
	at := caseAt(set.Cases, caseID)
	if at < 0 {
		return pointsView{}, absent("case", caseID)
	}
	c := set.Cases.At(at)
	is := viewOfPoints(name, d, c)
	if match != "" && match != "*" && match != is.Tag {
		return pointsView{}, &web.PointsConflict{Is: is}
	}
	ideal, err := dataset.EditPoints(c.Want.Ideal, points, by)
	if err != nil {
		return pointsView{}, problemOfPoints(err)
	}
	if tagOf(ideal) == is.Tag {
		return is, nil
	}
	set.Cases = set.Cases.Change(func(i int, c *assay.Case) {
		if i == at {
			c.Want.Ideal = ideal
		}
	})
	next, err := s.renew(ctx, &d.kept, set, by, caseID)
	if err != nil {
		return pointsView{}, s.fail(ctx, err)
	}
	c.Want.Ideal = ideal
	return viewOfPoints(name, &foundDataset{kept: *next}, c), nil
}

// problemOfPoints turns the mistakes in points into a problem.
func problemOfPoints(err error) error {
	all, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return wrong("body.points", err.Error(), nil)
	}
	var details []*huma.ErrorDetail
	for _, one := range all.Unwrap() {
		at, value := "body.points", any(nil)
		var bad *dataset.PointError
		if errors.As(one, &bad) {
			at, value = fmt.Sprintf("body.points[%d].%s", bad.At, bad.Field), bad.Value
		}
		details = append(details, &huma.ErrorDetail{Location: at, Message: one.Error(), Value: value})
	}
	return wrongs(details...)
}
