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

// A Bench is a judge to be tried out.
type Bench struct {
	// Judge is the judge of a run, with its passes and its panel.
	Judge judge.Judge
	// Draw returns one draw of the first judge alone.
	Draw func(int) judge.Judge
	// Estimate is set if formulas replace the judge.
	Estimate bool
}

// Bench opens the judge that a configuration names, to be tried out. A model made for entailment
// rules on the support of claims in it, and has the same ruling in each draw. The file of
// certificates may be missing: a judge is tried out before it has one.
func (m *Models) Bench(cfg config.Config) (Bench, error) {
	m.tested = true
	b, err := m.bench(cfg)
	if err != nil || !entails(cfg) {
		return b, err
	}
	if b.Judge, err = m.delegate(b.Judge); err != nil {
		return Bench{}, err
	}
	draw := b.Draw
	b.Estimate = false
	b.Draw = func(n int) judge.Judge {
		var base judge.Judge
		if draw != nil {
			base = draw(n)
		}
		one, _ := m.delegate(base) // it is opened
		return one
	}
	return b, nil
}

// bench opens the judge without the model made for entailment; the zero value if that is the only
// judge.
func (m *Models) bench(cfg config.Config) (Bench, error) {
	if len(cfg.Judges) == 0 && entails(cfg) {
		return Bench{}, nil
	}
	if len(cfg.Judges) == 0 {
		return Bench{}, fmt.Errorf("this %w", errNoJudge)
	}
	if estimates(cfg) {
		e, err := m.Embedder()
		if err != nil {
			return Bench{}, err
		}
		j := offline.New(e)
		return Bench{Judge: j, Draw: func(int) judge.Judge { return j }, Estimate: true}, nil
	}
	j, err := m.Judge(cfg)
	if err != nil {
		return Bench{}, err
	}
	one, err := m.asked(cfg.Judges[0], cfg)
	if err != nil {
		return Bench{}, fmt.Errorf("judge %q: %w", cfg.Judges[0], err)
	}
	return Bench{Judge: j, Draw: func(draw int) judge.Judge { return one.At(draw) }}, nil
}
