package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric/catalog"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// A lowCase is a case with a measure of how well it did. Lists of them hold every case of a
// run, so it has no record.
type lowCase struct {
	// row is the case in the table of cases.
	row int32
	// Good is the composite or, without one, the mean of the case's scores, each as
	// its position between the metric's worst and best value. It is used only to sort
	// cases and is not a result.
	Good float64
	// Bad is set if the case is not ok, or critical and failed.
	Bad bool
	// Wrong is set if the case is wrong, see [Report.Check].
	Wrong bool
	// Unscored is set if a metric could not be computed.
	Unscored bool
	// Low is set if the case lost something, see [Report.low].
	Low bool
	// Drawn is set if the case was drawn at random for a page that does not hold all.
	Drawn bool
}

// A shownCase is a case with its record.
type shownCase struct {
	lowCase
	assay.Record
	Status assay.Status
}

// shown returns a case with its record.
func (c *content) shown(x lowCase) shownCase {
	rec := c.whole(int(x.row))
	return shownCase{x, rec, summary.Status(c.r.Header.Metrics, rec)}
}

// worstFirst returns all cases: those that lost something, the worst first, then the
// others in the order of the dataset.
func (r *Report) worstFirst() []lowCase {
	list := r.low()
	low := make([]bool, r.Cases.Len())
	for _, x := range list {
		low[x.row] = true
	}
	for i := range low {
		if !low[i] {
			list = append(list, lowCase{row: int32(i)})
		}
	}
	return list
}

// result returns a short description of how the case did. The short form is for a
// heading with details below it.
func (c *content) result(x shownCase, short bool) string {
	missed, full, failure, lost := c.misses(x.Record), x.Good == 1, "", ""
	if x.Failure != nil && !short {
		failure = line(x.Failure.Kind)
	}
	if stage, ok := lostAt(x.Record); ok {
		lost = c.w.LostAt(stage)
	}
	name := "good"
	switch {
	case x.Status == assay.StatusError:
		name = "error"
	case x.Status == assay.StatusFailed && short:
		name = "failed"
	case x.Status == assay.StatusFailed:
		name = "missed"
	case x.Wrong:
		name = "wrong"
	case full && x.Unscored:
		name = "unscored"
	case full:
		name = "full"
	}
	said := words.V{"missed": missed, "more": len(missed) - 1, "failure": failure, "good": short2(x.Good), "full": full, "lost": lost,
		"critical": x.Case.Critical}
	said["word"] = c.w.Say("CaseResult."+name, said)
	return c.w.Say("CaseResult.all", said)
}

// short2 formats a share below 1 with two decimals that are never 1.00.
func short2(v float64) string {
	if v < 1 {
		v = min(v, 0.99)
	}
	return fmt.Sprintf("%.2f", v)
}

// sortedBy says what the order of the low cases is: what the first cases have in common,
// and the number that sorts the others.
func (c *content) sortedBy(low []lowCase) words.Order {
	o := words.Order{Wrong: slices.ContainsFunc(low, func(x lowCase) bool { return x.Wrong })}
	for _, m := range c.r.Header.Metrics {
		o.Composite = o.Composite || m.Name == assay.CompositeName
		o.Scaled = o.Scaled || m.Better == "lower" || m.Range != [2]float64{0, 1}
	}
	return o
}

// split separates the cases that are not ok from those that only lost something.
func split(cases []lowCase) (failed, low []lowCase) {
	for i, c := range cases {
		if !c.Bad {
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

// lowest returns low with the worst draw of each case alone.
func (r *Report) lowest() []lowCase {
	seen := map[int]bool{}
	return slices.DeleteFunc(r.low(), func(c lowCase) bool {
		is := r.Cases.Case(int(c.row))
		was := seen[is]
		seen[is] = true
		return was
	})
}

// low returns the cases that lost something: those that are not ok, then those that
// are wrong, then the others, each by [goodness], the lowest first. It leaves out cases with full marks, cases to which no
// metric applies, and cases without an answer in the corpus that only precision or an
// estimate scored: there was nothing relevant to retrieve for them.
func (r *Report) low() []lowCase {
	var out []lowCase
	whole, parts := apart(r.Header.Metrics)
	for i, m := range parts {
		parts[i] = Described(m)
	}
	metrics := telling(parts)
	for i, short := range r.Cases.Records() {
		rec := *short
		c := lowCase{row: int32(i), Low: true}
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
		c.Bad = summary.Status(r.Header.Metrics, rec) != assay.StatusOK || r.criticalFailed(rec)
		c.Wrong = r.wrong(rec)
		if c.Bad || c.Wrong || ok && c.Good < 1 || c.Unscored {
			out = append(out, c)
		}
	}
	rank := func(c lowCase) int {
		switch {
		case c.Bad && r.Cases.Critical(int(c.row)):
			return 0
		case c.Bad:
			return 1
		case c.Wrong:
			return 2
		}
		return 3
	}
	slices.SortStableFunc(out, func(a, b lowCase) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Good, b.Good))
	})
	return out
}

func (r *Report) wrong(rec assay.Record) bool { return r.Check(rec).Outcome() == assay.AnswerWrong }

var definitions = sync.OnceValue(catalog.All)

// Described adds what a header of an earlier version lacks of the metric's definition. It does
// not know metrics that users define.
func Described(m assay.MetricInfo) assay.MetricInfo {
	if known, err := definitions().Parse(m.Name); err == nil && m.LabelQuestion == "" {
		m.LabelQuestion, m.Capped = known.Def.LabelQuestion, known.Def.Capped
	}
	return m
}

// telling returns the metrics that are not capped, or all of them if the run
// measured nothing else.
func telling(metrics []assay.MetricInfo) []assay.MetricInfo {
	if !slices.ContainsFunc(metrics, func(m assay.MetricInfo) bool { return !m.Capped && !m.Estimate }) {
		return metrics
	}
	return slices.DeleteFunc(slices.Clone(metrics), func(m assay.MetricInfo) bool { return m.Capped })
}

// goodness returns the mean position between worst and best over the metrics that
// scored the case. Metrics that estimate a judge's rulings count only if there are no
// others. Neither they nor capped metrics count for a case that has no answer. ok is
// false if nothing scored.
func goodness(metrics []assay.MetricInfo, r assay.Record) (g float64, ok bool) {
	unanswerable := r.Case.Want.Answerable != nil && !*r.Case.Want.Answerable
	var sum, n [2]float64
	for _, m := range metrics {
		if unanswerable && (m.Estimate || m.Capped) {
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
