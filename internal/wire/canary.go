package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/canary"
	"github.com/assay-eval/assay/judge/model"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/store"
)

// manyJudged is the number of judged cases above which the canaries are asked after a run: for
// fewer they would be a large part of its cost.
const manyJudged = 200

// A CanaryJudge is a model that judges, with the store of its frozen answers.
type CanaryJudge struct {
	store *store.Store
	judge *model.Judge
	set   canary.Set
	now   func() time.Time
}

// CanaryJudges returns the models that judge, which must be open, each with the frozen set that
// the settings call for.
func (m *Models) CanaryJudges(s *store.Store) (out []CanaryJudge) {
	var languages []judge.Language
	if l := JudgeLanguage(m.cfg); l != "" {
		languages = []judge.Language{l}
	}
	for _, j := range m.judges {
		out = append(out, CanaryJudge{s, j, canary.Of(j.Info(), m.cfg.Canary, languages...), m.world.Now})
	}
	return out
}

// OpenCanaries opens the models that judge, to be asked their canaries.
func (m *Models) OpenCanaries() error {
	switch {
	case len(m.cfg.Judges) == 0:
		return errors.New("needs a judge whose answers are frozen; use --judge PROVIDER:MODEL")
	case estimates(m.cfg):
		return errors.New("the offline judge has no canaries: it changes with assay alone; use a model, --judge PROVIDER:MODEL")
	}
	_, err := m.Draws(m.cfg)
	return err
}

// watched reports whether the models that judge a run are asked their canaries, if so many cases
// are judged.
func watched(cfg config.Config, judged int) bool {
	return cfg.Canary > 0 && !cfg.Replay && judged > manyJudged && models(cfg)
}

// RehearseCanaries asks stand-ins for the models what rounds of their canaries ask.
func (m *Models) RehearseCanaries(ctx context.Context, rounds int) error {
	for _, j := range m.CanaryJudges(nil) {
		for round := range rounds {
			if _, err := j.ask(ctx, "", round); err != nil {
				return err
			}
		}
	}
	return nil
}

// canaries asks the judges of a run their canaries, if the run has judged enough for that. The
// results of models that an earlier session asked are in the header. The error is that of an
// interruption: nothing else ends a run for its canaries.
func (p *Prepared) canaries(ctx context.Context, s *store.Store, h assay.Header, judged int) ([]assay.Canary, error) {
	if p.absent != "" || !watched(p.cfg, judged) {
		return h.Canaries, nil
	}
	paid, err := s.Spent(ctx, h.ID)
	if err != nil || paid.Calls == 0 {
		// Its rulings are those of earlier runs.
		return h.Canaries, err
	}
	ctx, cancel := UntilStopped(ctx, p.world.Stop, nil)
	defer cancel()
	out, noRoom := slices.Clone(h.Canaries), p.room(ctx)
	for _, j := range p.models.CanaryJudges(s) {
		if slices.ContainsFunc(out, func(c assay.Canary) bool { return c.Why == "" && j.isOf(c) }) {
			continue
		}
		c, err := assay.Canary{}, noRoom
		if err == nil {
			c, err = j.Check(ctx, h.ID, h.ID+h.Started.String())
		}
		if Interrupted(err) || ctx.Err() != nil {
			return out, errors.Join(err, ctx.Err())
		}
		if err != nil {
			c = j.set.LeftOut(p.secrets.Scrub(why(err)))
		}
		out = append(slices.DeleteFunc(out, j.isOf), c)
	}
	return out, nil
}

// room returns an error of [llm.KindBudget] if what is left of the budget does not cover twice what
// a round of the canaries is expected to cost: a first run asks twice, and the last of the calls
// needs room for the most that it may cost.
func (p *Prepared) room(ctx context.Context) error {
	left, limited := p.models.budget.Left()
	if !limited {
		return nil
	}
	// The models of the run have their ledger; these have a stand-in.
	m, err := OpenModels(p.cfg, p.world)
	if err != nil {
		return err
	}
	defer func() { _ = m.End() }() // a stand-in starts no program
	if err := m.OpenCanaries(); err != nil {
		return err
	}
	t, _, err := m.DryRun(ctx, 1, func(ctx context.Context) error { return m.RehearseCanaries(ctx, 2) })
	if need := t.Usage.Cost; err == nil && need > left {
		err = &llm.Error{Kind: llm.KindBudget, Message: fmt.Sprintf("%s is left of the budget: %s is needed", assay.Dollars(left), assay.Dollars(need))}
	}
	return err
}

// why says in a few words why the canaries were left out.
func why(err error) string {
	if llm.IsKind(err, llm.KindBudget) {
		return "the budget has no room for them"
	}
	return err.Error()
}

// isOf reports whether a result is that of the judge.
func (j *CanaryJudge) isOf(c assay.Canary) bool {
	return c.Provider == j.set.Judge.Provider && c.Model == j.set.Judge.Model
}

