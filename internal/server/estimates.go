package server

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/store"
)

func callsOf(c wire.CallEstimate) web.CallsView {
	return web.CallsView{Name: c.Name, Calls: c.Calls, Input: c.Usage.InputTokens, Output: c.Usage.OutputTokens,
		Cost: float64(c.Usage.Cost) / 1e6, Priced: c.Priced}
}

func (s *Server) estimates() {
	registerOne(s, "estimate-run", func(ctx context.Context, in *struct{ Body runRequest }) (*web.EstimateView, error) {
		return s.estimateRun(ctx, in.Body)
	})
}

// estimateRun prepares a run and estimates what it would take, as assay run --dry-run does.
// The error is a problem.
func (s *Server) estimateRun(ctx context.Context, req runRequest) (*web.EstimateView, error) {
	if s.stopped() {
		return nil, unavailable("the server is stopping")
	}
	r, err := s.settle(ctx, req)
	if err != nil {
		return nil, err
	}
	release, err := take(ctx, s.estimating)
	if err != nil {
		return nil, err
	}
	defer release()
	dir, err := os.MkdirTemp("", "assay-estimate-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	w := s.cfg.World
	if w.Path, err = s.placed(ctx, r, keptRequest{runRequest: req}, "", dir); err != nil {
		return nil, err
	}
	w.Stop, w.Dry, w.Profile = s.stopping, true, s.profiles().Profile
	refuse := func(err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, store.ErrAway) {
			return err
		}
		return wrong("body", r.Secrets().Scrub(err.Error()), nil)
	}
	j, err := wire.Prepare(ctx, r, w)
	if err != nil {
		return nil, refuse(err)
	}
	defer j.Close()
	probe, err := j.Probe(ctx)
	if err != nil {
		return nil, refuse(err)
	}
	var seen *assay.Response
	if probe.Err == nil {
		seen = &probe.Response
	}
	e, err := j.Estimate(ctx, seen)
	if err != nil {
		return nil, refuse(err)
	}
	v := estimated(j.Header(), e)
	v.Asked, v.MaxCost = probe.Case.ID, r.MaxCost
	v.Over = v.MaxCost > 0 && v.Cost > v.MaxCost
	if probe.Err != nil {
		v.Failure = r.Secrets().Scrub(probe.Err.Error())
	}
	if err := j.Unmet(); err != nil {
		v.Unmet = r.Secrets().Scrub(err.Error())
	}
	return v, s.foretell(ctx, j.Header(), v)
}

// estimated returns the view of an estimate.
func estimated(h assay.Header, e wire.Estimate) *web.EstimateView {
	v := &web.EstimateView{
		Dataset: h.Dataset.Name, Adapter: h.Target.Adapter, Cases: e.Cases, Draws: max(1, h.Repeat), Metrics: wire.MetricNames(h.Metrics), Judging: "none",
		Passes: e.Passes, Metric: []web.CallsView{}, Sampled: e.Sampled, Real: e.Asked, Ladder: e.Ladder, Priced: true,
		Metered: h.Target.Metered,
		Warning: append([]string{}, h.Warnings...),
	}
	if slices.ContainsFunc(h.Metrics, func(m assay.MetricInfo) bool { return m.Judged }) {
		v.Judging = "unjudged"
	}
	if h.Judge != nil {
		v.Judge, v.Judging = judgeName(h.Judge), "model"
		if h.Judge.Estimate {
			v.Judging = "formulas"
		}
	}
	sum := func(of wire.CallEstimate) *web.CallsView {
		c := callsOf(of)
		c.Name = ""
		v.Cost, v.Priced = v.Cost+c.Cost, v.Priced && c.Priced
		return &c
	}
	if e.Target.Calls > 0 {
		v.Pipeline = sum(e.Target)
	}
	if v.Judging != "model" {
		return v
	}
	for _, m := range e.Metrics {
		v.Metric = append(v.Metric, callsOf(m))
	}
	v.Together, v.Most = sum(e.Together), e.Most
	if e.Canaries.Calls > 0 {
		v.Canaries = sum(e.Canaries)
	}
	return v
}

// judgeName returns the provider and the model of a judge.
func judgeName(j *assay.JudgeInfo) string {
	if j.Model == "" {
		return j.Provider
	}
	return j.Provider + ":" + j.Model
}

// foretell sets the expected duration from that of the latest run of the same setup.
func (s *Server) foretell(ctx context.Context, h assay.Header, v *web.EstimateView) error {
	runs, err := s.usedRuns(ctx)
	if err != nil {
		return err
	}
	_, setup := fingerprintsOf(h)
	for _, r := range runs {
		if r.State != stateFinished || r.setup != setup {
			continue
		}
		old, err := s.store.Run(ctx, r.ID)
		if err != nil {
			return err
		}
		if old.Took == nil || old.Asked() == 0 || slices.ContainsFunc([]string{"rate", "concurrency", "judge-concurrency", "workers"},
			func(pace string) bool { return old.Config[pace] != h.Config[pace] }) {
			continue
		}
		each := old.Took.Evaluated / time.Duration(old.Asked())
		v.Seconds, v.Like = math.Ceil((each * time.Duration(v.Cases*v.Draws)).Seconds()), old.ID
		break
	}
	return nil
}
