package run_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// An accuser is an attributor made of two functions; it counts the calls.
type accuser struct {
	follow            func(ctx context.Context, c *assay.Case, r *assay.Response, said *judge.Assessment) (*assay.Attribution, error)
	explain           func(ctx context.Context, c *assay.Case, scores map[string]assay.Score, a *assay.Attribution) error
	follows, explains atomic.Int32
}

func (a *accuser) Follow(ctx context.Context, c *assay.Case, r *assay.Response, said *judge.Assessment) (*assay.Attribution, error) {
	a.follows.Add(1)
	if a.follow == nil {
		return &assay.Attribution{Facts: []assay.Fact{{ID: c.ID, Lost: assay.StageFilter}}}, nil
	}
	return a.follow(ctx, c, r, said)
}

func (a *accuser) Explain(
	ctx context.Context, c *assay.Case, _ *assay.Response, scores map[string]assay.Score, at *assay.Attribution,
) error {
	a.explains.Add(1)
	if a.explain == nil {
		return nil
	}
	return a.explain(ctx, c, scores, at)
}

var _ = define("lost", metric.Def{Follows: true}, func(_ context.Context, in metric.Input) (assay.Score, error) {
	if in.Attribution == nil {
		return assay.None("nothing was followed"), nil
	}
	return assay.Value(1 / float64(len(in.Attribution.Facts))), nil
})

// What was found stands in the record; metrics that follow the evidence read it,
// the verdict reads the scores, and what a judge is asked for it counts as the
// case's own.
func TestAttribution(t *testing.T) {
	t.Parallel()
	a := &accuser{explain: func(ctx context.Context, _ *assay.Case, scores map[string]assay.Score, at *assay.Attribution) error {
		judge.Count(ctx, assay.Spending{Calls: 2})
		at.Failed = scores["length"].State == assay.Scored
		at.Stage = assay.StageFilter
		return nil
	}}
	target := &fake{ask: func(ctx context.Context, c *assay.Case, n int) (assay.Response, error) {
		if c.ID == "c1" {
			return assay.Response{}, callError{kind: "status"}
		}
		return echo(ctx, c, n)
	}}
	cfg := config(t, target, cases("c", 3))
	cfg.Metrics, cfg.Attributor = metrics(t, "length", "lost"), a
	recs := sorted(must(t, cfg))
	for _, i := range []int{0, 2} {
		at := recs[i].Attribution
		if at == nil || !at.Failed || at.Stage != assay.StageFilter || at.Facts[0].ID != recs[i].Case.ID {
			t.Errorf("case %d: %+v", i, at)
		}
		if s := recs[i].Scores["lost"]; s.State != assay.Scored || s.Value != 1 {
			t.Errorf("case %d: %+v", i, s)
		}
		if recs[i].Judging == nil || recs[i].Judging.Calls != 2 {
			t.Errorf("case %d: judging %+v", i, recs[i].Judging)
		}
	}
	if recs[1].Attribution != nil || recs[1].Scores["lost"].State != assay.TargetError || a.follows.Load() != 2 || a.explains.Load() != 2 {
		t.Errorf("a case without a response: %+v; followed %d, explained %d", recs[1].Attribution, a.follows.Load(), a.explains.Load())
	}
}

// What a wrong outcome shows of the evidence counts in the metrics, too.
func TestAttributionExplainedCounts(t *testing.T) {
	t.Parallel()
	a := &accuser{explain: func(_ context.Context, _ *assay.Case, _ map[string]assay.Score, at *assay.Attribution) error {
		at.Failed, at.Facts = true, append(at.Facts, assay.Fact{ID: "more"})
		return nil
	}}
	cfg := config(t, &fake{ask: echo}, cases("c", 1))
	cfg.Metrics, cfg.Attributor = metrics(t, "length", "lost"), a
	if s := must(t, cfg)[0].Scores["lost"]; s.Value != 0.5 {
		t.Errorf("%+v, want 1 of 2 facts", s)
	}
}

// Without an attributor, or with one that finds nothing to follow, no verdict is
// asked for.
func TestNoAttribution(t *testing.T) {
	t.Parallel()
	cfg := config(t, &fake{ask: echo}, cases("c", 1))
	cfg.Metrics = metrics(t, "length", "lost")
	r := must(t, cfg)[0]
	if s := r.Scores["lost"]; s.State != assay.JudgeError || !strings.Contains(s.Reason, "no attributor") || r.Attribution != nil {
		t.Errorf("%+v, %+v", s, r.Attribution)
	}
	a := &accuser{follow: func(context.Context, *assay.Case, *assay.Response, *judge.Assessment) (*assay.Attribution, error) {
		return nil, nil
	}}
	cfg.Attributor = a
	r = must(t, cfg)[0]
	if s := r.Scores["lost"]; s.State != assay.NotApplicable || r.Attribution != nil || a.explains.Load() != 0 {
		t.Errorf("%+v, %+v", s, r.Attribution)
	}
}

// What goes wrong costs the metrics that follow the evidence their score, and no
// case its record.
func TestAttributionFails(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func() error{
		"error": func() error { return errors.New("lost the way") },
		"panic": func() error { panic("lost the way") },
	} {
		for _, later := range []bool{false, true} {
			a := &accuser{}
			if later {
				a.explain = func(context.Context, *assay.Case, map[string]assay.Score, *assay.Attribution) error { return fail() }
			} else {
				a.follow = func(context.Context, *assay.Case, *assay.Response, *judge.Assessment) (*assay.Attribution, error) {
					return nil, fail()
				}
			}
			cfg := config(t, &fake{ask: echo}, cases("c", 2))
			cfg.Metrics, cfg.Attributor = metrics(t, "length", "lost"), a
			for _, r := range must(t, cfg) {
				want := assay.JudgeError
				if later {
					want = assay.Scored
				}
				s := r.Scores["lost"]
				if s.State != want || r.Scores["length"].State != assay.Scored || (r.Attribution != nil) != later {
					t.Errorf("%s, later %v: %+v, %+v", name, later, s, r.Attribution)
				}
				if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "lost the way") }) {
					t.Errorf("%s, later %v: warnings %q", name, later, r.Warnings)
				}
			}
		}
	}
}

// A judge that fails for good while a verdict is looked for ends the run; the
// scores of that case were paid for and are kept.
func TestAttributionFatal(t *testing.T) {
	t.Parallel()
	a := &accuser{explain: func(_ context.Context, c *assay.Case, _ map[string]assay.Score, _ *assay.Attribution) error {
		return &judge.FatalError{Err: errors.New("no money")}
	}}
	cfg := config(t, &fake{ask: echo}, cases("c", 40))
	cfg.Attributor = a
	recs, err := collect(context.Background(), cfg)
	if !judge.Fatal(err) || len(recs) == 0 || len(recs) == 40 {
		t.Errorf("%d records, %v", len(recs), err)
	}
}

// A response that addresses the judge is judged twice and followed once.
func TestAttributionOfDefused(t *testing.T) {
	t.Parallel()
	a := &accuser{}
	cfg := config(t, &fake{ask: echo}, labelled("c", 1))
	cfg.Metrics, cfg.Judge, cfg.Attributor = metrics(t, "ruled", "lost"), &ruler{rule: holds}, a
	cfg.Defuse = func(r assay.Response) (assay.Response, []string) { return r, []string{"obey"} }
	r := must(t, cfg)[0]
	if a.follows.Load() != 1 || a.explains.Load() != 1 || r.Scores["lost"].Value != 1 {
		t.Errorf("followed %d times, explained %d times: %+v", a.follows.Load(), a.explains.Load(), r.Scores["lost"])
	}
}