// Check puts the canaries to the judge, and compares its answers with the frozen ones. Without
// any it asks twice and freezes the answers. The calls that run pays for are told apart from
// those of others by a key, which is the same if the work is repeated.
func (j *CanaryJudge) Check(ctx context.Context, run, key string) (assay.Canary, error) {
	found, err := j.load(ctx)
	if err != nil {
		return assay.Canary{}, err
	}
	if found && j.set.Run == run {
		return j.set.First(), nil
	}
	now, err := j.ask(ctx, key, 0)
	if err != nil {
		return assay.Canary{}, err
	}
	if found {
		return j.compared(ctx, run, now)
	}
	if err := j.fill(ctx, run, key, now); err != nil {
		return assay.Canary{}, err
	}
	switch err := j.store.CreateItem(ctx, j.item()); {
	case errors.Is(err, store.ErrExists): // another run has frozen its answers meanwhile
		if _, err := j.load(ctx); err != nil {
			return assay.Canary{}, err
		}
		return j.compared(ctx, run, now)
	case err != nil:
		return assay.Canary{}, err
	}
	return j.set.First(), j.keep(ctx, run, j.set.First())
}

// Freeze puts the canaries to the judge twice and freezes the answers. It returns what the first
// of them are beside those that were frozen before, or the result of a first set. Until that has
// succeeded, calls of the same day (UTC) are not paid for again.
func (j *CanaryJudge) Freeze(ctx context.Context, run string) (before assay.Canary, err error) {
	found, err := j.load(ctx)
	if err != nil {
		return before, err
	}
	// Answers of another day may be those of another judge.
	key := fmt.Sprintf("frozen on %s after %s", j.now().UTC().Format(time.DateOnly), j.set.Since.UTC().Format(time.RFC3339Nano))
	now, err := j.ask(ctx, key, 0)
	if err != nil {
		return before, err
	}
	past := j.set.Past
	if found {
		if before = j.set.Now(now); before.Differs {
			past = append(slices.Clone(past), j.set.Since)
		}
	}
	if err := j.fill(ctx, run, key, now); err != nil {
		return before, err
	}
	j.set.Past = past
	if err := j.store.PutItem(ctx, j.item()); err != nil {
		return before, err
	}
	if !found {
		before = j.set.First()
	}
	return before, j.keep(ctx, run, j.set.First())
}

// ask puts the questions to the judge.
func (j *CanaryJudge) ask(ctx context.Context, key string, round int) ([]canary.Answer, error) {
	return canary.Ask(ctx, j.judge.At(canary.Draw(key+j.set.ID(), round)), j.set.Items())
}

// fill asks a second time and puts the answers into the set.
func (j *CanaryJudge) fill(ctx context.Context, run, key string, first []canary.Answer) error {
	second, err := j.ask(ctx, key, 1)
	if err != nil {
		return err
	}
	return j.set.Freeze(run, j.now().UTC(), [2][]canary.Answer{first, second})
}

// compared compares answers with the frozen ones and keeps the result.
func (j *CanaryJudge) compared(ctx context.Context, run string, now []canary.Answer) (assay.Canary, error) {
	c := j.set.Now(now)
	return c, j.keep(ctx, run, c)
}

// load reads the frozen answers, if there are any.
func (j *CanaryJudge) load(ctx context.Context) (found bool, err error) {
	it, err := j.store.Item(ctx, store.KindCanary, j.set.ID())
	switch {
	case errors.Is(err, store.ErrNotFound):
		return false, nil
	case err != nil:
		return false, err
	}
	var set canary.Set
	if err := json.Unmarshal(it.Body, &set); err != nil {
		return false, fmt.Errorf("canary %s: %w", it.ID, err)
	}
	j.set = set
	return true, nil
}

// item returns the set as an item of the store.
func (j *CanaryJudge) item() store.Item {
	return store.Item{
		Kind: store.KindCanary, ID: j.set.ID(), Name: j.set.Judge.Provider + ":" + j.set.Judge.Model, Created: j.set.Since, Updated: j.set.Since,
		Body: encoded(j.set),
	}
}

// keep stores what a run found of the set.
func (j *CanaryJudge) keep(ctx context.Context, run string, c assay.Canary) error {
	now := j.now().UTC()
	return j.store.PutItem(context.WithoutCancel(ctx), store.Item{
		Kind: store.KindCanaryLast, ID: j.set.ID(), Name: run, Created: now, Updated: now, Body: encoded(c),
	})
}

// encoded returns texts, numbers and times as JSON.
func encoded(v any) json.RawMessage {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return body
}

// A KnownCanary is a frozen set of a store with what the last run found of it.
type KnownCanary struct {
	canary.Set
	// Last is nil if nothing is known. Checked is when it was found, by the run Run.
	Last    *assay.Canary
	Checked time.Time
	By      string
}

// Canaries lists the frozen sets of a store, latest first.
func Canaries(ctx context.Context, s *store.Store) ([]KnownCanary, error) {
	sets, _, err := s.Items(ctx, store.KindCanary, store.ItemQuery{Bodies: true})
	if err != nil {
		return nil, err
	}
	var out []KnownCanary
	for _, it := range sets {
		var k KnownCanary
		if err := json.Unmarshal(it.Body, &k.Set); err != nil {
			return nil, fmt.Errorf("canary %s: %w", it.ID, err)
		}
		last, err := s.Item(ctx, store.KindCanaryLast, it.ID)
		switch {
		case errors.Is(err, store.ErrNotFound):
		case err != nil:
			return nil, err
		default:
			k.Last, k.Checked, k.By = new(assay.Canary), last.Updated, last.Name
			if err := json.Unmarshal(last.Body, k.Last); err != nil {
				return nil, fmt.Errorf("canary %s: the last result: %w", it.ID, err)
			}
		}
		out = append(out, k)
	}
	return out, nil
}
