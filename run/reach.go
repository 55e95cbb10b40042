package run

import (
	"fmt"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// A proof finds out whether there is a judge at all, as the breaker does for
// the target: while every case that was judged came back without one ruling,
// its record is held; when the first limit cases all did, judging ends for
// good, and none of them is recorded. One ruling proves the judge, and lets go
// of what is held.
type proof struct {
	limit   int
	metrics []metric.Metric

	mu     sync.Mutex
	proven bool
	held   []assay.Record
}

// see hears of a case as soon as it has been judged, before a ruling may be put
// aside: one that is put aside was given all the same.
func (p *proof) see(rec assay.Record) {
	judged, failed, _ := p.outcome(rec)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.proven = p.proven || failed < judged
}

// admit takes a scored record and returns those that may be kept now. The
// error ends the run.
func (p *proof) admit(rec assay.Record) ([]assay.Record, error) {
	judged, _, why := p.outcome(rec)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.proven:
		out := append(p.held, rec)
		p.held = nil
		return out, nil
	case p.limit < 1 || judged == 0:
		return []assay.Record{rec}, nil
	}
	p.held = append(p.held, rec)
	if len(p.held) < p.limit {
		return nil, nil
	}
	return nil, p.err(why)
}

// finish returns the error of a run that ended before its judge was proven.
func (p *proof) finish() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.proven || len(p.held) == 0 {
		return nil
	}
	_, _, why := p.outcome(p.held[len(p.held)-1])
	return p.err(why)
}

func (p *proof) err(why string) error {
	cases := "the only case that was judged"
	if n := len(p.held); n > 1 {
		cases = fmt.Sprintf("the first %d cases", n)
	}
	return &judge.FatalError{Err: fmt.Errorf("no ruling on %s: %s", cases, why)}
}

// outcome counts the judged scores of a record, and those that the judge left
// open, with the reason of one.
func (p *proof) outcome(rec assay.Record) (judged, failed int, why string) {
	for _, m := range p.metrics {
		if len(m.Def.Asks) == 0 {
			continue
		}
		switch s := rec.Scores[m.Name]; s.State {
		case assay.NotApplicable, assay.TargetError:
		case assay.JudgeError:
			judged, failed, why = judged+1, failed+1, s.Reason
		default:
			judged++
		}
	}
	return judged, failed, why
}
