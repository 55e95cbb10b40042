package gate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// versus evaluates a rule on the difference of a metric from the baseline.
func (h *hearing) versus(r Rule, m summary.Metric, res Result) Result {
	if res.Reason = h.noBaseline(); res.Reason != nil {
		return res
	}
	if res.Reason = h.incomparable(r); res.Reason != nil {
		return res
	}
	s := h.sides[m.Name]
	s.fill(&res, h.baseline.Metrics[m.Name].Mean, h.level)
	missing := missingOf(s.metric.MetricInfo, s.values)
	switch {
	case m.N == 0 && m.Failed == 0:
		res.Reason = message.New("Reason.MeasuredOnNoCase")
		return res
	case m.Pooled:
		return h.pooled(r, s, res)
	case res.N == 0 && len(s.values) > 0:
		res.Reason = unscored{n: len(s.values), of: len(s.values)}.say()
		return res
	case res.N == 0:
		res.Reason = message.New("Reason.NoCommonValue")
		return res
	case openEnded(s.values):
		return missing.notBounded(res)
	case r.Bound != "":
		return h.noninferior(r, s, res)
	case missing.n == 0:
		return r.settleDifference(res)
	}
	old, n := 0.0, float64(len(s.was))
	lo, hi := means(s.values)
	for i, was := range s.was {
		old, lo, hi = old+was/n, lo-s.ends[i][0]/n, hi-s.ends[i][1]/n
	}
	lo, hi = min(lo, hi), max(lo, hi)
	if missing.threshold {
		lo, hi = min(lo, *res.Diff), max(hi, *res.Diff)
	}
	res.Bounds = interval(lo, hi)
	best := r.best(lo, hi)
	return r.conclude(res, missing, lo, hi, r.differenceMisses(best, old, old+best))
}

// noBaseline returns why there is no baseline to compare with, or nil if there is one.
func (h *hearing) noBaseline() Finding {
	switch {
	case h.policy.Baseline == nil:
		return message.New("Reason.NoBaseline")
	case h.baseline == nil:
		return message.New("Reason.BaselineWasRefused")
	}
	return nil
}

// settleDifference returns the result for a known difference.
func (r Rule) settleDifference(res Result) Result {
	if res.Verdict = r.decide(*res.Diff, *res.Diff); res.Verdict != Pass {
		res.Reason = r.differenceMisses(*res.Diff, *res.Baseline, *res.Got)
	}
	return res
}

func (r Rule) differenceMisses(diff, old, new float64) Finding {
	return message.New("Reason.DifferenceMisses", "misses", r.misses(diff), "old", fmt.Sprintf("%.4g", old),
		"new", fmt.Sprintf("%.4g", new))
}

// pooled evaluates the difference of a mean of pooled counts. A baseline has no
// counts, so only the means can be compared: pairs of cases would ignore cases that
// were added to the pool.
func (h *hearing) pooled(r Rule, s *side, res Result) Result {
	missing := unscored{n: max(s.metric.Failed, unsettled(s.values)), of: s.metric.Cases(), partly: true, threshold: s.metric.OpenThreshold}
	switch {
	case s.metric.N == 0:
		res.Reason = unscored{n: s.metric.Failed, of: s.metric.Failed}.say()
		return res
	case r.Bound != "":
		res.Verdict, res.Reason = Inconclusive, message.New("Reason.PooledWithoutInterval")
		return res
	case missing.n > 0:
		return missing.notBounded(res)
	}
	return r.settleDifference(res)
}

// noninferior evaluates a one-sided bound of the difference ([stats.NonInferior]). The
// result has that bound and no interval. A rule on the bound on its own side is a test of non-inferiority
// with three verdicts: pass if this bound meets the limit, fail if the opposite bound
// does not, and otherwise inconclusive because of too few cases. A rule on the other
// bound only passes or fails.
func (h *hearing) noninferior(r Rule, s *side, res Result) Result {
	usual, missing := h.bounded(r, s.pairs(known), 1), missingOf(s.metric.MetricInfo, s.values)
	if res.CI, res.Bound = nil, usual.bound; usual.bound != nil {
		res.Level = h.level
	}
	if missing.n == 0 {
		res.Verdict, res.Noise, res.Reason = usual.verdict, usual.verdict == Inconclusive, usual.reason
		return res
	}
	// The known value might have either test. Both get better as a value rises.
	var worst, best ruling
	if missing.threshold {
		worst, best = usual, usual
	}
	for i, use := range []float64{0, -1} {
		for _, end := range []int{atLower, atUpper} {
			x := h.bounded(r, s.pairs(end), use)
			if worst.verdict == "" || rank(x.verdict) < rank(worst.verdict) {
				worst = x
			}
			if i > 0 && (best.verdict == "" || rank(x.verdict) > rank(best.verdict)) {
				best = x
			}
		}
	}
	switch {
	case worst.verdict == Pass:
		res.Verdict = Pass
	case best.verdict == Fail:
		res.Verdict, res.Reason = Fail, atBest(best.reason)
	default:
		// If even the worst possible scores leave the test undecided, the unknown
		// scores do not matter.
		res.Verdict, res.Noise = Inconclusive, worst.verdict == Inconclusive
		res.Reason = message.New("Reason.AtWorst", "unscored", missing.say(), "reason", worst.reason)
	}
	return res
}

