package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge/pairwise"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/summary"
)

// pairwiseFits checks the flags about comparing answers in pairs before anything is run.
func (p *comparison) pairwiseFits() error {
	if !p.f.pairwise {
		if p.f.dryRun {
			return errors.New("--dry-run: it says what comparing answers in pairs would take; use --pairwise too")
		}
		return nil
	}
	if _, _, err := p.openPairwise(); err != nil {
		return fmt.Errorf("--pairwise: %w", err)
	}
	return nil
}

func (p *comparison) openPairwise() (models *wire.Models, j wire.Pairwise, err error) {
	models, err = openModels(p.env, p.common, func(m *wire.Models) (err error) {
		j, err = m.Pairwise(p.common.Config)
		return err
	})
	return models, j, err
}

// prefers reports whether a setting has an effect on comparing answers in pairs.
func prefers(s config.Setting) bool { return s.Section == config.SectionJudge || s.Key == "offline" }

// foreseePairs prints what comparing the answers of runs to come is expected to take.
func (p *comparison) foreseePairs(ctx context.Context, all []*side) error {
	if !p.f.pairwise {
		return nil
	}
	models, j, err := p.openPairwise()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(s *side) bool { return s.job != nil })
	t, err := j.Expect(ctx, models, all[i].job.Cases(), report.DuelsOf(len(all)), p.common.Passes, p.common.TopK)
	if err != nil {
		return err
	}
	p.env.Warn("expected cost of comparing the answers in pairs: %s, minus equal answers and calls already in the ledger",
		spendingLine(t.Expected()))
	return nil
}

// prefer has the judge compare the answers of the runs in pairs, and adds its verdict to the
// comparison. With --dry-run it only prints what that would take.
func (p *comparison) prefer(ctx context.Context, c *report.Comparison) error {
	var j wire.Pairwise
	w := modelWork{env: p.env, r: p.common, dryRun: p.f.dryRun, quiet: p.f.quiet, what: "comparing answers",
		open: func(m *wire.Models) (err error) {
			j, err = m.Pairwise(p.common.Config)
			return err
		}}
	return w.do(ctx, func(ctx context.Context, _ *session, done func(int, int)) error {
		found, err := duel(ctx, j, c, done)
		if err != nil || p.f.dryRun {
			return err
		}
		c.Prefer(j.Judge.Info().About([]string{question.Prefer.Name}), found, p.common.Seed)
		if err = noAnswers(c.Preferences); err != nil {
			c.Preferences = nil
		}
		return err
	})
}

// duel has the judge compare every pair of runs, case by case.
func duel(ctx context.Context, j wire.Pairwise, c *report.Comparison, done func(done, total int)) ([]summary.Preferred, error) {
	var out []summary.Preferred
	duels := c.Duels()
	total, before := 0, 0
	for _, d := range duels {
		total += d.Len()
	}
	for _, d := range duels {
		o := j.Options
		if done != nil {
			o.Done = func(n, _ int) { done(before+n, total) }
		}
		cases, err := pairwise.Judge(ctx, j.Judge, o, d.Len(), func(i int) (p pairwise.Duel, err error) {
			p.Old, p.New, err = d.At(i)
			return p, err
		})
		if err != nil {
			return nil, err
		}
		before += d.Len()
		out = append(out, summary.Preferred{Old: d.Old, New: d.New, Cases: cases})
	}
	return out, nil
}

// noAnswers returns an error if nothing could be compared in any pair.
func noAnswers(p *summary.Preferences) error {
	for _, pair := range p.Pairs {
		if pair.N > 0 {
			return nil
		}
	}
	for _, pair := range p.Pairs {
		for _, one := range pair.Cases {
			return fmt.Errorf("--pairwise: no pair of answers could be compared: case %q of %s and %s: %s", one.Case, pair.Old, pair.New,
				one.Reasons[0])
		}
	}
	return errors.New("--pairwise: the runs have no case in common: expected runs over the same cases")
}
