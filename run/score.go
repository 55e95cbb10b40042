package run

import (
	"context"
	"fmt"

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
	return true
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
