package wire

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric"
)

// Policy reads the gate of the settings: the rules, and the baseline with its
// tolerances. A rule that cannot be read, a metric that does not exist and a
// missing or broken baseline are errors: otherwise an absent gate would look
// like one that passes.
func Policy(r *config.Resolved, path func(string) string) (gate.Policy, error) {
	p := gate.Policy{Statistical: r.Gate.Statistical, AllowEstimates: r.Gate.AllowEstimates, Strict: r.Gate.Inconclusive == "fail",
		MinCertificate: r.Gate.MinCertificate,
		AllCritical:    r.Gate.Critical == "all", Level: r.Level, Seed: r.Seed}
	known := Metrics(r.Config, nil)
	var problems []error
	for _, written := range r.Gate.Rules {
		rule, err := gate.ParseRule(written)
		if err != nil {
			problems = append(problems, config.About("gate.rules", fmt.Errorf("gate: %w", err)))
			continue
		}
		if m, err := known.Parse(rule.Quantity); err == nil {
			rule.Quantity = m.Name
		}
		// A rule that is both in the file and on the command line is one rule.
		if !slices.ContainsFunc(p.Rules, func(r gate.Rule) bool { return r.String() == rule.String() }) {
			p.Rules = append(p.Rules, rule)
		}
	}
	var err error
	if p.Tolerances, err = Tolerances(r); err != nil {
		problems = append(problems, err)
	}
	if r.Baseline != "" {
		if p.Baseline, err = ReadBaseline(r.Baseline, path); err != nil {
			problems = append(problems, config.About("baseline", err))
		}
	} else {
		problems = append(problems, withoutBaseline(r, p.Rules)...)
	}
	p.Corrected = r.Gate.Corrected
	if p.Labels, err = gateLabels(r, path); err != nil {
		problems = append(problems, err)
	}
	return p, r.Locate(errors.Join(problems...))
}

// Tolerances returns the tolerances of the settings, by the canonical names of
// metrics.
func Tolerances(r *config.Resolved) (map[string]float64, error) {
	out, _, err := canonical(Metrics(r.Config, nil), "gate.tolerances", r.Gate.Tolerances)
	return out, r.Locate(err)
}

// withoutBaseline lists the command-line options that need a baseline. In a
// file they are allowed without one.
func withoutBaseline(r *config.Resolved, rules []gate.Rule) (problems []error) {
	for _, rule := range rules {
		if (rule.Versus || rule.Quantity == "new_total_losses") && r.From("gate.rules") == config.FromFlag {
			problems = append(problems, fmt.Errorf("--gate %q: there is no baseline to compare with; use --baseline", rule.Text))
		}
	}
	if r.Gate.Statistical && r.From("gate.statistical") == config.FromFlag {
		problems = append(problems, errors.New("--statistical: there is no baseline to compare with; use --baseline"))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Gate.Tolerances)) {
		if r.From("gate.tolerances."+name) == config.FromFlag {
			problems = append(problems, fmt.Errorf("--tolerance %s: there is no baseline to compare with; use --baseline", name))
		}
	}
	return problems
}

// ReadBaseline reads a baseline file.
func ReadBaseline(name string, path func(string) string) (*gate.Baseline, error) {
	f, err := os.Open(path(name))
	if err != nil {
		return nil, fmt.Errorf("baseline %s: %w: expected a file that assay baseline save wrote (--baseline= runs without one)", name, cause(err))
	}
	defer f.Close()
	b, err := gate.ReadBaseline(f)
	if err != nil {
		return nil, fmt.Errorf("baseline %s: %w", name, err)
	}
	return b, nil
}

// gated adds the metrics that rules name to the chosen ones, and those of the
// baseline if the user chose none. A rule about a metric that applies to no
// case is an error, because it could never be met; a metric of the baseline
// that applies to none is left out and listed in left.
func gated(
	known *metric.Catalog, p gate.Policy, chosen []metric.Metric, named bool, cases *assay.Cases, reports metric.Part,
) (_ []metric.Metric, left []string, err error) {
	var missing []metric.Metric
	has := func(name string) bool {
		is := func(m metric.Metric) bool { return m.Name == name }
		return slices.ContainsFunc(chosen, is) || slices.ContainsFunc(missing, is)
	}
	// A rule may leave out the cutoff of a metric that was chosen.
	meant := func(name string) bool {
		return slices.ContainsFunc(chosen, func(m metric.Metric) bool { return m.Def.Name == name })
	}
	var problems []error
	for _, rule := range p.Rules {
		if !aboutMetric(rule.Quantity) || has(rule.Quantity) || meant(rule.Quantity) {
			continue
		}
		m, err := known.Parse(rule.Quantity)
		if near := text.Nearest(rule.Quantity, gate.Quantities); err != nil && near != "" {
			err = fmt.Errorf("unknown metric %q: did you mean %q?", rule.Quantity, near)
		}
		if err != nil {
			problems = append(problems, config.About("gate.rules", fmt.Errorf("gate: %q: %w", rule.Text, err)))
			continue
		}
		missing = append(missing, m)
	}
	if problems != nil {
		return nil, nil, errors.Join(problems...)
	}
	if err := applicable(missing, cases, reports); err != nil {
		return nil, nil, config.About("gate.rules", fmt.Errorf("gate: %w", err))
	}
	if named || p.Baseline == nil {
		return append(chosen, missing...), nil, nil
	}
	for _, name := range slices.Sorted(maps.Keys(p.Baseline.Metrics)) {
		if !aboutMetric(name) || has(name) {
			continue
		}
		m, err := known.Parse(name)
		if err == nil {
			err = applicable([]metric.Metric{m}, cases, reports)
		}
		if err != nil {
			left = append(left, fmt.Sprintf("%s of the baseline left out: %s", name, err))
			continue
		}
		missing = append(missing, m)
	}
	return append(chosen, missing...), left, nil
}

// aboutMetric reports whether a quantity is measured per case, rather than
// counted over the run or composed of other metrics.
func aboutMetric(quantity string) bool {
	return quantity != assay.CompositeName && !slices.Contains(gate.Quantities, quantity)
}

// Gate returns what the run will be held to, and its header: they tell before the run, which may
// cost money, that the baseline will refuse it or that rules will fail.
func (p *Prepared) Gate() (gate.Policy, assay.Header) { return p.policy, p.plan.Header }
