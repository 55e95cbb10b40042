package gate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// DefaultTolerances hold where a policy says nothing else, by the metric's name
// without its "src_" or "passage_": a hit among three must not be lost, the
// others absorb what small changes of a ranking do. "mrr" stands for every depth.
var DefaultTolerances = map[string]float64{"hit@3": 0, "precision@5": 0.02, "mrr": 0.03}

// keys gives the names by which a tolerance may be told for a metric, the most
// exact first.
func keys(name string) []string {
	out := []string{name}
	add := func(key string) {
		if !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	for _, prefix := range []string{"src_", "passage_"} {
		if bare, ok := strings.CutPrefix(name, prefix); ok {
			add(depthless(name))
			add(bare)
		}
	}
	for _, key := range slices.Clone(out) {
		add(depthless(key))
	}
	return out
}

// depthless cuts the cutoff of a reciprocal rank, which stands for every depth.
func depthless(name string) string {
	if base, depth, ok := strings.Cut(name, "@"); ok && !strings.Contains(depth, "(") && strings.TrimPrefix(strings.TrimPrefix(base, "src_"), "passage_") == "mrr" {
		return base
	}
	return name
}

// tolerance gives how far a metric may fall behind the baseline. said is set
// when the policy, and not the default, has it.
func (p Policy) tolerance(name string) (t float64, said, ok bool) {
	for _, key := range keys(name) {
		if t, ok := p.Tolerances[key]; ok {
			return t, true, true
		}
	}
	for _, key := range keys(name) {
		if t, ok := DefaultTolerances[key]; ok {
			return t, false, true
		}
	}
	return 0, false, false
}

// tolerances gives the rules that the tolerances come to: those of the metrics of
// the run that the baseline holds, in the order of the run, and then those of the
// metrics that a tolerance is told for, or that the baseline holds, and that the
// run has not measured: these fail, for else a metric could be ungated by not
// being measured. A rule of a metric against the baseline that guards the same
// side takes the place of a default.
func (h *hearing) tolerances() []Rule {
	var names []string
	for _, m := range h.run.Summary.Metrics {
		if h.holdsValues(m.Name) {
			names = append(names, m.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(h.baseline.Metrics)) {
		if h.holdsValues(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	var out []Rule
	used := map[string]bool{}
	for _, name := range names {
		for _, key := range keys(name) {
			used[key] = true
		}
		t, said, ok := h.policy.tolerance(name)
		better := h.baseline.Metrics[name].Better
		if !ok || t < 0 || !said && h.ruled(name, better) {
			continue
		}
		out = append(out, h.policy.tolerated(name, better, t))
	}
	for _, key := range slices.Sorted(maps.Keys(h.policy.Tolerances)) {
		if t := h.policy.Tolerances[key]; !used[key] && !(t < 0) {
			out = append(out, h.policy.tolerated(key, "higher", t))
		}
	}
	if h.policy.Statistical && !slices.ContainsFunc(h.policy.Rules, func(r Rule) bool { return r.Quantity == quantityLosses }) {
		out = append(out, Rule{Quantity: quantityLosses, Op: "<=", Limit: 0.02, Percent: true})
	}
	return out
}

// holdsValues reports whether the baseline has a value of the metric.
func (h *hearing) holdsValues(name string) bool {
	if h.baseline.Metrics[name] == nil {
		return false
	}
	for _, values := range h.baseline.Cases {
		if _, ok := values[name]; ok {
			return true
		}
	}
	return false
}

// ruled reports whether a rule guards the metric against getting worse than the
// baseline.
func (h *hearing) ruled(name, better string) bool {
	return slices.ContainsFunc(h.policy.Rules, func(r Rule) bool {
		if !r.Versus || r.floor() != (better == "higher") {
			return false
		}
		m, why := h.metric(r.Quantity)
		return why == "" && m.Name == name
	})
}

// tolerated is the rule that a tolerance comes to.
func (p Policy) tolerated(name, better string, t float64) Rule {
	r := Rule{Quantity: name, Versus: true, Op: ">=", Limit: -t + 0}
	bound := "lower"
	if better == "lower" {
		r.Op, r.Limit, bound = "<=", t, "upper"
	}
	if p.Statistical && t > 0 {
		r.Bound = bound
	}
	return r
}

// guards judges what is asked of a baseline beside its rules: that it holds the
// run to something, and that critical cases lose nothing.
func (h *hearing) guards() []Result {
	if h.hopeless != "" {
		return nil
	}
	if h.gated == nil {
		return []Result{h.gatesNone()}
	}
	if res, ok := h.critical(); ok {
		return []Result{res}
	}
	return nil
}

// gatesNone is the result of a baseline that holds the run to nothing.
func (h *hearing) gatesNone() Result {
	return Result{
		Rule: "the baseline gates a metric", Verdict: Fail,
		Reason: "it gates none: want a tolerance, or a rule against the baseline, of " + some(slices.Sorted(maps.Keys(h.baseline.Metrics))),
	}
}

// tracked compares the metrics of the baseline that nothing gates.
func (h *hearing) tracked() []Result {
	var out []Result
	for _, m := range h.run.Summary.Metrics {
		s := h.sides[m.Name]
		if s == nil || slices.Contains(h.gated, m.Name) {
			continue
		}
		res := Result{Rule: m.Name + " vs baseline", Metric: m.Name}
		if s.why != "" {
			res.Reason = "not compared with the baseline: " + s.why
		} else {
			s.fill(&res, h.baseline.Metrics[m.Name].Mean, h.level)
		}
		out = append(out, res)
	}
	return out
}

// remarks are what decides nothing and a reader should know all the same.
func (h *hearing) remarks() []string {
	out := slices.Compact(h.quirks)
	var texts []string
	about := map[string][]string{}
	for _, name := range h.gated {
		s := h.sides[name]
		if s == nil || s.why != "" || s.metric.Pooled {
			continue
		}
		var parts []string
		if s.gone != nil {
			parts = append(parts, fmt.Sprintf("%s in the baseline only (%s)", plural(len(s.gone), "case"), some(s.gone)))
		}
		if s.added != nil {
			parts = append(parts, fmt.Sprintf("%s in the run only (%s)", plural(len(s.added), "case"), some(s.added)))
		}
		if parts == nil {
			continue
		}
		text := "has a value of " + strings.Join(parts, ", of ") + ": these are not compared"
		if about[text] == nil {
			texts = append(texts, text)
		}
		about[text] = append(about[text], name)
	}
	for _, text := range texts {
		out = append(out, strings.Join(about[text], ", ")+" "+text)
	}
	return out
}

// scale brings a value to 0, the worst, to 1, the best; ok is false for a metric
// without a worst or a best value.
func scale(m assay.MetricInfo, v float64) (float64, bool) {
	if !bounded(m) {
		return 0, false
	}
	x := (v - m.Range[0]) / (m.Range[1] - m.Range[0])
	if m.Better == "lower" {
		x = 1 - x
	}
	return x, true
}
