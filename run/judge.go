package run

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// assess asks the judge the questions of the metrics that apply to the case; nil
// if there are none, or no judge.
func (e *engine) assess(ctx context.Context, rec *assay.Record, resp *assay.Response) (*judge.Assessment, error) {
	plan := e.cfg.Plan
	if resp == nil || e.cfg.Judge == nil {
		return nil, nil
	}
	plan.Asks = nil
	for _, m := range e.cfg.Metrics {
		if asks(m, &rec.Case, resp) {
			plan.Asks = plan.Asks.Join(m.AsksAbout(&rec.Case))
		}
	}
	if len(plan.Asks) == 0 {
		return nil, nil
	}
	by := e.cfg.Judge
	if e.cfg.Redraw != nil {
		by = e.cfg.Redraw(rec.Case.Draw)
	}
	shown, err := e.hidden(assay.Record{Response: resp})
	if err != nil {
		return nil, err
	}
	said, err := judge.Assess(ctx, by, plan, &rec.Case, shown.Response)
	if err != nil {
		return nil, err
	}
	for _, w := range said.Warnings {
		judge.Warn(ctx, w)
	}
	return said, nil
}

// swayed is how far a judged score may change when suspected instructions to the
// judge are removed from the response. Beyond it the score is withheld.
const swayed = 0.1

// quarantine judges a response that seems to address the judge a second time,
// without the suspicious words. Scores that differ are withheld for human review;
// the others stand, with a warning. On a forged answer no ruling stands.
func (e *engine) quarantine(ctx context.Context, rec *assay.Record) error {
	if e.cfg.Judge == nil || rec.Response == nil {
		return nil
	}
	if part := e.forged(rec); part != "" {
		e.withhold(rec, part)
		judge.Warn(ctx, fmt.Sprintf("the answer imitates the end of the judge's material, or a ruling: %q", part))
		return nil
	}
	if e.cfg.Defuse == nil {
		return nil
	}
	clean, found := e.cfg.Defuse(*rec.Response)
	if len(found) == 0 {
		return nil
	}
	scores, err := e.scores(ctx, rec, &clean)
	if err != nil {
		return err
	}
	for _, m := range e.cfg.Metrics {
		with, without := rec.Scores[m.Name], scores[m.Name]
		if len(m.Asks()) == 0 || with.State == assay.JudgeError || with.State == assay.TargetError || alike(m, with, without) {
			continue
		}
		rec.Scores[m.Name] = assay.Score{
			State: assay.JudgeError,
			Reason: fmt.Sprintf("withheld: the response seems to contain instructions for the judge; without them the score is %s instead of %s",
				said(without), said(with)),
		}
	}
	e.compose(rec.Scores)
	judge.Warn(ctx, "the response seems to address the judge: "+strings.Join(found, "; "))
	return nil
}

// forged returns the part of the answer that imitates the end of the judge's material or
// a ruling; "" if there is none. A reference answer of such a form shows that the system
// is asked for it.
func (e *engine) forged(rec *assay.Record) string {
	if e.cfg.Forged == nil || slices.ContainsFunc(rec.Case.Want.Answers, func(a string) bool { return e.cfg.Forged(a) != "" }) {
		return ""
	}
	return e.cfg.Forged(rec.Response.Answer)
}

// withhold puts aside every ruling on a forged answer, whatever it says. Metrics over
// passages alone keep their scores.
func (e *engine) withhold(rec *assay.Record, part string) {
	for _, m := range e.cfg.Metrics {
		s, reads := rec.Scores[m.Name].State, m.Def.Reads
		if len(m.Def.Asks) == 0 || reads != 0 && reads&metric.ReadAnswer == 0 || s == assay.NotApplicable || s == assay.TargetError {
			continue
		}
		rec.Scores[m.Name] = assay.Score{
			State:  assay.JudgeError,
			Reason: fmt.Sprintf("withheld: the answer imitates the end of the judge's material, or a ruling: %q", part),
		}
	}
	e.compose(rec.Scores)
}

// alike reports whether two scores agree. A change of state is a disagreement
// too: an apparent abstention, for example, leaves the mean.
func alike(m metric.Metric, with, without assay.Score) bool {
	if with.State != assay.Scored || without.State != assay.Scored {
		return with.State == without.State
	}
	// Ranges differ, so the limit is a share of the metric's range.
	return math.Abs(with.Value-without.Value) <= swayed*(m.Def.Range[1]-m.Def.Range[0])
}

// said describes a score in a word.
func said(s assay.Score) string {
	if s.State == assay.Scored {
		return fmt.Sprintf("%.3g", s.Value)
	}
	return s.State.String()
}

// An end records that judging has failed permanently. Only the first cause
// counts.
type end struct {
	once    sync.Once
	reached chan struct{}
	cause   error
}

func newEnd() *end { return &end{reached: make(chan struct{})} }

// reach records err if it is a permanent failure of the judge; the end of a
// context is not.
func (e *end) reach(err error) {
	if judge.Fatal(err) {
		e.now(err)
	}
}

// now records the end; the first cause counts.
func (e *end) now(err error) {
	e.once.Do(func() {
		e.cause = err
		close(e.reached)
	})
}

// err returns the failure, or nil.
func (e *end) err() error {
	select {
	case <-e.reached:
		return e.cause
	default:
		return nil
	}
}
