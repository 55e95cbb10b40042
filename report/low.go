package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// A lowCase is a case with a measure of how well it did.
type lowCase struct {
	assay.Record
	Status assay.Status
	// Good is the composite or, without one, the mean of the case's scores, each as
	// its position between the metric's worst and best value. It is used only to sort
	// cases and is not a result.
	Good float64
	// Unscored is set if a metric could not be computed.
	Unscored bool
}

// result returns a short description of how the case did. The short form is for a
// heading with details below it.
func (c *content) result(x lowCase, short bool) string {
	said := words.CaseResult{Status: x.Status, Missed: c.misses(x.Record), Good: fmt.Sprintf("%.2f", x.Good), Full: x.Good == 1,
		Unscored: x.Unscored, Critical: x.Case.Critical, Short: short}
	if x.Failure != nil {
		said.Failure = line(x.Failure.Kind)
	}
	said.Stage, said.Lost = lostAt(x.Record)
	return c.w.CaseResult(said)
}

// wrong reports whether the list has a case with full marks and a wrong answer.
func wrong(low []lowCase) bool {
	return slices.ContainsFunc(low, func(c lowCase) bool { return c.Good == 1 && !c.Unscored })
}

// split separates the cases that are not ok from those that only lost something.
func split(cases []lowCase) (failed, low []lowCase) {
	for i, c := range cases {
		if c.Status == assay.StatusOK {
			return cases[:i], cases[i:]
		}
	}
	return cases, nil
}

// bounded returns how many failed and how many low cases to show, given the defaults
// of the format. The low cases get the room that the failed ones leave, up to their
// own limit.
func (o Options) bounded(failed, low, mostFailed, mostLow int) (showFailed, showLow int) {
	if o.Cases != 0 {
		mostFailed, mostLow = o.cases(0), o.cases(0)
	}
	showFailed = min(failed, mostFailed)
	return showFailed, min(low, max(mostLow-showFailed, 0))
}

// low returns the cases that lost something: those that are not ok, then the others by
// [goodness], the lowest first. It leaves out cases with full marks, cases to which no
// metric applies, and cases without an answer in the corpus that only precision or an
// estimate scored: there was nothing relevant to retrieve for them.
func (r *Report) low() []lowCase {
	var out []lowCase
	whole, parts := apart(r.Header.Metrics)
	metrics := telling(parts)
	for _, rec := range r.Records {
		c := lowCase{Record: rec, Status: summary.Status(r.Header.Metrics, rec)}
		good, ok := goodness(metrics, rec)
		if c.Good = good; !ok {
			c.Good = 1
		}
		// The user defined the composite, so it alone decides.
		if s := rec.Scores[assay.CompositeName]; whole != nil && s.State == assay.Scored && way(*whole, s.Value) < 1 {
			c.Good, ok = way(*whole, s.Value), true
		}
		for _, s := range rec.Scores {
			c.Unscored = c.Unscored || s.State == assay.JudgeError
		}
		failed := rec.Attribution != nil && rec.Attribution.Failed
		if c.Status != assay.StatusOK || ok && c.Good < 1 || c.Unscored || failed {
			out = append(out, c)
		}
	}
	rank := func(c lowCase) int {
		switch {
		case c.Status == assay.StatusOK:
			return 2
		case c.Case.Critical:
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out, func(a, b lowCase) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Good, b.Good))
	})
	return out
}

// capped reports whether the best possible score of a case can be below the metric's
// best value. The precision of ten passages is at most 0.1 if one document is
// relevant, and 0 if none is. Metrics of the judged passages only do not tell how good
// the passages are.
func capped(m assay.MetricInfo) bool {
	for _, start := range []string{"precision@", "src_precision@", "passage_precision@", "judged@", "unjudged@"} {
		if strings.HasPrefix(m.Name, start) {
			return true
		}
	}
	return false
}

// telling returns the metrics that are not [capped], or all of them if the run
// measured nothing else.
func telling(metrics []assay.MetricInfo) []assay.MetricInfo {
	if !slices.ContainsFunc(metrics, func(m assay.MetricInfo) bool { return !capped(m) && !m.Estimate }) {
		return metrics
	}
	return slices.DeleteFunc(slices.Clone(metrics), capped)
}

// goodness returns the mean position between worst and best over the metrics that
// scored the case. Metrics that estimate a judge's rulings count only if there are no
// others. Neither they nor [capped] metrics count for a case that has no answer. ok is
// false if nothing scored.
func goodness(metrics []assay.MetricInfo, r assay.Record) (g float64, ok bool) {
	unanswerable := r.Case.Want.Answerable != nil && !*r.Case.Want.Answerable
	var sum, n [2]float64
	for _, m := range metrics {
		if unanswerable && (m.Estimate || capped(m)) {
			continue
		}
		s := r.Scores[m.Name]
		kind := 0
		if m.Estimate {
			kind = 1
		}
		switch s.State {
		case assay.Scored:
			sum[kind] += way(m, s.Value)
			n[kind]++
		case assay.TargetError:
			n[kind]++
		}
	}
	for kind := range n {
		if n[kind] > 0 {
			return sum[kind] / n[kind], true
		}
	}
	return 0, false
}

// way returns the position of v between the metric's worst value, 0, and its best, 1.
// An unbounded end is taken to be 1 away from the other end, which suits error rates:
// one error per word is very bad.
func way(m assay.MetricInfo, v float64) float64 {
	lo, hi := span(m)
	w := (v - lo) / (hi - lo)
	if m.Better == "lower" {
		w = 1 - w
	}
	return min(max(w, 0), 1)
}

// span returns the ends of the metric's scale.
func span(m assay.MetricInfo) (lo, hi float64) {
	lo, hi = m.Range[0], m.Range[1]
	if lo <= -math.MaxFloat64 {
		lo = min(0, hi-1)
	}
	if hi >= math.MaxFloat64 {
		hi = lo + 1
	}
	if hi <= lo {
		hi = lo + 1
	}
	return lo, hi
}
