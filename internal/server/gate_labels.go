package server

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/store"
)

// A GateLabelling says what of people's labels a gate reads.
type GateLabelling struct {
	Corrected bool        `json:"corrected,omitempty" doc:"let rules on the labelled metric be decided by what people would say"`
	Metric    string      `json:"label_metric,omitempty" maxLength:"256" doc:"the labelled metric; default: the primary one, or the only judged one" example:"faithfulness"`
	Scale     string      `json:"label_scale,omitempty" maxLength:"40" doc:"lowest and highest level of graded labels; default: the range of the metric" example:"1-4"`
	Labels    []gateLabel `json:"labels,omitempty" maxItems:"10000" nullable:"false" doc:"labels of cases; default: those of the judge lab that count"`
}

// A gateLabel is the label of a person in a request.
type gateLabel struct {
	Case    string  `json:"case_id" minLength:"1" maxLength:"1000" doc:"id of the case" example:"q-17"`
	Run     string  `json:"run_id,omitempty" maxLength:"128" doc:"id or name of the run whose answer it is; default: the run of the gate" example:"01990a3e"`
	Label   float64 `json:"label" minimum:"-1000000" maximum:"1000000" doc:"0 or 1, or a grade" example:"1"`
	How     string  `json:"how,omitempty" enum:"random,stratified,unsure,chosen" doc:"how the case was chosen: unsure and chosen do not count"`
	Stratum int     `json:"stratum,omitempty" minimum:"0" maximum:"1000" doc:"number from 1 of the stratum of a stratified case" example:"2"`
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

// gateLabels returns the labels of a gate on a run, with those of the run of its baseline: those of the request, or else those
// of the lab; nil if the request asks for none. The error is a problem, or one of the store.
func (s *Server) gateLabels(ctx context.Context, q GateLabelling, h assay.Header, baseline *gate.Baseline) (*gate.Labels, error) {
	if !q.Corrected && q.Metric == "" && q.Labels == nil {
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
	rows := rowsOfRequest(q.Labels, h.ID)
	if q.Labels == nil {
		if rows, err = s.rowsOfLab(ctx, h, baseline, m.Name); err != nil {
			return nil, err
		}
	}
	by, _, err := wire.HumanLabels(rows, wire.LabelScale{Metric: m, Ends: ends, Option: "label_scale"})
	if err != nil {
		field := "body.labels"
		if q.Labels == nil {
			field = "body.label_scale" // the labels of the lab are on another one
		}
		return nil, wrong(field, err.Error(), q.Scale)
	}
	names := []string{h.Name}
	if baseline != nil {
		names = append(names, baseline.Name)
	}
	own, err := wire.OwnNames(ctx, s.store, names...)
	if err != nil {
		return nil, err
	}
	return &gate.Labels{Metric: m.Name, Runs: by, Own: own}, nil
}

// rowsOfRequest are the rows of labels that a request brings.
func rowsOfRequest(labels []gateLabel, run string) (rows []judge.Label) {
	for i, l := range labels {
		row := judge.Label{Case: l.Case, Run: l.Run, Labels: []*float64{&l.Label}, How: l.How, Stratum: max(l.Stratum, 1),
			Origin: assay.Origin{File: "label", Line: i + 1}}
		if row.Run == "" {
			row.Run = run
		}
		rows = append(rows, row)
	}
	return rows
}

// rowsOfLab are the rows of labels that count in the lab: those of the run, and those of the run of the baseline if it is
// stored here and has the metric.
func (s *Server) rowsOfLab(ctx context.Context, h assay.Header, baseline *gate.Baseline, metric string) ([]judge.Label, error) {
	hs := []assay.Header{h}
	if baseline != nil && baseline.Run != "" && baseline.Run != h.ID {
		old, err := s.store.Run(ctx, baseline.Run)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		has := func(m assay.MetricInfo) bool { return m.Name == metric }
		if err == nil && old.State == stateFinished && slices.ContainsFunc(old.Metrics, has) {
			hs = append(hs, old)
		}
	}
	all, ok, err := s.labelsOfAll(ctx, hs, metric)
	if err != nil || !ok {
		return nil, err
	}
	var rows []judge.Label
	for i, run := range all.Runs {
		for _, id := range slices.Sorted(maps.Keys(run.Values)) {
			v := run.Values[id]
			row := judge.Label{Case: id, Run: hs[i].ID, Labels: []*float64{&v}, How: judge.Random, Origin: assay.Origin{File: "label of case " + id}}
			if k, ok := run.Strata[id]; ok {
				row.How, row.Stratum = judge.Stratified, k+1
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}
