package server

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/summary"
)

// A GateLabelling says what of people's labels a gate reads.
type GateLabelling struct {
	Corrected bool   `json:"corrected,omitempty" doc:"let rules on the labelled metric be decided by what people would say"`
	Metric    string `json:"label_metric,omitempty" maxLength:"256" doc:"the labelled metric; default: the primary one, or the only judged one" example:"faithfulness"`
	Scale     string `json:"label_scale,omitempty" maxLength:"40" doc:"lowest and highest level of graded labels; default: the range of the metric" example:"1-4"`
}

// gatePeople is a rule as people would judge it.
type gatePeople struct {
	Verdict string    `json:"verdict" enum:"pass,fail,inconclusive" doc:"verdict by the corrected mean or difference"`
	Judge   string    `json:"judge_verdict" enum:"pass,fail,inconclusive" doc:"verdict by the judge's scores"`
	Decides bool      `json:"decides" doc:"whether the verdict of the rule is that of people"`
	Labels  int       `json:"labels" doc:"number of labelled cases that count" example:"60"`
	Mean    *float64  `json:"mean" required:"true" doc:"mean or difference as people would judge it; null without enough labels" example:"0.74"`
	CI      []float64 `json:"ci,omitempty" nullable:"false" doc:"its interval" minItems:"2" maxItems:"2" example:"[0.66, 0.82]"`
	Lack    string    `json:"lack,omitempty" doc:"what a correction lacks; absent if there is one" example:"labels"`
	Missing int       `json:"labels_missing,omitempty" doc:"how many labels more a correction needs at least" example:"12"`
}

// peopleOf describes a rule as people would judge it; nil without labels.
func peopleOf(p *gate.People) *gatePeople {
	if p == nil {
		return nil
	}
	out := &gatePeople{Verdict: string(p.Verdict), Judge: string(p.Judge), Decides: p.Decides, Labels: p.Labels, Lack: string(p.Lack),
		Missing: p.More}
	if p.Corrected != nil {
		out.Mean, out.CI = &p.Mean, []float64{p.CI.Lo, p.CI.Hi}
	}
	return out
}

// gateLabels returns the labels of the lab that count for a gate on a run, with those of the run of its baseline; nil if the
// request asks for none. The error is a problem, or one of the store.
func (s *Server) gateLabels(ctx context.Context, q GateLabelling, h assay.Header, baseline *gate.Baseline) (*gate.Labels, error) {
	if !q.Corrected && q.Metric == "" {
		return nil, nil
	}
	ends, err := wire.ParseScale(q.Scale)
	if err != nil {
		return nil, wrong("body.label_scale", err.Error(), q.Scale)
	}
	m, err := wire.LabelledMetric(h.Metrics, q.Metric, h.Config["primary"], "label_metric")
	if err != nil {
		return nil, wrong("body.label_metric", err.Error(), q.Metric)
	}
	hs, err := s.gatedRuns(ctx, h, baseline, m.Name)
	if err != nil {
		return nil, err
	}
	out := &gate.Labels{Metric: m.Name, Runs: map[string]summary.RunLabels{}}
	all, ok, err := s.labelsOfAll(ctx, hs, m.Name)
	if err != nil || !ok {
		return out, err
	}
	scale := wire.LabelScale{Metric: m, Ends: ends, Option: "label_scale"}
	for i, run := range all.Runs {
		for _, id := range slices.Sorted(maps.Keys(run.Values)) {
			v, why := scale.Onto(run.Values[id])
			if why != "" {
				return nil, wrong("body.label_scale", fmt.Sprintf("label of case %s: label %v: %s", id, run.Values[id], why), q.Scale)
			}
			run.Values[id] = v
		}
		if len(run.Values) > 0 {
			out.Runs[hs[i].ID] = run
		}
	}
	return out, nil
}

// gatedRuns returns the runs whose labels a gate reads: the run, and that of the baseline if it is stored here and has the
// metric.
func (s *Server) gatedRuns(ctx context.Context, h assay.Header, baseline *gate.Baseline, metric string) ([]assay.Header, error) {
	if baseline == nil || baseline.Run == "" || baseline.Run == h.ID {
		return []assay.Header{h}, nil
	}
	old, err := s.store.Run(ctx, baseline.Run)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	if _, has := wire.MetricOf(old, metric); has && old.State == stateFinished {
		return []assay.Header{h, old}, nil
	}
	return []assay.Header{h}, nil
}