// rank orders verdicts from the worst to the best.
func rank(v Verdict) int { return slices.Index([]Verdict{Fail, Inconclusive, Pass}, v) }

type ruling struct {
	verdict Verdict
	reason  Finding
	bound   *float64
}

// bounded evaluates a bound of the mean difference of the pairs. Their width is multiplied by use,
// which chooses the test.
func (h *hearing) bounded(r Rule, pairs []stats.Pair, use float64) ruling {
	// The test asks whether higher values are not worse. For a rule with an upper
	// limit the signs are reversed.
	sign := 1.0
	if !r.floor() {
		sign = -1
	}
	t, ok := summary.NonInferior(pairs, sign, use, -sign*r.Limit, h.level, h.policy.Seed)
	switch {
	case ok && t.TooFew && t.Needed > 0:
		return ruling{verdict: Inconclusive, reason: message.New("Reason.FewDiffer", "needed", t.Needed)}
	case !ok || t.TooFew:
		return ruling{verdict: Inconclusive, reason: message.New("Reason.NoInterval")}
	}
	lower, upper := t.Lower, t.Upper
	if sign < 0 {
		lower, upper = -t.Upper, -t.Lower
	}
	bound, other, opposite := lower, upper, "upper"
	if r.Bound == "upper" {
		bound, other, opposite = upper, lower, "lower"
	}
	out := ruling{bound: &bound}
	guarded := (r.Bound == "lower") == r.floor()
	switch {
	case guarded && t.Shown, !guarded && r.holds(bound):
		out.verdict = Pass
	case guarded && t.Worse:
		out.verdict, out.reason = Fail, message.New("Reason.ShownToMiss", "limit", r.edge(), "bound", opposite, "value", r.show(other))
	case guarded:
		out.verdict = Inconclusive
		out.reason = message.New("Reason.TooFewCases", "lower", r.show(lower), "upper", r.show(upper), "limit", r.limit(),
			"floor", r.floor(), "needed", t.Needed)
	default:
		out.verdict, out.reason = Fail, message.New("Reason.BoundMisses", "bound", r.Bound, "misses", r.misses(bound))
	}
	return out
}

// A side pairs a metric of the run with the same metric of the baseline.
type side struct {
	metric summary.Metric
	// why is the reason why the two cannot be compared; nil if they can.
	why Finding
	// values are those of the run for the cases with a value in the baseline; was are
	// the values in the baseline, ends those at the ends of the judge's threshold.
	values []summary.Value
	was    []float64
	ends   [][2]float64
	// gone are the cases that have a value only in the baseline; added are those that
	// have one only in the run.
	gone, added []string
	// comparison is over the cases that have a value in the run.
	comparison stats.Comparison
}

// pair pairs every compared metric with that of the baseline. All tests are computed
// in one call, because metrics over the same cases share most of the work.
func (h *hearing) pair(rules []Rule) {
	h.sides = map[string]*side{}
	if h.baseline == nil || h.doomed != nil {
		return
	}
	var together []*side
	var pairs [][]stats.Pair
	for _, m := range h.run.Summary.Metrics {
		if h.baseline.Metrics[m.Name] == nil {
			continue
		}
		s := h.baseline.side(m, h.run)
		h.sides[m.Name] = s
		if s.why == nil && !m.Pooled {
			together = append(together, s)
			pairs = append(pairs, s.pairs(known))
		}
	}
	for i, c := range stats.CompareAll(pairs, h.level, h.policy.Seed) {
		together[i].comparison = summary.Within(together[i].metric.MetricInfo, c)
	}
	named := map[string]bool{}
	for _, r := range rules {
		if m, err := h.metric(r.Quantity); r.Versus && err == nil {
			named[m.Name] = true
		}
	}
	for _, m := range h.run.Summary.Metrics {
		if !named[m.Name] {
			continue
		}
		h.gated = append(h.gated, m.Name)
		if s := h.sides[m.Name]; s != nil && m.OpenThreshold && unsettled(s.values) > 0 && h.baseline.Metrics[m.Name].Ends == nil {
			h.notes = append(h.notes, message.New("Reason.NoEnds", "metric", m.Name))
		}
	}
}

