package wire

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/offline"
	"github.com/assay-eval/assay/rag/embed"
)

// Rehearse does what would ask the models, with a stand-in in their place, and
// says what it would take: the toll when passes agree, and the number of calls
// when they never do. Nothing is spent, and nothing that is done counts. The
// models must not be connected.
func (m *Models) Rehearse(ctx context.Context, passes int, do func(context.Context) error) (t Toll, most int, err error) {
	c := &counter{models: m, passes: passes, seen: map[string]bool{}, toll: Toll{Priced: true}}
	c.attach()
	defer c.detach()
	err = do(ctx)
	return c.toll, c.most, err
}

// A Bench is a judge that is tried out.
type Bench struct {
	// Judge is as a run has it: with its passes, and its panel.
	Judge judge.Judge
	// Draw is one draw of the first judge alone.
	Draw func(int) judge.Judge
	// Estimate is set when formulas stand in for a model.
	Estimate bool
}

// Bench opens the judge that a configuration names, to be tried out.
func (m *Models) Bench(cfg config.Config) (Bench, error) {
	if estimates(cfg) {
		e, err := embed.New(cfg.Embedder)
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
