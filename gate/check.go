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
	"github.com/assay-eval/assay/summary"
)

// Check reports rules that a run with these metrics can never meet: rules about a
// metric that it lacks, with a limit outside the metric's range, or with "%" for a
// metric that is not a ratio. Names may omit the cut-off and parameters if only one
// metric matches. Check also reports tolerances that no fall of the metric exceeds, and
// those of metrics that neither the run nor the baseline has; without a baseline,
// tolerances have no effect. The error has one line per mistake.
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
	most := map[string]float64{}
	for _, m := range metrics {
		for _, key := range keys(m.Name) {
			if summary.Bounded(m) {
				most[key] = max(most[key], m.Range[1]-m.Range[0])
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(p.Tolerances)) {
		switch t := p.Tolerances[key]; {
		case math.IsNaN(t) || math.IsInf(t, 0) || t < 0 && t != -1:
			problems = append(problems, fmt.Errorf("tolerance of %s: %v: expected a number from 0, or -1, which only tracks it", key, t))
		case most[key] > 0 && t >= most[key]:
			problems = append(problems, fmt.Errorf("tolerance of %s: %g: no fall exceeds it: expected less than %g, in the unit of the metric", key, t, most[key]))
		case p.Baseline != nil && !slices.Contains(known, key):
			problems = append(problems, fmt.Errorf("tolerance of %q: %w", key, lacks(key, names)))
		}
	}
	return errors.Join(problems...)
}

func (r Rule) check(metrics []assay.MetricInfo, names []string) error {
	if err := r.malformed(); err != nil || r.kind() != kindMetric && r.kind() != kindCount {
		return err
	}
	i, err := find(r.Quantity, names)
	if err != nil {
		return err
	}
	m := metrics[i]
	lo, hi := m.Range[0], m.Range[1]
	if r.Percent && m.Unit != "" && !r.counted() {
		return fmt.Errorf("\"%%\" is of ratios, and %s is in %s: expected a number without it", m.Name, m.Unit)
	}
	if !summary.Bounded(m) {
		return nil
	}
	if r.counted() {
		if r.At < lo || r.At > hi {
			return fmt.Errorf("no case can be on both sides of %s: expected a number from %g to %g", decimal(r.At), lo, hi)
		}
		return nil
	}
	if r.Versus {
		lo, hi = lo-hi, hi-lo
	}
	why := "no value reaches it"
	if r.holds(lo) || r.holds(hi) {
		if lo <= r.Limit && r.Limit <= hi {
			return nil
		}
		why = "every value reaches it"
	}
	if m.Unit == "" && r.Limit > 1 && r.Limit <= 100 {
		return fmt.Errorf("%s: expected a number from %g to %g: is \"%s%%\" meant?", why, lo, hi, decimal(r.Limit))
	}
	return fmt.Errorf("%s: expected a number from %g to %g", why, lo, hi)
}

// find returns the index of the metric that matches a name, which may omit the cut-off
// and parameters. It returns an error if no metric matches, or more than one.
func find(quantity string, names []string) (int, error) {
	if i := slices.Index(names, quantity); i >= 0 {
		return i, nil
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
		return at[0], nil
	case 0:
		return 0, lacks(quantity, names)
	}
	return 0, fmt.Errorf("%q is ambiguous: expected one of %s", quantity, strings.Join(fit, ", "))
}

// lacks returns the error about a metric that the run does not have.
func lacks(name string, names []string) error {
	if near := text.Nearest(name, slices.Concat(names, Quantities)); near != "" {
		return fmt.Errorf("%q was not measured in this run: did you mean %q?", name, near)
	}
	return fmt.Errorf("%q was not measured in this run", name)
}
