package server

import (
	"context"
	"errors"
	"math"
	"net/http"
	"os"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/store"
)

// An estimateView is what a run would take. Nothing is stored, and no judge is asked.
type estimateView struct {
	Dataset string   `json:"dataset" doc:"name of the dataset" example:"rivers.jsonl"`
	Adapter string   `json:"adapter" doc:"kind of the target" example:"http"`
	Cases   int      `json:"cases" doc:"number of cases" example:"500"`
	Draws   int      `json:"draws" doc:"how often each case is asked" example:"1"`
	Metrics []string `json:"metrics" nullable:"false" doc:"names of the metrics" example:"[\"hit@5\",\"mrr\"]"`
	Judge   string   `json:"judge,omitempty" doc:"provider and model of the judge; absent without one" example:"openai:gpt-4.1"`
	// Judging says who judges.
	Judging string `json:"judging" enum:"none,unjudged,formulas,model" doc:"unjudged: judged metrics are not measured, as there is no judge"`
	Passes  int    `json:"passes" doc:"how often each ruling is asked for at most" example:"3"`
	// Failure is why the target gave no response to the case that it was asked.
	Asked   string `json:"asked_case_id" doc:"the case that the target was asked" example:"q17"`
	Failure string `json:"failure,omitempty" doc:"why the target gave no response to it; absent if it did" example:"connection refused"`
	// Metric and Together are empty unless a model judges.
	Metric   []callsView `json:"by_metric" nullable:"false" doc:"calls of the judge for each metric alone; metrics share calls"`
	Together *callsView  `json:"together,omitempty" doc:"calls of the judge for all metrics; absent if no model judges"`
	Most     int         `json:"most_calls" doc:"calls of the judge if its passes never agree" example:"1800"`
	Sampled  int         `json:"sampled" doc:"number of cases whose questions were counted" example:"20"`
	Real     bool        `json:"from_responses" doc:"whether responses of the target to each of these were counted, in place of one like the one above"`
	Canaries *callsView  `json:"canaries,omitempty" doc:"calls of the frozen questions that tell whether the judge changed, asked after the cases, and twice by the first run of a judge; absent if none are asked"`
	Pipeline *callsView  `json:"pipeline,omitempty" doc:"calls of models by the stages of the built-in pipeline; absent if there are none"`
	Ladder   int         `json:"ladder" doc:"how often the ladder asks again for each wrong answer and stage, which is not in the figures" example:"0"`
	// Cost is the sum of all, without what is not priced.
	Cost    float64 `json:"cost_usd" doc:"expected cost in dollars, less what the ledger has already; without what has no price" example:"1.84"`
	Priced  bool    `json:"priced" doc:"whether the price of every model is known"`
	metered bool
	MaxCost float64  `json:"max_cost_usd" doc:"limit of the run's cost in dollars; 0 without one" example:"2"`
	Over    bool     `json:"over_max_cost" doc:"whether the expected cost is above the limit: the run would stop before its end"`
	Seconds float64  `json:"seconds,omitempty" doc:"expected duration; absent if it is not known" example:"340"`
	Like    string   `json:"seconds_like,omitempty" doc:"the earlier run whose duration a case it is of" example:"01990a3e-7c1d-7d2a"`
	Unmet   string   `json:"unmet,omitempty" doc:"why the run cannot meet what its gate wants; absent if it can" example:"no metric is judged"`
	Warning []string `json:"warnings" nullable:"false" doc:"what a reader of the scores should know" example:"[\"2 cases have no label\"]"`
}

// callsView is an expected number of calls of models.
type callsView struct {
	Name   string  `json:"name,omitempty" doc:"the metric; absent of a sum" example:"faithfulness"`
	Calls  int     `json:"calls" doc:"number of calls" example:"1200"`
	Input  int     `json:"input_tokens" doc:"tokens sent" example:"840000"`
	Output int     `json:"output_tokens" doc:"tokens received" example:"96000"`
	Cost   float64 `json:"cost_usd" doc:"cost in dollars; that of the models whose price is known" example:"1.84"`
	Priced bool    `json:"priced" doc:"whether the price of every model is known"`
}

const microDollar = 1e6

func callsOf(c wire.CallEstimate) callsView {
	return callsView{c.Name, c.Calls, c.Usage.InputTokens, c.Usage.OutputTokens, float64(c.Usage.Cost) / microDollar, c.Priced}
}

func (s *Server) estimates() {
	registerOne(s, operation("runs", http.MethodPost, "/estimates", "estimate-run", "Estimate what a run would take",
		says("From the body of POST /runs: all is checked, the target is asked one case, and the calls of models are counted by a stand-in. "+
			"No judge is asked, and nothing is stored.")),
		func(ctx context.Context, in *struct{ Body runRequest }) (*estimateView, error) {
			return s.estimateRun(ctx, in.Body)
		})
}

// estimateRun prepares a run and estimates what it would take, as assay run --dry-run does.
// The error is a problem.
func (s *Server) estimateRun(ctx context.Context, req runRequest) (*estimateView, error) {
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
	e, err := j.Estimator().Estimate(ctx, seen)
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
func estimated(h assay.Header, e wire.Estimate) *estimateView {
	v := &estimateView{
		Dataset: h.Dataset.Name, Adapter: h.Target.Adapter, Cases: e.Cases, Draws: max(1, h.Repeat), Metrics: []string{}, Judging: "none",
		Passes: e.Passes, Metric: []callsView{}, Sampled: e.Sampled, Real: e.Asked, Ladder: e.Ladder, Priced: true,
		metered: h.Target.Metered,
		Warning: append([]string{}, h.Warnings...),
	}
	for _, m := range h.Metrics {
		v.Metrics = append(v.Metrics, m.Name)
		if m.Judged && h.Judge == nil {
			v.Judging = "unjudged"
		}
	}
	if h.Judge != nil {
		v.Judge, v.Judging = judgeName(h.Judge), "model"
		if h.Judge.Estimate {
			v.Judging = "formulas"
		}
	}
	if e.Target.Calls > 0 {
		pipeline := callsOf(e.Target)
		pipeline.Name = ""
		v.Pipeline, v.Cost, v.Priced = &pipeline, pipeline.Cost, pipeline.Priced
	}
	if v.Judging != "model" {
		return v
	}
	for _, m := range e.Metrics {
		v.Metric = append(v.Metric, callsOf(m))
	}
	together := callsOf(e.Together)
	together.Name = ""
	v.Together, v.Most = &together, e.Most
	v.Cost, v.Priced = v.Cost+together.Cost, v.Priced && together.Priced
	if e.Canaries.Calls > 0 {
		canaries := callsOf(e.Canaries)
		canaries.Name = ""
		v.Canaries, v.Cost, v.Priced = &canaries, v.Cost+canaries.Cost, v.Priced && canaries.Priced
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
func (s *Server) foretell(ctx context.Context, h assay.Header, v *estimateView) error {
	runs, err := s.usedRuns(ctx)
	if err != nil {
		return err
	}
	same := usedRunOf(h, 0)
	for _, r := range runs {
		if !r.finished || r.setup != same.setup {
			continue
		}
		old, err := s.store.Run(ctx, r.id)
		if err != nil {
			return err
		}
		if old.Took == nil || old.Asked() == 0 {
			continue
		}
		each := old.Took.Evaluated / time.Duration(old.Asked())
		v.Seconds, v.Like = math.Ceil((each * time.Duration(v.Cases*v.Draws)).Seconds()), old.ID
		break
	}
	return nil
}
