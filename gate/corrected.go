package gate

import (
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// Labels are what people said of a metric on answers of runs.
type Labels struct {
	Metric string
	// Runs has the labels by what they call the run: its id or its name.
	Runs map[string]summary.RunLabels
}

// of returns the labels of a run by its names.
func (l *Labels) of(names ...string) summary.RunLabels {
	for _, n := range names {
		if found, ok := l.Runs[n]; ok && n != "" {
			return found
		}
	}
	return summary.RunLabels{}
}

// A People is a rule as people would judge it.
type People struct {
	summary.Correction
	// Judge is the verdict of the judge's scores, Verdict that of the correction. Decides is set if the correction's
	// counts.
	Judge   Verdict `json:"judge_verdict"`
	Verdict Verdict `json:"verdict"`
	Decides bool    `json:"decides"`
}

// corrected adds to the result of a rule on a labelled metric what people would say: of its mean, or, with s, of its
// difference from the baseline. If the policy says so, that decides:
//
//   - a rule on the mean passes if the corrected mean meets the limit, fails if the one-sided bound on the better side
//     does not, and is otherwise inconclusive for want of labels;
//   - a rule on a bound that guards its limit passes if the bound meets it and fails if the opposite bound does not;
//   - a rule on the other bound passes or fails.
//
// Without a correction the rule is inconclusive.
func (p Policy) corrected(r Rule, m summary.Metric, run Run, s *side, res Result) Result {
	if p.Labels == nil || m.Name != p.Labels.Metric || m.Pooled || r.single() || res.Got == nil {
		return res
	}
	level := level(p.Level)
	of := p.Labels.of(run.Header.ID, run.Header.Name)
	values, strata := of.ByBase(run.Cases)
	c := summary.CorrectMean(summary.Values(m.MetricInfo, run.Cases), values, strata, level)
	if r.Versus {
		if s == nil || s.why != nil || p.Baseline == nil {
			return res
		}
		c = summary.CorrectDifference(s.pairs(), p.Labels.of(p.Baseline.Run, p.Baseline.Name).Values, values, strata, level)
	}
	people := &People{Correction: c, Judge: res.Verdict, Decides: p.Corrected}
	var why Finding
	people.Verdict, why = r.byPeople(c, level)
	res.People = people
	if !p.Corrected {
		return res
	}
	res.Verdict, res.Reason = people.Verdict, why
	// Labels that are too few are like cases that are too few, but a rule that people should decide and none has does
	// not pass.
	res.Noise = people.Verdict == Inconclusive && c.Corrected != nil
	return p.unmeasured(m, res)
}

// byPeople decides a rule by a correction.
func (r Rule) byPeople(c summary.Correction, level float64) (Verdict, Finding) {
	if c.Corrected == nil {
		return Inconclusive, func(w Words) string { return w.NotCorrected(c.Lack, c.Labels, c.More) }
	}
	reach := stats.TQuantile(level, c.DF) * c.SE
	worst, best, guard := c.Mean-reach, c.Mean+reach, "lower"
	if !r.floor() {
		worst, best, guard = best, worst, "upper"
	}
	at := c.Mean
	if r.Bound != "" {
		if at = worst; r.Bound != guard {
			at = best
		}
	}
	verdict := Inconclusive
	switch {
	case r.holds(at):
		verdict = Pass
	case !r.holds(best):
		verdict = Fail
	}
	if verdict == Pass {
		return verdict, nil
	}
	mean, lo, hi := r.show(c.Mean), r.show(min(worst, best)), r.show(max(worst, best))
	return verdict, func(w Words) string { return w.ByPeople(verdict, mean, lo, hi, c.N, r.limit()) }
}

// differing says which rules people would decide otherwise than the judge.
func differing(results []Result) (out []Finding) {
	for _, r := range results {
		p := r.People
		if p == nil || p.Corrected == nil || p.Judge == p.Verdict {
			continue
		}
		out = append(out, func(w Words) string { return w.PeopleDiffer(r.Rule, p.Judge, p.Verdict, p.Decides) })
	}
	return out
}
