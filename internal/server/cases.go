package server

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/progress"
	filter "github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/summary"
)

// A caseView is a case of a run in a list.
type caseView struct {
	Seq      int                  `json:"seq" doc:"position in the run, from 0" example:"16"`
	ID       string               `json:"case_id" doc:"id of the case" example:"q-17"`
	Status   string               `json:"status" enum:"ok,failed,error" doc:"ok, a missed threshold, or no response"`
	Question string               `json:"question" doc:"the question" example:"Which river?"`
	Answer   string               `json:"answer,omitempty" doc:"its beginning" example:"The Rhine flows"`
	Failure  string               `json:"failure,omitempty" doc:"kind and message of the failure" example:"timeout: no reply in 30s"`
	Critical bool                 `json:"critical,omitempty" doc:"whether the case is critical"`
	Outcome  string               `json:"outcome" enum:"right,wrong,unknown" doc:"whether the case is right"`
	Check    check                `json:"check" doc:"the same, and what it rests on"`
	Tags     []string             `json:"tags" nullable:"false" doc:"tags of the case" example:"geography"`
	Lost     string               `json:"lost_at,omitempty" doc:"the stage that the wrong answer is attributed to" example:"retrieve"`
	Latency  float64              `json:"latency_ms" doc:"time of the response in milliseconds; 0 without one" example:"1650.5"`
	Slow     bool                 `json:"slow,omitempty" doc:"whether it took longer than the slow threshold"`
	Scores   map[string]scoreView `json:"scores" doc:"the score of each metric by its name"`
}

// A check is the state of a case.
type check struct {
	State string   `json:"state" enum:"passed,failed,unchecked" doc:"whether something shows the case to be right, or wrong"`
	Basis string   `json:"basis" enum:"no_response,answer,evidence,rule,nothing" doc:"what the state rests on"`
	K     int      `json:"k,omitempty" doc:"cutoff of the evidence; absent without one" example:"5"`
	Rules []string `json:"rules,omitempty" nullable:"false" doc:"rules that the case breaks, or meets" example:"each mrr >= 0.5"`
}

// A scoreView is a metric on a case.
type scoreView struct {
	State string `json:"state" enum:"unset,scored,not_applicable,abstained,target_error,judge_error" doc:"why there is a value, or none"`
	// Value is null when there is none.
	Value  *float64 `json:"value" required:"true" doc:"value of the metric; null if there is none" example:"0.5"`
	Reason string   `json:"reason,omitempty" doc:"why the metric scores so, or has no value" example:"2 of 4 claims are supported"`
}

