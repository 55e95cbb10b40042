package run

import (
	"fmt"
	"strings"
	"sync"

	"github.com/assay-eval/assay"
)

// maxAlike is the number of initial cases after which a run ends if the code of the target
// raised the same exception at the same place in all of them.
const maxAlike = 10

// A breaker detects a target that cannot answer. It trips if the first limit cases all
// fail to reach the target, or if the first maxAlike cases, and not all of the run, fail
// alike in its code; any other outcome settles permanently that the target can answer.
// Until that is known it holds the records back, and if it trips they are never recorded.
type breaker struct {
	limit int
	// cases is the number of cases of a new run; 0 for a resumed one, whose rest may fail alike.
	cases int

	mu          sync.Mutex
	reached     bool
	tripped     bool
	refused     int
	first, last assay.Failure

	// held is only used by the collector.
	held []assay.Record
}

// blocked reports whether a failure may be that of every case.
func blocked(r assay.Record) bool {
	return r.Failure != nil && (r.Failure.Kind == kindRefused || r.Failure.Kind == kindRaised)
}

// sameCause reports whether two failures have one cause: for exceptions, their type and place.
func sameCause(a, b assay.Failure) bool {
	return a.Kind == b.Kind && (a.Kind == kindRefused || cause(a.Message) == cause(b.Message))
}

// cause returns the type and the place of an exception: its text may name the question.
func cause(message string) [2]string {
	kind, _, _ := strings.Cut(message, ":")
	at := strings.LastIndex(message, " (")
	if at < len(kind) || !strings.HasSuffix(message, ")") {
		return [2]string{message}
	}
	return [2]string{kind, message[at:]}
}

// tell reports the outcome of a case before the next one is asked. It returns
// whether the run should end.
func (b *breaker) tell(r assay.Record) (tripped bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.reached || b.tripped:
	case b.limit < 1 || !blocked(r) || b.refused > 0 && !sameCause(b.first, *r.Failure):
		b.reached = true
	default:
		if b.refused++; b.refused == 1 {
			b.first = *r.Failure
		}
		b.last = *r.Failure
		b.tripped = b.refused == b.limit
		if b.last.Kind == kindRaised {
			b.tripped = b.refused == maxAlike && b.cases > maxAlike
		}
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
		if blocked(r) {
			b.held = append(b.held, r)
		} else {
			ready = append(ready, r)
		}
	}
	return ready
}

// err returns the error of a run whose target cannot answer, or nil.
func (b *breaker) err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.reached || b.refused == 0 || b.last.Kind == kindRaised && !b.tripped:
		return nil
	case b.last.Kind == kindRaised:
		return fmt.Errorf("stopped after %d cases, which all failed alike: %s. Fix the target, then start the run again", b.refused,
			b.last.Message)
	}
	return &UnreachableError{Cases: b.refused, Last: b.last}
}
