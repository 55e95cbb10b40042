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
	open := make([]bool, cfg.Cases.Len())
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
		// The case is the dataset's, as in a record that was asked now. What a session without
		// its judge made of the response does not count.
		kept[r.Seq] = assay.Record{Seq: r.Seq, Case: cfg.Cases.At(r.Seq), Response: r.Response, Attempts: r.Attempts, Tries: r.Tries,
			Started: r.Started, Slow: r.Slow}
	}
	return kept, nil
}

// keep stores an answer that the judge is asked about before it is handed on to scoring, so
// that the end of the process while it is judged does not lose it, nor a call of the judge
// about it: another answer would have to be judged anew. Whoever asked the target keeps the
// answer before it asks again, so that no more answers can be lost than the target gives at
// once. keep reports whether the answer may be judged.
func (e *engine) keep(ctx context.Context, rec *assay.Record) bool {
	if !e.keeps() || !e.cfg.judges(rec) {
		return true
	}
	// A response that arrives while the run is ending was paid for, too.
	shown, err := e.hidden(*rec)
	if err == nil {
		err = e.cfg.Answers.Put(context.WithoutCancel(ctx), shown)
	}
	if err != nil {
		e.end.now(fmt.Errorf("keeping the answer to case %q: %w", rec.Case.ID, err))
		return false // no judge is paid for an answer that may be lost
	}
	return true
}

// hidden returns a record without secrets of the target. The case is the dataset's.
func (e *engine) hidden(rec assay.Record) (assay.Record, error) {
	if e.cfg.Hide == nil {
		return rec, nil
	}
	c := rec.Case
	err := e.cfg.Hide(&rec)
	rec.Case = c
	return rec, err
}

// keeps reports whether answers are stored before they are scored.
func (e *engine) keeps() bool {
	return e.cfg.Answers != nil && e.cfg.Judge != nil && !e.cfg.Judge.Info().Estimate
}

// judges reports whether the judge has a question about a record.
func (c *Config) judges(r *assay.Record) bool {
	return r.Response != nil && slices.ContainsFunc(c.Metrics, func(m metric.Metric) bool { return asks(m, &r.Case, r.Response) })
}

// defers reports whether a record is left for a later session to judge.
func (c *Config) defers(r *assay.Record) bool { return c.Away != "" && c.judges(r) }

// asks reports whether a metric has questions for the judge about a response.
func asks(m metric.Metric, c *assay.Case, resp *assay.Response) bool {
	applies, _ := m.Applies(c)
	reported, _ := m.Reported(resp)
	return applies && reported && len(m.AsksAbout(c)) > 0
}
