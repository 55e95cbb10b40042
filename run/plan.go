package run

import (
	"errors"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/backoff"
)

// plan validates the config, fills in its defaults, and returns the cases to ask
// in starting order, critical ones first, and the number of finished cases.
func plan(cfg *Config) (todo []int, done int, err error) {
	switch {
	case cfg.Target == nil:
		return nil, 0, errors.New("run: no target")
	case cfg.Now == nil:
		return nil, 0, errors.New("run: no clock: set Now")
	case cfg.Retries < 0:
		return nil, 0, fmt.Errorf("run: retries %d: expected 0 or more", cfg.Retries)
	case !(cfg.Rate >= 0):
		return nil, 0, fmt.Errorf("run: rate %v: expected 0 or more calls a second", cfg.Rate)
	case cfg.Timeout < 0:
		return nil, 0, fmt.Errorf("run: timeout %v: expected 0 or more", cfg.Timeout)
	}
	cfg.Concurrency = max(cfg.Concurrency, 1)
	if cfg.Sleep == nil {
		cfg.Sleep = backoff.Sleep
	}
	if cfg.MaxGrade < 1 {
		cfg.MaxGrade = 1
		for _, c := range cfg.Cases.All() {
			for _, g := range c.Want.Documents {
				cfg.MaxGrade = max(cfg.MaxGrade, g)
			}
		}
	}
	finished, err := finished(cfg)
	if err != nil {
		return nil, 0, err
	}
	if cfg.Only != nil {
		return only(cfg, finished)
	}
	var others []int
	for i, c := range cfg.Cases.All() {
		switch {
		case finished[i]:
		case c.Critical:
			todo = append(todo, i)
		default:
			others = append(others, i)
		}
	}
	todo = append(todo, others...)
	return todo, cfg.Cases.Len() - len(todo), nil
}

// only returns those of the chosen cases that are not finished, and how many of them are.
func only(cfg *Config, finished []bool) (todo []int, done int, err error) {
	for _, seq := range cfg.Only {
		switch {
		case seq < 0 || seq >= len(finished):
			return nil, 0, fmt.Errorf("run: case %d is not in the dataset: it has %d cases", seq, len(finished))
		case finished[seq]:
			done++
		default:
			todo = append(todo, seq)
		}
	}
	return todo, done, nil
}

// finished marks the cases in Done. Records of other cases, or with other
// metrics, would mix two runs and are an error.
func finished(cfg *Config) ([]bool, error) {
	done := make([]bool, cfg.Cases.Len())
	if cfg.Done == nil {
		return done, nil
	}
	for r, err := range cfg.Done {
		if err != nil {
			return nil, err
		}
		if err := cfg.known(r); err != nil {
			return nil, err
		}
		if done[r.Seq] {
			return nil, fmt.Errorf("resume: the run contains case %q twice", r.Case.ID)
		}
		var names []string
		if !cfg.Composite.Empty() {
			names = append(names, assay.CompositeName)
		}
		for _, m := range cfg.Metrics {
			if _, ok := r.Scores[m.Name]; !ok {
				return nil, fmt.Errorf("resume: case %q has no score of %q: expected the metrics that the run started with", r.Case.ID, m.Name)
			}
			names = append(names, m.Name)
		}
		for name := range r.Scores {
			if !slices.Contains(names, name) {
				return nil, fmt.Errorf("resume: case %q has a score of %q: expected the metrics that the run started with", r.Case.ID, name)
			}
		}
		done[r.Seq] = true
	}
	return done, nil
}

// known returns an error if a record of an earlier session is not of the same case.
func (c *Config) known(r assay.Record) error {
	if r.Seq < 0 || r.Seq >= c.Cases.Len() {
		return fmt.Errorf("resume: the run has a case %d (%q), but the dataset now has %d cases", r.Seq, r.Case.ID, c.Cases.Len())
	}
	if id := c.Cases.At(r.Seq).ID; id != r.Case.ID {
		return fmt.Errorf("resume: case %d was %q and is now %q: expected the dataset that the run started with", r.Seq, r.Case.ID, id)
	}
	return nil
}
