package run

import (
	"fmt"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// A proof detects an unavailable judge, as the breaker does for the target. Until
// the first ruling it holds the records of judged cases back. If the first limit
// judged cases have no ruling, judging has failed permanently and none of them is
// recorded. One ruling releases everything.
type proof struct {
	limit   int
	metrics []metric.Metric

	mu     sync.Mutex
	proven bool
	held   []assay.Record
}

// see reports a judged case before a ruling may be withheld, because a withheld
// ruling also counts.
func (p *proof) see(rec assay.Record) {
	judged, failed, _ := p.outcome(rec)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.proven = p.proven || failed < judged
}

// admit takes a scored record and returns those that may be recorded now. The
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

// finish returns the error of a run that ended without any ruling.
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

// outcome counts the scores of a record that the judge was asked for, and those without
// a ruling, with one of the reasons. It counts none if no question of the case failed at
// the judge: a check that cannot be evaluated, an embedder that fails or a withheld ruling
// says nothing about the judge.
func (p *proof) outcome(rec assay.Record) (judged, failed int, why string) {
	for _, m := range p.metrics {
		if rec.Response == nil || !asks(m, &rec.Case, rec.Response) {
			continue
		}
		switch s := rec.Scores[m.Name]; s.State {
		case assay.NotApplicable:
		case assay.JudgeError:
			judged, failed, why = judged+1, failed+1, s.Reason
		default:
			judged++
		}
	}
	if failed == judged && (rec.Judging == nil || rec.Judging.Failed == 0) {
		return 0, 0, ""
	}
	return judged, failed, why
}
