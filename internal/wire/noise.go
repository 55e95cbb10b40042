package wire

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/summary"
	"github.com/assay-eval/assay/target"
)

// JudgeAgain makes [Job.Noise] judge the responses of the first draws so often in
// all, and the estimate count that. It is 2 when judgings is 0 and a model
// judges, and 1 when none does: formulas say the same each time. The error is
// about the settings.
func (j *Job) JudgeAgain(judgings int) error {
	switch {
	case j.cfg.Repeat < 2:
		return fmt.Errorf("repeat %d: want 2 or more: noise is what differs between draws", j.cfg.Repeat)
	case judgings < 0:
		return fmt.Errorf("rejudge %d: want 1 or more", judgings)
	case j.redraw == nil && judgings > 1:
		return fmt.Errorf("rejudge %d: no model judges, and formulas say the same each time: want 1, or --judge PROVIDER:MODEL", judgings)
	case judgings == 0 && j.redraw != nil:
		judgings = 2
	}
	if j.again = max(judgings, 1) - 1; j.again > 0 {
		// A response is judged again from its record.
		j.cfg.KeepTexts = 0
	}
	return nil
}

// Noise performs the run like [Job.Run], then judges the first response to each
// case again, and splits the noise into what the target and what the judge add.
// The run is kept as any other; the further judgings are in the ledger alone. The
// noise means nothing beside an error.
func (j *Job) Noise(ctx context.Context, s *store.Store, p summary.NoisePlan) (*report.Report, summary.Noise, error) {
	var n summary.Noise
	rep, err := j.run(ctx, s, func(ctx context.Context, records []assay.Record) error {
		again, err := j.rejudge(ctx, records)
		if err != nil {
			return err
		}
		p.Level, p.Seed = j.cfg.Level, j.cfg.Seed
		p.Judgings, p.Model = 1+j.again, j.redraw != nil
		n = summary.NoiseOf(j.header.Metrics, records, again, p)
		return nil
	})
	return rep, n, err
}

// rejudge scores the responses of the first draws anew, under draws of the judge
// that the run has not used.
func (j *Job) rejudge(ctx context.Context, records []assay.Record) ([]assay.Record, error) {
	if j.again == 0 {
		return nil, nil
	}
	said := map[string]assay.Response{}
	for _, r := range records {
		if r.Case.Draw == 0 && r.Response != nil {
			said[r.Case.ID] = *r.Response
		}
	}
	var cases []assay.Case
	for k := range j.again {
		for _, c := range redrawn(j.cases, j.cfg.Repeat+k) {
			if _, ok := said[c.Base()]; ok {
				cases = append(cases, c)
			}
		}
	}
	if len(cases) == 0 {
		return nil, nil
	}
	cfg := j.engine()
	cfg.Cases, cfg.Target, cfg.Rate, cfg.Concurrency = cases, target.NewRecorded(said), 0, max(1, j.cfg.Concurrency)
	progress := j.world.Progress
	var again []assay.Record
	for rec, err := range run.Run(ctx, cfg) {
		if err != nil {
			return nil, fmt.Errorf("judging the first responses again: %w", err)
		}
		again = append(again, rec)
		if progress != nil {
			progress.Preparing("judging again", len(again), len(cases))
		}
	}
	return again, nil
}
