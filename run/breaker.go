package run

import (
	"sync"

	"github.com/assay-eval/assay"
)

// A breaker detects an unreachable target. It trips if the first limit cases all
// fail to reach the target; any other outcome settles permanently that the target
// is reachable. Until that is known it holds the records back, and if it trips
// they are never recorded.
type breaker struct {
	limit int

	mu      sync.Mutex
	reached bool
	tripped bool
	refused int
	last    assay.Failure

	// held is only used by the collector.
	held []assay.Record
}

func refused(r assay.Record) bool { return r.Failure != nil && r.Failure.Kind == kindRefused }

// tell reports the outcome of a case before the next one is asked. It returns
// whether the run should end.
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

// admit takes records and returns those that may be recorded now.
func (b *breaker) admit(recs []assay.Record) []assay.Record {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.reached && b.held == nil:
		return recs
	case b.reached:
		recs, b.held = append(b.held, recs...), nil
		return recs
	}
	// An answer that an earlier session kept does not show that the target is reachable
	// now, and is final.
	var ready []assay.Record
	for _, r := range recs {
		if refused(r) {
			b.held = append(b.held, r)
		} else {
			ready = append(ready, r)
		}
	}
	return ready
}

// err returns the error of a run without a reachable target, or nil.
func (b *breaker) err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.reached || b.refused == 0 {
		return nil
	}
	return &UnreachableError{Cases: b.refused, Last: b.last}
}
