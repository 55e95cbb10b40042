package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/spans"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/watch"
)

// A roundJudge judges the rounds of a watch, each as a run over recorded responses.
type roundJudge struct {
	env      *Env
	store    *store.Store
	settings *config.Resolved
	name     string
	began    time.Time
}

// check finds mistakes in the settings before the first round is due, such as a budget for a
// model without a price.
func (j *roundJudge) check(ctx context.Context, budget int64) error {
	p, err := j.prepare(ctx, []spans.Exchange{{
		Case: assay.Case{ID: "check", Question: "Is this a question?"},
		Response: assay.Response{Answer: "It is.", Passages: []assay.Passage{{Document: "d", Text: "A question."}},
			Trace: &assay.Trace{Stages: []assay.Stage{{Name: assay.StageGenerate}}}},
	}}, budget)
	if err != nil {
		return err
	}
	for _, m := range p.Header().Metrics {
		if m.Threshold != nil && m.Undecided() {
			j.env.Warn("warning: the threshold of %s is not held, since it is an estimate, and a line is learned: --allow-estimates holds it", m.Name)
		}
	}
	return p.Close()
}

// prepare prepares the run over exchanges.
func (j *roundJudge) prepare(ctx context.Context, exchanges []spans.Exchange, budget int64) (*wire.Prepared, error) {
	r, err := j.settings.Clone()
	if err != nil {
		return nil, err
	}
	set := map[string]string{"adapter": "recorded", "name": "watch " + j.name, "max-cost": fmt.Sprint(float64(budget) / 1e6), "attribution": "off"}
	for key, value := range set {
		if err := r.Set(key, value, config.FromFlag, "assay watch"); err != nil {
			return nil, err
		}
	}
	data := &dataset.Dataset{
		Info:  assay.DatasetInfo{Name: "watch " + j.name, Format: "traces", Cases: len(exchanges), Total: len(exchanges)},
		Cases: &assay.Cases{}, Responses: map[string]assay.Response{}, Failures: map[string]string{},
	}
	for i := range exchanges {
		e := &exchanges[i]
		data.Cases.Add(&e.Case)
		if e.Failure != "" {
			data.Failures[e.Case.ID] = e.Failure
		} else {
			data.Responses[e.Case.ID] = e.Response
		}
	}
	data.Info.Hash = dataset.Hash(data.Cases)
	world := newWorld(j.env, r, nil, []string{"assay", "watch", "--name=" + j.name})
	world.Data, world.Watch = data, j.name
	return wire.Prepare(ctx, r, world)
}

// Judge implements [watch.Judge].
func (j *roundJudge) Judge(
	ctx context.Context, exchanges []spans.Exchange, budget int64, earlier string, begun func(string) error,
) (watch.Outcome, error) {
	var out watch.Outcome
	kept, err := j.kept(ctx, earlier)
	if err != nil {
		return out, err
	}
	if kept != nil && kept.State == "finished" {
		return j.outcome(ctx, *kept)
	}
	p, err := j.prepare(ctx, exchanges, budget)
	if err != nil {
		return out, err
	}
	defer p.Close()
	if kept != nil {
		err = p.Resume(*kept)
	} else {
		err = begun(p.Header().ID)
	}
	if err != nil {
		return out, err
	}
	rep, err := p.Run(ctx, j.store)
	switch {
	case wire.Interrupted(err):
		return watch.Outcome{Stopped: true}, nil
	case rep == nil:
		return out, err
	case llm.IsKind(err, llm.KindBudget):
		// The rest of the round is skipped.
	case err != nil:
		return out, err
	}
	return j.outcome(ctx, rep.Header)
}

// kept returns the header of the run of an earlier attempt, nil if the store has none.
func (j *roundJudge) kept(ctx context.Context, run string) (*assay.Header, error) {
	if run == "" {
		return nil, nil
	}
	h, err := j.store.Run(ctx, run)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return &h, err
}

// outcome reads what a run made of its cases.
func (j *roundJudge) outcome(ctx context.Context, h assay.Header) (watch.Outcome, error) {
	out := watch.Outcome{Header: h, Records: map[string]assay.Record{}}
	for r, err := range j.store.Records(ctx, h.ID) {
		if err != nil {
			return out, err
		}
		out.Records[r.Case.ID] = r
	}
	for _, s := range []*assay.Spending{h.Spending, h.Embedding} {
		if s != nil {
			out.Cost += s.Usage.Cost
		}
	}
	return out, nil
}
