package server

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

type calibrationInput struct {
	Run       string         `query:"run_id" required:"true" maxLength:"128" doc:"id of a run"`
	Metric    string         `query:"metric" required:"true" maxLength:"256" doc:"a metric of the run"`
	Threshold float64        `query:"threshold" default:"0.5" doc:"score from which the judge counts as positive"`
	Positive  optionalNumber `query:"positive" doc:"label from which people count as positive, for graded labels"`
	Level     float64        `query:"level" minimum:"0.5" maximum:"0.9999" default:"0.95" doc:"confidence level of intervals"`
}

func (s *Server) calibration(api huma.API) {
	op := operation("labels", http.MethodGet, "/calibration", "calibrate-judge", "Measure how well the judge agrees with human labels",
		says("From the labels of a run: agreement, kappa, AUROC, the best threshold, and the run's corrected mean. The "+
			"judge is compared with the first annotator by name; further annotators give the agreement between people."))
	op.Responses = jsonFiles(calibrationMembers)
	huma.Register(api, op, func(ctx context.Context, in *calibrationInput) (*file, error) {
		h, err := s.header(ctx, in.Run)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(h.Metrics, func(m assay.MetricInfo) bool { return m.Name == in.Metric })
		if i < 0 {
			var names []string
			for _, m := range h.Metrics {
				names = append(names, m.Name)
			}
			return nil, wrong("query.metric", "the run has no such metric: want one of "+quoted(names), in.Metric)
		}
		done, err := s.renders.take(ctx)
		if err != nil {
			return nil, err
		}
		defer done()
		release, err := take(ctx, s.heavy)
		if err != nil {
			return nil, s.fail(ctx, err)
		}
		defer release()
		labels, err := s.labelsOf(ctx, h.ID, Paging{})
		if err != nil {
			return nil, err
		}
		records, err := s.store.RecordsSince(ctx, h.ID, 0, 0)
		if err != nil {
			return nil, s.fail(ctx, err)
		}
		scores := make([]assay.Record, len(records))
		for i, k := range records {
			scores[i] = k.Record
		}
		r, err := judge.Calibrate(
			rated(in.Metric, labels.Body.Items, scores),
			judge.CalibrateOptions{Threshold: in.Threshold, Positive: in.Positive.value(), Level: in.Level, Seed: h.Seed},
		)
		if err != nil {
			return nil, conflict(err.Error())
		}
		text, err := json.Marshal(struct {
			Run    string           `json:"run_id"`
			Metric string           `json:"metric"`
			Judge  *assay.JudgeInfo `json:"judge,omitempty"`
			*judge.CalibrationReport
		}{h.ID, in.Metric, h.Judge, r})
		if err != nil {
			return nil, s.fail(ctx, err)
		}
		return &file{Type: "application/json", Body: text}, nil
	})
}

// rated brings the labels of a metric and its scores together, in the order of
// the cases' ids: the order of sums must not be that of a map.
func rated(metric string, labels []labelView, records []assay.Record) []judge.Rated {
	var people []string
	by := map[string]map[string]float64{}
	for _, l := range labels {
		if l.Metric != metric {
			continue
		}
		if !slices.Contains(people, l.Annotator) {
			people = append(people, l.Annotator)
		}
		if by[l.Case] == nil {
			by[l.Case] = map[string]float64{}
		}
		by[l.Case][l.Annotator] = l.Value
	}
	slices.Sort(people)
	var out []judge.Rated
	for _, rec := range records {
		item := judge.Rated{Case: rec.Case.ID, Cluster: rec.Case.Group}
		for _, p := range people {
			if v, ok := by[rec.Case.ID][p]; ok {
				item.Labels = append(item.Labels, &v)
			} else {
				item.Labels = append(item.Labels, nil)
			}
		}
		switch sc := rec.Scores[metric]; sc.State {
		case assay.Scored:
			item.Score = &sc.Value
		case assay.JudgeError:
			item.Failed = true
		}
		out = append(out, item)
	}
	slices.SortFunc(out, func(a, b judge.Rated) int {
		if a.Case < b.Case {
			return -1
		}
		if a.Case > b.Case {
			return 1
		}
		return 0
	})
	return out
}
