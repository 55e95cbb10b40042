package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
)

// A Label is a person's judgement of a metric on a case of a run.
type Label struct {
	Run    string  `json:"run_id" maxLength:"128" doc:"id of the run" example:"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`
	Case   string  `json:"case_id" maxLength:"1000" doc:"id of the case" example:"q-17"`
	Metric string  `json:"metric" maxLength:"256" doc:"a metric of the run" example:"faithfulness"`
	Value  float64 `json:"value" minimum:"-1000000" maximum:"1000000" doc:"0 or 1, or a grade" example:"1"`
	// Annotator identifies the person; another label of the same person
	// replaces the first.
	Annotator string `json:"annotator,omitempty" maxLength:"128" doc:"who says so; the same one again replaces the label" example:"wong"`
	Comment   string `json:"comment,omitempty" maxLength:"10000" doc:"why the person judges so" example:"the second sentence has no source"`
}

// A labelView is a stored label.
type labelView struct {
	ID string `json:"label_id" doc:"id of the label" example:"0197f0c2-5a3b-7c1d-8e4f-0a1b2c3d4e5f"`
	Label
	Created time.Time `json:"created_at" doc:"time when the case was first labelled so" example:"2026-03-02T09:30:00Z"`
}

type labelListInput struct {
	Paging
	Run string `query:"run_id" required:"true" maxLength:"128" doc:"id of a run"`
}

func (s *Server) labels(api huma.API) {
	huma.Register(api, operation("labels", http.MethodPost, "/labels", "add-label", "Label a case", succeeds(http.StatusCreated),
		needs(ScopeLabel)),
		func(ctx context.Context, in *struct{ Body Label }) (*one[labelView], error) {
			v, err := s.keepLabel(ctx, in.Body)
			if err != nil {
				return nil, s.fail(ctx, err)
			}
			return &one[labelView]{v}, nil
		})
	huma.Register(api, operation("labels", http.MethodGet, "/labels", "list-labels", "List the labels of a run, latest first"),
		func(ctx context.Context, in *labelListInput) (*list[labelView], error) {
			h, err := s.header(ctx, in.Run)
			if err != nil {
				return nil, err
			}
			return s.labelsOf(ctx, h.ID, in.Paging)
		})
}

// labelsOf returns labels of a run.
func (s *Server) labelsOf(ctx context.Context, run string, p Paging) (*list[labelView], error) {
	return listItems(ctx, s, store.KindLabel, store.ItemQuery{Parent: run}, p, func(it store.Item) (labelView, error) {
		v := labelView{ID: it.ID, Created: it.Created}
		err := s.readItem(ctx, store.KindLabel, it.ID, &v.Label)
		v.Metric = assay.MetricName(v.Metric)
		return v, err
	})
}

// keepLabel stores a label, replacing an earlier one of the same person. The
// error is a problem.
func (s *Server) keepLabel(ctx context.Context, l Label) (labelView, error) {
	h, err := s.header(ctx, l.Run)
	if err != nil {
		return labelView{}, err
	}
	if !slices.ContainsFunc(h.Metrics, func(m assay.MetricInfo) bool { return m.Name == l.Metric }) {
		var names []string
		for _, m := range h.Metrics {
			names = append(names, m.Name)
		}
		return labelView{}, wrong("body.metric", "the run has no such metric: want one of "+quoted(names), l.Metric)
	}
	if _, err := s.store.Record(ctx, h.ID, l.Case); errors.Is(err, store.ErrNotFound) {
		return labelView{}, wrong("body.case_id", "the run has no such case", l.Case)
	} else if err != nil {
		return labelView{}, err
	}
	key := fmt.Sprintf("%q", []string{l.Case, l.Metric, l.Annotator})
	body, err := json.Marshal(l)
	if err != nil {
		return labelView{}, err
	}
	s.labelling.Lock()
	defer s.labelling.Unlock()
	old, _, err := s.store.Items(ctx, store.KindLabel, store.ItemQuery{Parent: h.ID, Name: key, Limit: 1})
	if err != nil {
		return labelView{}, err
	}
	now := s.now()
	it := store.Item{Kind: store.KindLabel, Name: key, Parent: h.ID, Created: now, Updated: now, Body: body}
	if len(old) > 0 {
		it.ID, it.Created = old[0].ID, old[0].Created
	} else if it.ID, err = s.newID(); err != nil {
		return labelView{}, err
	}
	return labelView{ID: it.ID, Label: l, Created: it.Created}, s.store.PutItem(ctx, it)
}
