package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/retrieval"
)

// score fills in the record's scores. It returns false if the run was aborted, or
// judging failed permanently, before they were complete; such a record is not
// final.
func (e *engine) score(ctx context.Context, rec *assay.Record) bool {
	var meter judge.Meter
	scores, err := e.scores(judge.WithMeter(ctx, &meter), rec, rec.Response)
	if err != nil {
		e.end.reach(err)
		return false
	}
	rec.Scores = scores
	e.proof.see(*rec)
	if err := e.quarantine(judge.WithMeter(ctx, &meter), rec); err != nil {
		e.end.reach(err)
		return false
	}
	rec.Answer = e.cfg.Outcome.Correct(&rec.Case, rec.Response, rec.Scores, rec.Attribution)
	rec.Retrieved = retrieval.Found(&rec.Case, rec.Response, retrieval.ReachOf(e.cfg.Metrics))
	if err := e.explain(judge.WithMeter(ctx, &meter), rec); err != nil {
		e.end.reach(err)
		return false
	}
	if rec.Attribution != nil && rec.Attribution.Failed {
		e.refollow(ctx, rec)
	}
	spent, warnings := meter.Total()
	if spent != (assay.Spending{}) {
		rec.Judging = &spent
	}
	rec.Calls = meter.Calls()
	rec.Warnings = append(rec.Warnings, warnings...)
	if !e.cfg.defers(rec) { // its judge needs all texts
		rec.Response = e.slim(rec.Response)
	}
	return true
}

// scores scores a response with every metric. The error is that of ctx or a
// *[judge.FatalError].
//
// Texts are embedded one metric and one case at a time, with the cases in
// parallel. The content of a shared batch would depend on the order of
// completion.
func (e *engine) scores(ctx context.Context, rec *assay.Record, resp *assay.Response) (map[string]assay.Score, error) {
	in := metric.Input{Case: &rec.Case, Response: resp, MaxGrade: e.cfg.MaxGrade, Memo: metric.Memo{}}
	said, err := e.assess(ctx, rec, resp)
	var fatal *judge.FatalError
	if errors.As(err, &fatal) {
		// The case identifies the question that failed.
		return nil, &judge.FatalError{Err: fmt.Errorf("case %q: %w", rec.Case.ID, fatal.Err)}
	}
	if err != nil {
		return nil, err
	}
	lost, unfollowed, err := e.follow(ctx, rec, resp, said)
	if err != nil {
		return nil, err
	}
	scores := make(map[string]assay.Score, len(e.cfg.Metrics))
	for _, m := range e.cfg.Metrics {
		if m.Def.Follows && unfollowed != "" {
			scores[m.Name] = assay.Score{State: assay.JudgeError, Reason: unfollowed}
			continue
		}
		in.Embedder, in.Assessment, in.Attribution = nil, nil, nil
		if m.Def.Follows {
			in.Attribution = lost
		}
		if m.Def.Embeds {
			in.Embedder = e.cfg.Embedder
		}
		if len(m.Def.Asks) > 0 {
			in.Assessment = said
		}
		s := scoreOne(ctx, m, in)
		if s.State == assay.JudgeError && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if e.cfg.Away != "" && s.State == assay.JudgeError && asks(m, &rec.Case, resp) {
			s.Reason = e.cfg.Away
		}
		scores[m.Name] = s
	}
	e.compose(scores)
	return scores, nil
}

// refollow scores the metrics of evidence again, of which a wrong outcome has shown more.
func (e *engine) refollow(ctx context.Context, rec *assay.Record) {
	in := metric.Input{Case: &rec.Case, Response: rec.Response, MaxGrade: e.cfg.MaxGrade, Memo: metric.Memo{}, Attribution: rec.Attribution}
	for _, m := range e.cfg.Metrics {
		if m.Def.Follows {
			rec.Scores[m.Name] = scoreOne(ctx, m, in)
		}
	}
	e.compose(rec.Scores)
}

// compose computes the composite score.
func (e *engine) compose(scores map[string]assay.Score) {
	if !e.cfg.Composite.Empty() {
		scores[assay.CompositeName] = e.cfg.Composite.Score(scores)
	}
}

// slim drops the texts of lower-ranked passages, which are most of a record when
// rankings are deep. It does not modify the response, which the target may still
// use.
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

// scoreOne computes one score and turns a panic of the metric into a JudgeError.
func scoreOne(ctx context.Context, m metric.Metric, in metric.Input) (s assay.Score) {
	defer func() {
		if v := recover(); v != nil {
			c := crash{v, trace()}
			s = assay.Score{State: assay.JudgeError, Reason: shorten(fmt.Sprintf("metric %s: %v", m.Name, &c))}
		}
	}()
	return m.Score(ctx, in)
}
