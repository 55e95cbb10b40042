package run

import (
	"context"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// score fills in the record's scores. It returns false when the run was
// aborted and a metric failed for that reason: such a record is not final.
//
// Texts are embedded one metric and one case at a time, the cases in parallel:
// the makeup of a shared batch would depend on the order of completion.
func (e *engine) score(ctx context.Context, rec *assay.Record) bool {
	in := metric.Input{Case: &rec.Case, Response: rec.Response, MaxGrade: e.cfg.MaxGrade}
	rec.Scores = make(map[string]assay.Score, len(e.cfg.Metrics))
	for _, m := range e.cfg.Metrics {
		in.Embedder = nil
		if m.Def.Embeds {
			in.Embedder = e.cfg.Embedder
		}
		s := scoreOne(ctx, m, in)
		if s.State == assay.JudgeError && ctx.Err() != nil {
			return false
		}
		rec.Scores[m.Name] = s
	}
	rec.Response = e.slim(rec.Response)
	return true
}

// slim leaves out the texts of passages that few will read, which are most of
// a record when a ranking is deep. The response itself is not changed: a
// target may hold on to it.
func (e *engine) slim(r *assay.Response) *assay.Response {
	keep := e.cfg.KeepTexts
	if keep < 1 || r == nil || len(r.Passages) <= keep {
		return r
	}
	out := *r
	out.Passages = slices.Clone(r.Passages)
	for i := range out.Passages[keep:] {
		out.Passages[keep+i].Text = ""
	}
	return &out
}

// scoreOne scores one metric and turns its panic into a JudgeError.
func scoreOne(ctx context.Context, m metric.Metric, in metric.Input) (s assay.Score) {
	defer func() {
		if v := recover(); v != nil {
			c := crash{v, trace()}
			s = assay.Score{State: assay.JudgeError, Reason: shorten(fmt.Sprintf("metric %s: %v", m.Name, &c))}
		}
	}()
	return m.Score(ctx, in)
}
