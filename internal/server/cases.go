package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/summary"
)

// A caseView is a case of a run in a list.
type caseView struct {
	Seq      int                  `json:"seq"`
	ID       string               `json:"case_id"`
	Status   string               `json:"status" enum:"ok,failed,error"`
	Question string               `json:"question"`
	Answer   string               `json:"answer,omitempty" doc:"its beginning"`
	Failure  string               `json:"failure,omitempty"`
	Critical bool                 `json:"critical,omitempty"`
	Check    *summary.Check       `json:"check,omitempty" doc:"of a critical case, by its record without rules"`
	Tags     []string             `json:"tags" nullable:"false"`
	Lost     string               `json:"lost_at,omitempty" doc:"the stage that the wrong answer is put down to"`
	Latency  float64              `json:"latency_ms"`
	Slow     bool                 `json:"slow,omitempty"`
	Scores   map[string]scoreView `json:"scores"`
}

// A scoreView is a metric on a case.
type scoreView struct {
	State string `json:"state" enum:"unset,scored,not_applicable,abstained,target_error,judge_error"`
	// Value is null when there is none.
	Value  *float64 `json:"value" required:"true"`
	Reason string   `json:"reason,omitempty"`
}

func caseOf(metrics []assay.MetricInfo, r assay.Record) caseView {
	v := caseView{
		Seq: r.Seq, ID: r.Case.ID, Status: string(summary.Status(metrics, r)), Question: r.Case.Question, Critical: r.Case.Critical,
		Tags: append([]string{}, r.Case.Tags...), Slow: r.Slow, Scores: map[string]scoreView{},
	}
	if r.Case.Critical {
		check := summary.CheckOf(metrics, r)
		v.Check = &check
	}
	if r.Response != nil {
		v.Answer, v.Latency = r.Response.Answer, float64(r.Response.Latency.Microseconds())/1e3
	}
	if r.Failure != nil {
		v.Failure = r.Failure.Kind + ": " + r.Failure.Message
	}
	v.Lost, _ = summary.PutDown(r)
	for name, sc := range r.Scores {
		view := scoreView{State: sc.State.String(), Reason: sc.Reason}
		if sc.State == assay.Scored || sc.State == assay.TargetError {
			view.Value = &sc.Value
		}
		v.Scores[name] = view
	}
	return v
}

type caseListInput struct {
	RunPath
	Paging
	Status string         `query:"status" enum:"ok,failed,error" doc:"only cases of this status"`
	Tag    string         `query:"tag" maxLength:"256" doc:"only cases with this tag"`
	Metric string         `query:"metric" maxLength:"256" doc:"only cases with a value of this metric of the run"`
	Below  optionalNumber `query:"below" doc:"only cases whose metric is below this"`
	Sort   string         `query:"sort" maxLength:"256" doc:"seq, id, status, latency or a metric of the run; prefix - for descending"`
	Q      string         `query:"q" maxLength:"1000" doc:"only cases with this in their id, question or answer"`
}

type casePath struct {
	RunPath
	Case string `path:"case_id" maxLength:"1000" doc:"id of a case"`
}

func (s *Server) cases(api huma.API) {
	huma.Register(api, operation("runs", http.MethodGet, "/runs/{run_id}/cases", "list-cases", "List the finished cases of a run"),
		func(ctx context.Context, in *caseListInput) (*list[caseView], error) {
			h, err := s.header(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			if err := in.check(h); err != nil {
				return nil, err
			}
			q := store.CaseQuery{
				Status: assay.Status(in.Status), Tag: in.Tag, Metric: in.Metric, Q: in.Q, Sort: in.Sort,
				Limit: in.Limit, Offset: in.Offset, Below: in.Below.value(),
				StatusOf: func(r assay.Record) assay.Status { return summary.Status(h.Metrics, r) },
			}
			records, total, err := s.store.CasePage(ctx, h.ID, q)
			if errors.Is(err, store.ErrQuery) {
				return nil, huma.Error400BadRequest(err.Error())
			}
			if err != nil {
				return nil, s.fail(ctx, err)
			}
			views := make([]caseView, len(records))
			for i, r := range records {
				r.Case.Critical = r.Case.Critical || h.Config["gate.critical"] == "all"
				views[i] = caseOf(h.Metrics, r)
			}
			return listed(views, total, in.Paging), nil
		})
	huma.Register(api, operation("runs", http.MethodGet, "/runs/{run_id}/cases/{case_id}", "get-case", "Get a case with its trace",
		says("The stored record: labels, response, trace of every stage, scores with reasons and evidence.")),
		func(ctx context.Context, in *casePath) (*one[reportObject], error) {
			h, err := s.header(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			rec, err := s.store.Record(ctx, h.ID, in.Case)
			if err != nil {
				return nil, s.orAbsent(ctx, err, "case", in.Case)
			}
			text, err := json.Marshal(rec)
			if err != nil {
				return nil, s.fail(ctx, err)
			}
			return &one[reportObject]{text}, nil
		})
}

// check rejects parameters that do not fit the run.
func (in *caseListInput) check(h assay.Header) error {
	var names []string
	for _, m := range h.Metrics {
		names = append(names, m.Name)
	}
	sort := in.Sort
	if len(sort) > 0 && sort[0] == '-' {
		sort = sort[1:]
	}
	switch {
	case in.Metric != "" && !slices.Contains(names, in.Metric):
		return wrong("query.metric", "the run has no such metric: want one of "+quoted(names), in.Metric)
	case in.Below.Set && in.Metric == "":
		return wrong("query.below", "want metric too", in.Below.Value)
	case sort != "" && !slices.Contains(append([]string{"seq", "id", "status", "latency"}, names...), sort):
		return wrong("query.sort", "want seq, id, status, latency or one of "+quoted(names), in.Sort)
	}
	return nil
}
