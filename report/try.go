package report

import (
	"strconv"
	"time"

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

// slowLine counts the responses over the slow threshold, which it names when
// the run knows it.
func slowLine(h assay.Header, n int) string {
	if limit, ok := slowThreshold(h); ok {
		return "slow (over " + limit + "): " + strconv.Itoa(n)
	}
	return "slow " + strconv.Itoa(n)
}

// slowThreshold shows the run's setting, a duration or a number of seconds, as
// "5 s".
func slowThreshold(h assay.Header) (string, bool) {
	set := h.Config["slow-threshold"]
	d, err := time.ParseDuration(set)
	if err != nil {
		seconds, err := strconv.ParseFloat(set, 64)
		if err != nil || !(seconds > 0 && seconds < 1e6) {
			return "", false
		}
		d = time.Duration(seconds * float64(time.Second))
	}
	if d <= 0 {
		return "", false
	}
	if d >= time.Second && d < time.Minute {
		return strconv.FormatFloat(d.Seconds(), 'g', -1, 64) + " s", true
	}
	return duration(d), true
}
