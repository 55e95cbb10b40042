package wire

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/offline"
)

// DryRun calls do with a stand-in for the models and returns the usage if
// passes agree, and the number of calls if they never do. It spends nothing,
// and the results of do are meaningless. The models must not be connected.
func (m *Models) DryRun(ctx context.Context, passes int, do func(context.Context) error) (t CallEstimate, most int, err error) {
	c := m.counting(passes)
	defer c.detach()
	err = do(ctx)
	return c.total, c.most, err
}

// Bench opens the judge that a configuration names, with its passes and its panel, to be tried out.
// A model made for entailment rules on the support of claims in it. The file of certificates may
// be missing: a judge is tried out before it has one.
func (m *Models) Bench(cfg config.Config) (j judge.Judge, err error) {
	m.tested = true
	switch {
	case estimates(cfg):
		e, err := m.Embedder()
		if err != nil {
			return nil, err
		}
		j = offline.New(e)
	case len(cfg.Judges) > 0:
		if j, err = m.Judge(cfg); err != nil {
			return nil, err
		}
	case !entails(cfg):
		return nil, fmt.Errorf("this %w", errNoJudge)
	}
	if entails(cfg) {
		return m.delegate(j)
	}
	return j, nil
}
