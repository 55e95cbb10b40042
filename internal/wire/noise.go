package wire

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/summary"
	"github.com/assay-eval/assay/target"
)

// JudgeAgain makes [Prepared.Noise] judge the responses of the first draws the
// given number of times in all, and makes the estimate include that. If
// judgings is 0, the number is 2 if a model judges, and 1 if formulas do,
// because their results never differ. The error is about the settings.
func (p *Prepared) JudgeAgain(judgings int) error {
	switch {
	case p.cfg.Repeat < 2:
		return fmt.Errorf("repeat %d: want 2 or more: noise is the difference between draws", p.cfg.Repeat)
	case judgings < 0:
		return fmt.Errorf("rejudge %d: want 1 or more", judgings)
	case p.judge == nil && judgings > 1:
		return fmt.Errorf("rejudge %d: the run has no judge: want 1, or --judge PROVIDER:MODEL and a metric that asks it", judgings)
	case p.redraw == nil && judgings > 1:
		return fmt.Errorf("rejudge %d: the offline judge always gives the same rulings: want 1, or --judge PROVIDER:MODEL", judgings)
	case judgings == 0 && p.redraw != nil:
		judgings = 2
	}
	if p.again = max(judgings, 1) - 1; p.again > 0 {
		// Judging again reads the response from its record.
		p.plan.Config.KeepTexts = 0
	}
	return nil
}

// Noise performs the run like [Prepared.Run], then judges the first response to
// each case again, and splits the noise into the parts of the target and of the
// judge. The run is stored like any other; the additional judgings are only in
// the ledger. If the error is not nil, the noise is meaningless.
func (p *Prepared) Noise(ctx context.Context, s *store.Store, plan summary.NoisePlan) (*report.Report, summary.Noise, error) {
	var n summary.Noise
	var again []assay.Record
	rep, err := p.run(ctx, s, func(ctx context.Context, source report.Source) (err error) {
		again, err = p.rejudge(ctx, source)
		return err
	})
	if err == nil {
		plan.Level, plan.Seed = p.cfg.Level, p.cfg.Seed
		plan.Judgings, plan.Model = 1+p.again, p.redraw != nil
		n = summary.NoiseOf(p.plan.Header.Metrics, rep.Cases, columns.Of(again), plan)
	}
	return rep, n, err
}

// rejudge scores the responses of the first draws again, with draws of the
// judge that the run has not used.
func (p *Prepared) rejudge(ctx context.Context, source report.Source) ([]assay.Record, error) {
	if p.again == 0 {
		return nil, nil
	}
	said := map[string]assay.Response{}
	for r, err := range source.Records() {
		if err != nil {
			return nil, err
		}
		if r.Case.Draw == 0 && r.Response != nil {
			said[r.Case.ID] = *r.Response
		}
	}
	cases := &assay.Cases{}
	for k := range p.again {
		for _, c := range p.cases.All() {
			again := c.Repeated(p.cfg.Repeat + k)
			if _, ok := said[again.Base()]; ok {
				cases.Add(&again)
			}
		}
	}
	if cases.Len() == 0 {
		return nil, nil
	}
	cfg := p.plan.Config
	cfg.Cases, cfg.Target, cfg.Rate, cfg.Concurrency = cases, target.NewRecorded(said, nil), 0, max(1, p.cfg.Concurrency)
	progress := p.world.Progress
	var again []assay.Record
	for rec, err := range run.Run(ctx, cfg) {
		if err != nil {
			return nil, fmt.Errorf("judging the first responses again: %w", err)
		}
		again = append(again, rec)
		if progress != nil {
			progress.Preparing("judging again", len(again), cases.Len())
		}
	}
	return again, nil
}
