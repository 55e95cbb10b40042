package gate

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/summary"
)

// Labels are what people said of a metric on answers of runs.
type Labels struct {
	Metric string
	// Runs has the labels by what they call the run: its id or its name.
	Runs map[string]summary.RunLabels
	// Own are the names that one run alone has. Labels by another name can be those of the answers of an earlier run of
	// that name, and do not count.
	Own map[string]bool
}

// of returns the labels of a run, and what they lack.
func (l *Labels) of(id, name string) (of summary.RunLabels, lack summary.Lack) {
	names := []string{id}
	if l.Own[name] && name != id {
		names = append(names, name)
	}
	of, twice := summary.LabelsOf(l.Runs, names...)
	switch {
	case twice != "":
		return summary.RunLabels{}, summary.LacksOne
	case len(of.Values) == 0 && len(l.Runs) > 0:
		return of, summary.LacksRun
	}
	return of, ""
}

// ofBaseline returns the labels of the run of a baseline by the ids that the draws of its cases share, and what they lack.
func (l *Labels) ofBaseline(b *Baseline) (of summary.Labelled, lack summary.Lack) {
	labels, lack := l.of(b.Run, b.Name)
	of.Labels, of.Strata, of.Failed = map[string]float64{}, map[string]int{}, map[string]float64{}
	for _, id := range b.Failed {
		of.Failed[id] = 1
	}
	n := map[string]float64{}
	for id, v := range labels.Values {
		base := b.base(id)
		n[base]++
		of.Labels[base] += (v - of.Labels[base]) / n[base]
		if k, ok := labels.Strata[id]; ok {
			of.Strata[base] = k
		}
	}
	return of, lack
}

// base returns the id that the draws of a case of the baseline share.
func (b *Baseline) base(id string) string {
	if _, ok := b.Cases[id]; ok {
		return id
	}
	// As [assay.Case.Repeated] names further draws.
	if at := strings.LastIndexByte(id, '#'); at > 0 {
		if n, err := strconv.Atoi(id[at+1:]); err == nil && n > 1 {
			return id[:at]
		}
	}
	return id
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
	name := run.Header.Name
	if b := p.Baseline; b != nil && b.Name == name && b.Run != run.Header.ID {
		name = "" // it does not tell the one from the other
	}
	labels, lack := p.Labels.of(run.Header.ID, name)
	values := summary.Values(m.MetricInfo, run.Cases)
	of := labels.Of(values, run.Cases)
	var correct func(level float64) summary.Correction
	if r.Versus {
		if s == nil || s.why != nil || p.Baseline == nil {
			return res
		}
		b := *p.Baseline
		if name == "" {
			b.Name = ""
		}
		old, lacks := p.Labels.ofBaseline(&b)
		lack = cmp.Or(lack, lacks)
		correct = func(level float64) summary.Correction {
			return summary.CorrectDifference(m.MetricInfo, s.pairs(known), old, of, level)
		}
	} else {
		correct = func(level float64) summary.Correction { return summary.CorrectMean(m.MetricInfo, values, of, level) }
	}
	c := correct(level)
	if lack != "" && c.Corrected == nil {
		c.Lack = lack
	}
	people := &People{Correction: c, Judge: res.Verdict, Decides: p.Corrected}
	var why Finding
	// Two one-sided bounds are the ends of an interval at a lower level. A bound that a rule names is that of the interval
	// that is shown.
	bounds := c
	if level > 0.5 && c.Corrected != nil && (r.Versus || r.Bound == "") {
		bounds = correct(2*level - 1)
	}
	people.Verdict, why = r.byPeople(bounds)
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

// byPeople decides a rule by a correction whose interval has the one-sided bounds.
func (r Rule) byPeople(c summary.Correction) (Verdict, Finding) {
	if c.Corrected == nil {
		return Inconclusive, NotCorrected(c)
	}
	worst, best, guard := c.CI.Lo, c.CI.Hi, "lower"
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
	return verdict, message.New("Reason.ByPeople", "fails", verdict == Fail, "value", mean, "low", lo, "high", hi,
		"labels", c.N, "limit", r.limit(), "named", !r.Versus && r.Bound != "")
}

// NotCorrected says why a corrected value is unknown.
func NotCorrected(c summary.Correction) Finding {
	return message.New("Reason.NotCorrected."+string(cmp.Or(c.Lack, summary.LacksLabels)), "c", c)
}

// differing says which rules people would decide otherwise than the judge, and of which that is not known. A rule that
// people should decide says so itself.
func differing(results []Result) (out []Finding) {
	for _, r := range results {
		p := r.People
		if p != nil && p.Corrected == nil && !p.Decides {
			out = append(out, message.New("Reason.PeopleUnknown", "rule", r.Rule, "reason", NotCorrected(p.Correction)))
		}
		if p == nil || p.Corrected == nil || p.Judge == p.Verdict {
			continue
		}
		out = append(out, message.New("Reason.PeopleDiffer", "rule", r.Rule, "judge", p.Judge, "people", p.Verdict, "decides", p.Decides,
			"verdict", r.Verdict))
	}
	return out
}
