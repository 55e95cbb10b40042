package report

import (
	"github.com/assay-eval/assay"
)

// mostTries bounds the attempts of a case that readable reports list.
const mostTries = 10

// triesOf lists the attempts of a case that failed, where the list says more
// than the failure does.
func triesOf(r assay.Record) []assay.Try {
	if len(r.Tries) == 0 || len(r.Tries) == 1 && r.Failure != nil && r.Tries[0].Failure == *r.Failure {
		return nil
	}
	return r.Tries
}

// tryLine says how one attempt failed: "timeout after 30.0 s, waited 1.1 s: no
// response within 30s".
func tryLine(t assay.Try, most int) string {
	s := line(t.Kind)
	if t.Latency > 0 {
		s += " after " + duration(t.Latency)
	}
	if t.Wait > 0 {
		s += ", waited " + duration(t.Wait)
	}
	if m := line(t.Message); m != "" {
		s += ": " + excerpt(m, most)
	}
	return s
}

// attempts says how often the target was asked, and how long the last attempt
// took to fail when it was the only one.
func attempts(r assay.Record) string {
	s := plural(r.Attempts, "attempt", "attempts")
	if len(r.Tries) == 1 && r.Tries[0].Latency > 0 {
		s += ", " + duration(r.Tries[0].Latency)
	}
	return s
}
