package run

import (
	"sync"

	"github.com/assay-eval/assay"
)

// A breaker finds out whether there is a target at all. It trips when the first
// limit cases to be asked all found none; once a case has any other outcome the
// target is there for good. Until that is known it holds the records back, and
// what it holds when it trips is never recorded.
type breaker struct {
	limit int

	mu      sync.Mutex
	reached bool
	tripped bool
	refused int
	last    assay.Failure

	// held is the collector's own.
	held []assay.Record
}

func refused(r assay.Record) bool { return r.Failure != nil && r.Failure.Kind == kindRefused }

// tell hears of a case as soon as it has been asked, before the next one is. It
// reports whether the run is to end.
func (b *breaker) tell(r assay.Record) (tripped bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.reached || b.tripped:
	case b.limit < 1 || !refused(r):
		b.reached = true
	default:
		b.refused++
		b.last = *r.Failure
		b.tripped = b.refused == b.limit
	}
	return b.tripped
}

// admit takes records and returns those that may be kept now.
func (b *breaker) admit(recs []assay.Record) []assay.Record {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.tripped:
		return nil
	case b.reached && b.held == nil:
		return recs
	case b.reached:
		recs, b.held = append(b.held, recs...), nil
		return recs
	}
	b.held = append(b.held, recs...)
	return nil
}

// err is the error of a run that found no target, nil when there was one.
func (b *breaker) err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.reached || b.refused == 0 {
		return nil
	}
	return &UnreachableError{Cases: b.refused, Last: b.last}
}
