package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/web"
)

// A callView is a call to a model that the scores of a case rest on.
type callView struct {
	Key       string          `json:"key" doc:"key of the call in the ledger" example:"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"`
	State     string          `json:"state" enum:"kept,absent,altered" doc:"kept, or no longer in the ledger, or not as it was stored"`
	Operation string          `json:"operation,omitempty" doc:"what was asked; absent like all below if it is not kept" example:"support"`
	Provider  string          `json:"provider,omitempty" doc:"name of the provider" example:"openai"`
	Model     string          `json:"model,omitempty" doc:"model that was asked" example:"gpt-4.1"`
	Request   json.RawMessage `json:"request,omitempty" doc:"all that the reply depends on: messages, parameters" example:"{\"messages\":[]}"`
	Reply     json.RawMessage `json:"reply,omitempty" doc:"the reply with its text, as it came" example:"{\"text\":\"{}\"}"`
	Usage     *callUsage      `json:"usage,omitempty" doc:"what the call consumed"`
	Latency   float64         `json:"latency_ms,omitempty" doc:"time of the reply in milliseconds" example:"1650.5"`
	Made      *time.Time      `json:"made,omitempty" doc:"time of the call" example:"2026-03-02T09:30:00Z"`
	PaidBy    string          `json:"paid_by,omitempty" doc:"id of the run that paid for it" example:"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`
	Later     bool            `json:"later,omitempty" doc:"set if it was made after the run ended: another asked again" example:"false"`
}

// callUsage is what a call consumed.
type callUsage struct {
	Input  int     `json:"input_tokens" doc:"tokens of the request" example:"1200"`
	Output int     `json:"output_tokens" doc:"tokens of the reply" example:"80"`
	Cost   float64 `json:"cost_usd" doc:"cost in US dollars at the prices of the day; 0 if not known" example:"0.0021"`
}

func callViewOf(c web.CaseCall) callView {
	switch {
	case c.Altered:
		return callView{Key: c.Key, State: "altered"}
	case c.Call == nil:
		return callView{Key: c.Key, State: "absent"}
	}
	x := c.Call
	return callView{
		Key: x.Key, State: "kept", Operation: x.Operation, Provider: x.Provider, Model: x.Model, Request: x.Request, Reply: x.Reply,
		Usage:   &callUsage{x.Usage.InputTokens, x.Usage.OutputTokens, float64(x.Usage.Cost) / 1e6},
		Latency: float64(x.Latency.Microseconds()) / 1e3, Made: &x.Made, PaidBy: x.Run, Later: c.Later,
	}
}

type callsInput struct {
	RunPath
	Paging
	Case string `path:"case_id" maxLength:"1000" doc:"id of a case"`
}

func (s *Server) calls() {
	registerList(s, "list-calls", ofRun(s, func(ctx context.Context, h assay.Header, in *callsInput) (views []callView, err error) {
		rec, err := s.record(ctx, h, in.Case)
		if err != nil {
			return nil, err
		}
		calls, err := pageBackend{s}.CaseCalls(ctx, h, rec)
		for _, c := range calls {
			views = append(views, callViewOf(c))
		}
		return views, err
	}))
}

// CaseCalls implements [web.CallBackend].
func (b pageBackend) CaseCalls(ctx context.Context, h assay.Header, rec assay.Record) ([]web.CaseCall, error) {
	var out []web.CaseCall
	for _, key := range rec.Calls {
		c := web.CaseCall{Key: key}
		call, ok, err := b.s.store.Call(ctx, key)
		switch {
		case errors.Is(err, assay.ErrAltered):
			c.Altered = true
		case err != nil:
			return nil, err
		case ok:
			c.Call = &call
			c.Later = !h.Finished.IsZero() && call.Made.After(h.Finished)
		}
		out = append(out, c)
	}
	made := func(c web.CaseCall) int64 {
		if c.Call == nil {
			return math.MaxInt64
		}
		return c.Call.Made.UnixMicro()
	}
	slices.SortStableFunc(out, func(a, b web.CaseCall) int { return cmp.Compare(made(a), made(b)) })
	return out, nil
}
