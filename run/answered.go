package run

import (
	"context"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// answered returns the kept answers to the cases in todo, by Seq.
func answered(cfg *Config, todo []int) (map[int]assay.Record, error) {
	if cfg.Answered == nil {
		return nil, nil
	}
	open := make([]bool, len(cfg.Cases))
	for _, seq := range todo {
		open[seq] = true
	}
	kept := map[int]assay.Record{}
	for r, err := range cfg.Answered {
		if err != nil {
			return nil, err
		}
		if err := cfg.known(r); err != nil {
			return nil, err
		}
		if r.Response == nil || !open[r.Seq] {
			continue
		}
		// The case is the dataset's, as in a record that was asked now.
		r.Case = cfg.Cases[r.Seq]
		kept[r.Seq] = r
	}
	return kept, nil
}

// keeping stores the answers that arrive on asked before they are handed on to scoring,
// so that the end of the process while they are judged loses no answer, and no call of the
// judge about it: another answer would have to be judged anew. It ends when asked is
// closed. Records that need not be kept are handed on as they are.
func (e *engine) keeping(ctx context.Context, asked <-chan assay.Record, scoring chan<- assay.Record) {
	// A response that arrives while the run is ending was paid for, too.
	keep := context.WithoutCancel(ctx)
	// A batch has no more than the target answers at once, so that the target does not get
	// far ahead of the judge.
	for batch := range batches(asked, e.cfg.Concurrency) {
		judged := slices.DeleteFunc(slices.Clone(batch), func(r assay.Record) bool { return !e.judges(&r) })
		if len(judged) > 0 {
			if err := e.cfg.Answers.Put(keep, judged...); err != nil {
				e.end.now(fmt.Errorf("keeping the answers to %d cases from %q on: %w", len(judged), judged[0].Case.ID, err))
				continue // no judge is paid for an answer that may be lost
			}
		}
		for _, r := range batch {
			scoring <- r
		}
	}
}

// keeps reports whether answers are stored before they are scored.
func (e *engine) keeps() bool {
	return e.cfg.Answers != nil && e.cfg.Judge != nil && !e.cfg.Judge.Info().Estimate
}

// judges reports whether the judge has a question about a record.
func (e *engine) judges(r *assay.Record) bool {
	return r.Response != nil && slices.ContainsFunc(e.cfg.Metrics, func(m metric.Metric) bool { return asks(m, &r.Case, r.Response) })
}

// asks reports whether a metric has questions for the judge about a response.
func asks(m metric.Metric, c *assay.Case, resp *assay.Response) bool {
	applies, _ := m.Applies(c)
	reported, _ := m.Reported(resp)
	return applies && reported && len(m.AsksAbout(c)) > 0
}
