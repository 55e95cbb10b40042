package gate

import (
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/summary"
)

// DefaultTolerances apply if a policy sets no tolerance, by the metric's name without
// "src_" or "passage_". No hit among three may be lost; the other tolerances absorb
// small changes of a ranking. "mrr" applies to every cut-off.
var DefaultTolerances = map[string]float64{"hit@3": 0, "precision@5": 0.02, "mrr": 0.03}

// keys returns the names by which a tolerance of a metric may be set, the most
// specific first.
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

// depthless removes the cut-off from the name of a reciprocal rank.
func depthless(name string) string {
	base, depth, ok := strings.Cut(name, "@")
	if ok && !strings.Contains(depth, "(") && strings.TrimPrefix(strings.TrimPrefix(base, "src_"), "passage_") == "mrr" {
		return base
	}
	return name
}

// tolerance returns how much worse than the baseline a metric may be. set reports
// whether it comes from the policy rather than from the defaults.
func (p Policy) tolerance(name string) (t float64, set, ok bool) {
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

// Tolerance returns how much worse than the baseline a metric may be, by the entry of
// Tolerances that applies to it. ok is false if there is none, or if it leaves no room.
func (p Policy) Tolerance(name string) (t float64, ok bool) {
	t, set, _ := p.tolerance(name)
	return t, set && t > 0
}

// tolerances returns the tolerances as rules: first for the metrics of the run that
// the baseline has, in the order of the run, then for metrics that have a tolerance or
// a value in the baseline but that the run did not measure. The latter fail, because
// otherwise a metric could escape its gate by not being measured. An explicit rule
// against the baseline on the same side replaces a default.
func (h *hearing) tolerances() []Rule {
	var names []string
	for _, m := range h.run.Summary.Metrics {
		if h.inBaseline(m.Name) {
			names = append(names, m.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(h.baseline.Metrics)) {
		if h.inBaseline(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	var out []Rule
	used := map[string]bool{}
	for _, name := range names {
		for _, key := range keys(name) {
			used[key] = true
		}
		t, set, ok := h.policy.tolerance(name)
		better := h.baseline.Metrics[name].Better
		if !ok || t < 0 || !set && h.ruled(name, better) {
			continue
		}
		out = append(out, h.policy.tolerated(name, better, t))
	}
	for _, key := range slices.Sorted(maps.Keys(h.policy.Tolerances)) {
		if t := h.policy.Tolerances[key]; !used[key] && !(t < 0) {
			out = append(out, h.policy.tolerated(key, "higher", t))
		}
	}
	if h.policy.Statistical && !slices.ContainsFunc(h.policy.Rules, func(r Rule) bool { return r.Quantity == quantityLosses }) &&
		slices.ContainsFunc(slices.Concat(h.policy.Rules, out), h.canBeLost) {
		out = append(out, Rule{Quantity: quantityLosses, Op: "<=", Limit: 0.02, Percent: true})
	}
	return out
}

// inBaseline reports whether the baseline has a value of the metric.
func (h *hearing) inBaseline(name string) bool {
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
		m, err := h.metric(r.Quantity)
		return err == nil && m.Name == name
	})
}

// tolerated returns a tolerance as a rule.
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

// guards evaluates what a baseline requires besides its rules: that it gates at least
// one metric, and that critical cases lose nothing.
func (h *hearing) guards() []Result {
	if h.doomed != nil {
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

// gatesNone returns the result for a baseline that gates no metric.
func (h *hearing) gatesNone() Result {
	metrics := slices.Sorted(maps.Keys(h.baseline.Metrics))
	return Result{
		Rule: "the baseline gates a metric", Verdict: Fail,
		Reason: message.New("Reason.GatesNoMetric", "metrics", metrics),
	}
}

// tracked compares the metrics of the baseline that are not gated.
func (h *hearing) tracked() []Result {
	var out []Result
	for _, m := range h.run.Summary.Metrics {
		s := h.sides[m.Name]
		if s == nil || slices.Contains(h.gated, m.Name) {
			continue
		}
		res := Result{Rule: m.Name + " vs baseline", Metric: m.Name}
		if s.why != nil {
			res.Reason = notCompared(s.why)
		} else {
			s.fill(&res, h.baseline.Metrics[m.Name].Mean, h.level)
		}
		out = append(out, res)
	}
	return out
}

// remarks warns about responses without a latency or a cost and about cases with a
// value in only one of run and baseline. Metrics with the same missing values share a
// warning.
func (h *hearing) remarks() []Finding {
	var out []Finding
	for _, quantity := range slices.Sorted(maps.Keys(h.partly)) {
		out = append(out, h.partly[quantity])
	}
	var sides []*side
	metrics := map[*side][]string{}
	for _, name := range h.gated {
		s := h.sides[name]
		if s == nil || s.why != nil || s.metric.Pooled || s.gone == nil && s.added == nil {
			continue
		}
		i := slices.IndexFunc(sides, func(o *side) bool { return slices.Equal(o.gone, s.gone) && slices.Equal(o.added, s.added) })
		if i < 0 {
			i, sides = len(sides), append(sides, s)
		}
		metrics[sides[i]] = append(metrics[sides[i]], name)
	}
	for _, s := range sides {
		out = append(out, message.New("Reason.MissingValues", "metrics", metrics[s], "inBaseline", s.gone, "inRun", s.added))
	}
	return out
}

// scale maps a value to 0 (worst) … 1 (best); ok is false for a metric without a
// worst or a best value.
func scale(m assay.MetricInfo, v float64) (float64, bool) {
	if !summary.Bounded(m) {
		return 0, false
	}
	x := (v - m.Range[0]) / (m.Range[1] - m.Range[0])
	if m.Better == "lower" {
		x = 1 - x
	}
	return x, true
}
