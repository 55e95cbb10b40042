package gate

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// Check reports rules that can never be met by a run with such metrics: those
// about a metric that it lacks, with a limit beyond its range, or with "%" of
// what is no ratio. Names may lack cutoff and parameters if only one metric of
// the run fits. So are tolerances of metrics that neither the run nor the
// baseline has; without a baseline they hold the run to nothing. All mistakes are reported, one a line.
func (p Policy) Check(metrics []assay.MetricInfo) error {
	var problems []error
	var names []string
	for _, m := range metrics {
		names = append(names, m.Name)
	}
	for _, r := range p.Rules {
		if err := r.check(metrics, names); err != nil {
			problems = append(problems, fmt.Errorf("rule %q: %w", r, err))
		}
	}
	if p.Baseline != nil {
		names = append(names, slices.Sorted(maps.Keys(p.Baseline.Metrics))...)
	}
	var known []string
	for _, name := range names {
		known = append(known, keys(name)...)
	}
	for _, key := range slices.Sorted(maps.Keys(p.Tolerances)) {
		switch t := p.Tolerances[key]; {
		case math.IsNaN(t) || math.IsInf(t, 0) || t < 0 && t != -1:
			problems = append(problems, fmt.Errorf("tolerance of %s: %v: want a number from 0, or -1, which only tracks it", key, t))
		case p.Baseline != nil && !slices.Contains(known, key):
			problems = append(problems, fmt.Errorf("tolerance of %q: %s", key, lacks(key, names)))
		}
	}
	return errors.Join(problems...)
}

func (r Rule) check(metrics []assay.MetricInfo, names []string) error {
	if why := malformed(r); why != "" {
		return errors.New(why)
	}
	if r.kind() != kindMetric {
		return nil
	}
	i, why := find(r.Quantity, names)
	if i < 0 {
		return errors.New(why)
	}
	m := metrics[i]
	lo, hi := m.Range[0], m.Range[1]
	if r.Percent && m.Unit != "" {
		return fmt.Errorf("\"%%\" is of ratios, and %s is in %s: want a number without it", m.Name, m.Unit)
	}
	if !bounded(m) {
		return nil
	}
	if r.Versus {
		lo, hi = lo-hi, hi-lo
	}
	why = "no value reaches it"
	if r.holds(lo) || r.holds(hi) {
		if lo <= r.Limit && r.Limit <= hi {
			return nil
		}
		why = "every value reaches it"
	}
	if m.Unit == "" && r.Limit > 1 && r.Limit <= 100 {
		return fmt.Errorf("%s: want a number from %g to %g: is \"%s%%\" meant?", why, lo, hi, decimal(r.Limit))
	}
	return fmt.Errorf("%s: want a number from %g to %g", why, lo, hi)
}

// find gives the place of the metric that a name means, which may lack cutoff and
// parameters; −1 and the reason when there is none, or more than one.
func find(quantity string, names []string) (int, string) {
	if i := slices.Index(names, quantity); i >= 0 {
		return i, ""
	}
	var at []int
	var fit []string
	for i, name := range names {
		plain, _, _ := strings.Cut(name, "(")
		base, _, _ := strings.Cut(plain, "@")
		if quantity == plain || quantity == base {
			at, fit = append(at, i), append(fit, name)
		}
	}
	switch len(at) {
	case 1:
		return at[0], ""
	case 0:
		return -1, lacks(quantity, names)
	}
	return -1, fmt.Sprintf("%q may be %s: want one of them", quantity, strings.Join(fit, " or "))
}

// lacks says that a metric is not there, and what may be meant.
func lacks(name string, names []string) string {
	out := fmt.Sprintf("%q was not measured in this run", name)
	others := slices.Concat(names, []string{quantityErrors, quantityLosses, quantityCost, "mean_latency", "p50_latency", "p95_latency", "p99_latency"})
	if near := text.Nearest(name, others); near != "" {
		return out + fmt.Sprintf(": did you mean %q?", near)
	}
	return out
}