func (b *Baseline) side(m summary.Metric, run Run) *side {
	s := &side{metric: m, why: b.differs(m.MetricInfo, run.Header.Metrics)}
	values := summary.Values(m.MetricInfo, run.Cases)
	s.was = make([]float64, 0, len(values))
	s.values = values[:0]
	for _, v := range values {
		was, had := b.Cases[v.Case][m.Name]
		switch {
		case had:
			s.values = append(s.values, v)
			s.was = append(s.was, was)
			s.ends = append(s.ends, b.Metrics[m.Name].at(v.Case, was))
		case v.Known > 0:
			s.added = append(s.added, v.Case)
		}
	}
	s.gone = b.gone(m.Name, s.values)
	return s
}

// gone returns the cases that have a value of a metric in the baseline and are not among
// the values, in order.
func (b *Baseline) gone(metric string, values []summary.Value) (ids []string) {
	had := 0
	for _, scores := range b.Cases {
		if _, ok := scores[metric]; ok {
			had++
		}
	}
	if had == len(values) {
		return nil
	}
	seen := make(map[string]bool, len(values))
	for _, v := range values {
		seen[v.Case] = true
	}
	for id, scores := range b.Cases {
		if _, ok := scores[metric]; ok && !seen[id] {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// The values of a case: the known one, and the ends of its bounds.
const known, atLower, atUpper = -1, 0, 1

// pairs returns the pairs of the cases with a known value in the run, or of all cases at an end.
func (s *side) pairs(end int) []stats.Pair {
	out := make([]stats.Pair, 0, len(s.values))
	for i, v := range s.values {
		switch {
		case end != known:
			out = append(out, v.Pair(s.metric.MetricInfo, s.ends[i][end], [2]float64{v.Lower, v.Upper}[end]))
		case v.Known > 0:
			out = append(out, v.Pair(s.metric.MetricInfo, s.was[i], v.Mean))
		}
	}
	return out
}

// loss returns how much worse a value is than the earlier one; negative if it is
// better.
func loss(m assay.MetricInfo, was, is float64) float64 {
	if m.Better == "lower" {
		return is - was
	}
	return was - is
}

// fill writes the comparison into a result.
func (s *side) fill(res *Result, old, level float64) {
	c := s.comparison
	if s.metric.Pooled {
		if s.metric.N == 0 {
			return
		}
		diff := s.metric.Mean - old
		res.Got, res.Baseline, res.Diff, res.N = &s.metric.Mean, &old, &diff, s.metric.N
		return
	}
	if c.N > 0 {
		res.Got, res.Baseline, res.Diff, res.CI = &c.New, &c.Old, &c.Diff, c.CI
	}
	if res.CI != nil {
		res.Level = level
	}
	res.N, res.Cases = c.N, s.worst()
}

// worst returns the cases with the largest losses, with their values: "q17 (1 → 0)".
func (s *side) worst() []string {
	const shown = 5
	var at []int
	lost := func(i int) float64 { return loss(s.metric.MetricInfo, s.was[i], s.values[i].Mean) }
	for i, v := range s.values {
		if v.Known > 0 && lost(i) > rounding {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(lost(b), lost(a)) })
	var out []string
	for _, i := range at[:min(shown, len(at))] {
		out = append(out, fmt.Sprintf("%s (%.4g → %.4g)", s.values[i].Case, s.was[i], s.values[i].Mean))
	}
	return out
}

// blind warns about rules on plain differences from the baseline whose tolerance is
// smaller than the smallest difference that this many cases can detect: chance also
// decides such a rule. A metric in which no case changed has no noise.
func (h *hearing) blind(rules []Rule) []Finding {
	var differences []string
	cases := 0
	seen := map[string]bool{}
	for _, r := range rules {
		m, err := h.metric(r.Quantity)
		if !r.Versus || r.Bound != "" || err != nil || seen[m.Name] {
			continue
		}
		s := h.sides[m.Name]
		if s == nil || s.why != nil {
			continue
		}
		c := s.comparison
		mde, ok := summary.Detects(m.MetricInfo, c)
		if !ok || c.Wins+c.Losses == 0 || mde <= math.Abs(r.Limit) {
			continue
		}
		seen[m.Name] = true
		cases = max(cases, c.N)
		lo, hi := m.Ends()
		differences = append(differences, fmt.Sprintf("%.2g (%s)", min(mde, hi-lo), m.Name))
	}
	if differences == nil {
		return nil
	}
	return []Finding{message.New("Reason.BelowNoise", "cases", cases, "differences", differences)}
}