func caseOf(metrics []assay.MetricInfo, r assay.Record, c summary.Check) caseView {
	v := caseView{
		Seq: r.Seq, ID: r.Case.ID, Status: string(summary.Status(metrics, r)), Question: r.Case.Question, Critical: r.Case.Critical,
		Tags: append([]string{}, r.Case.Tags...), Slow: r.Slow, Scores: map[string]scoreView{}, Outcome: string(c.Outcome()),
		Check: check{string(c.State), string(c.Basis), c.K, c.Rules},
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
	CaseFilter
	Sort string `query:"sort" maxLength:"256" doc:"seq, id, status, answer, stage, latency, cost or a metric; -: descending"`
}

// A CaseFilter selects cases of a run.
type CaseFilter struct {
	Status string         `query:"status" enum:"ok,failed,error" doc:"only cases of this status"`
	Tag    string         `query:"tag" maxLength:"256" doc:"only cases with this tag"`
	Metric string         `query:"metric" maxLength:"256" doc:"only cases with a value of this metric of the run"`
	Below  optionalNumber `query:"below" doc:"only cases whose metric is below this"`
	Q      string         `query:"q" maxLength:"1000" doc:"filter, such as mrr<0.5 -status:error ferry: docs/filter.md"`
}

type casePath struct {
	RunPath
	Case string `path:"case_id" maxLength:"1000" doc:"id of a case; ~ and its base64url, without =, for . and .., which clients take out of paths"`
}

func (s *Server) cases() {
	register(s, "list-cases", ofRun(s, func(ctx context.Context, h assay.Header, in *caseListInput) (*list[caseView], error) {
		chosen, err := s.selected(ctx, h, in.CaseFilter, in.Sort)
		if err != nil {
			return nil, err
		}
		var views []caseView
		for r, err := range chosen.Read(ctx, in.Limit, in.Offset, false) {
			if err != nil {
				return nil, err
			}
			views = append(views, caseOf(h.Metrics, r, chosen.Check(r)))
		}
		return listed(views, chosen.Selected, in.Paging), nil
	}))
	registerOne(s, "get-case", ofRun(s, func(ctx context.Context, h assay.Header, in *casePath) (out recordObject, err error) {
		rec, err := s.record(ctx, h, in.Case)
		if err == nil {
			out.RawMessage, err = json.Marshal(rec)
		}
		return out, err
	}))
}

// record returns the record of a case by its id, or by the segment that the pages have for it.
func (s *Server) record(ctx context.Context, h assay.Header, id string) (assay.Record, error) {
	rec, err := wire.RecordsOf(s.store, h).Record(ctx, h.ID, id)
	if plain := web.CaseOf(id); plain != id && errors.Is(err, store.ErrNotFound) {
		rec, err = wire.RecordsOf(s.store, h).Record(ctx, h.ID, plain)
	}
	if err != nil {
		err = s.orAbsent(ctx, err, "case", id)
	}
	return rec, err
}

// index returns the index of a run; nil if the run is running.
func (s *Server) index(ctx context.Context, h assay.Header) (*wire.CaseIndex, error) {
	if h.State == stateRunning {
		return nil, nil
	}
	n, err := s.store.Counts(ctx, h.ID)
	if err != nil {
		return nil, err
	}
	return s.indexes.of(ctx, h, n.Records, func() (*wire.CaseIndex, error) {
		progress.Of(ctx).Start(n.Records)
		return wire.IndexCases(ctx, s.store, h)
	})
}

// selected returns the cases that a filter selects, in the order that sort names.
func (s *Server) selected(ctx context.Context, h assay.Header, in CaseFilter, sort string) (*wire.CaseList, error) {
	order, err := filter.ParseOrder(sort, wire.CaseVocabulary(h))
	if err != nil {
		return nil, wrong("query.sort", err.Error(), sort)
	}
	q, err := in.query(h)
	if err != nil {
		return nil, err
	}
	chosen, err := pageBackend{s}.Cases(ctx, h, q, order)
	return chosen, wrongFilter(err, in.Q)
}

// Cases implements [web.Backend].
func (b pageBackend) Cases(ctx context.Context, h assay.Header, q filter.Query, order filter.Order) (*wire.CaseList, error) {
	index, err := b.s.index(ctx, h)
	if err != nil {
		return nil, err
	}
	return wire.SelectCases(ctx, b.s.store, h, index, b.s.besideRun(h), q, order)
}

// query returns the query of all parameters.
func (in *CaseFilter) query(h assay.Header) (filter.Query, error) {
	q, err := filter.Parse(in.Q)
	if err != nil {
		return q, wrongFilter(err, in.Q)
	}
	if in.Metric != "" {
		if _, err := runMetric(h, in.Metric, "query.metric"); err != nil {
			return q, err
		}
	}
	switch {
	case in.Below.Set && in.Metric == "":
		return q, wrong("query.below", "needs metric too", in.Below.Value)
	case in.Below.Set:
		q = q.With(filter.Term(in.Metric, "<", strconv.FormatFloat(in.Below.Value, 'g', -1, 64)))
	case in.Metric != "":
		q = q.With(filter.Term(in.Metric, ":", "value"))
	}
	if in.Status != "" {
		q = q.With(filter.Term("status", ":", in.Status))
	}
	if in.Tag != "" {
		q = q.With(filter.Term("tag", ":", in.Tag))
	}
	return q, nil
}

// wrongFilter turns an error of the filter into a 400 with its place; other errors stay.
func wrongFilter(err error, q string) error {
	var invalid *filter.Error
	if errors.As(err, &invalid) {
		return wrong("query.q", invalid.Error(), q)
	}
	return err
}
