package wire

import (
	"context"
	"errors"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/pairwise"
)

// A Pairwise is a judge that compares the answers of runs in pairs.
type Pairwise struct {
	Judge   judge.Judge
	Options pairwise.Options
}

// Pairwise opens the judge that a configuration names, to compare answers.
func (m *Models) Pairwise(cfg config.Config) (Pairwise, error) {
	switch {
	case len(cfg.Judges) == 0:
		return Pairwise{}, errors.New("needs a judge that compares the answers; use --judge PROVIDER:MODEL")
	case estimates(cfg):
		return Pairwise{}, errors.New("no formula tells which of two answers is better; use a model, --judge PROVIDER:MODEL")
	}
	j, err := m.Judge(cfg)
	return Pairwise{j, pairwise.Options{Language: JudgeLanguage(cfg), Depth: cfg.Judge.Depth, Concurrency: cfg.Judge.Concurrency}}, err
}

// Expect estimates what it takes to compare the answers of a number of pairs of runs that have
// no answers yet. Answers are taken to have the usual size, and no two to be equal.
func (p Pairwise) Expect(ctx context.Context, m *Models, cases *assay.Cases, pairs, passes, topK int) (CallEstimate, error) {
	var sample []pairwise.Duel
	for _, c := range sampled(cases) {
		old, young := usual(c, topK), usual(c, topK)
		young.Answer += " " + usualWords
		sample = append(sample, pairwise.Duel{Old: assay.Record{Case: c, Response: &old}, New: assay.Record{Case: c, Response: &young}})
	}
	if len(sample) == 0 || pairs == 0 {
		return CallEstimate{Priced: true}, nil
	}
	t, _, err := m.DryRun(ctx, passes, func(ctx context.Context) error {
		_, err := pairwise.Judge(ctx, p.Judge, p.Options, len(sample), func(i int) (pairwise.Duel, error) { return sample[i], nil })
		return err
	})
	return scaled(t, pairs*cases.Len(), len(sample)), err
}
