package wire

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// scoring holds the weights and thresholds of the settings, by canonical names
// of metrics.
type scoring struct {
	known               *metric.Catalog
	weights, thresholds map[string]float64
	// keys has the keys of the thresholds as they were written.
	keys map[string]string
	// composite is set when weights or a threshold ask for a composite. Without
	// them there is one if all metrics of the default weights are measured.
	composite bool
}

// readScoring reads the weights and the thresholds.
func readScoring(known *metric.Catalog, weights, thresholds map[string]float64) (s scoring, err error) {
	s.known = known
	var problems []error
	if s.weights, _, err = canonical(known, "weights", weights); err != nil {
		problems = append(problems, err)
	}
	if s.thresholds, s.keys, err = canonical(known, "thresholds", thresholds); err != nil {
		problems = append(problems, err)
	}
	problems = append(problems, s.outside()...)
	if _, ok := s.weights[assay.CompositeName]; ok {
		problems = append(problems, config.About("weights."+assay.CompositeName,
			errors.New("weights: the composite cannot have a weight; weigh metrics")))
	}
	_, wanted := s.thresholds[assay.CompositeName]
	s.composite = wanted || len(s.weights) > 0
	return s, errors.Join(problems...)
}

// canonical returns the entries of a setting under the canonical names of the
// metrics, and the keys under which they were written.
func canonical(from *metric.Catalog, setting string, entries map[string]float64) (
	out map[string]float64, keys map[string]string, _ error,
) {
	out, keys = map[string]float64{}, map[string]string{}
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		key := setting + "." + name
		known := assay.CompositeName
		if name != known {
			m, err := from.Parse(name)
			if err != nil {
				problems = append(problems, config.About(key, fmt.Errorf("%s: %w", setting, err)))
				continue
			}
			known = m.Name
		}
		if _, twice := out[known]; twice {
			problems = append(problems, config.About(key, fmt.Errorf("%s: duplicate %s", setting, known)))
		}
		out[known], keys[known] = entries[name], key
	}
	return out, keys, errors.Join(problems...)
}

// outside lists the thresholds that no value of their metric can reach, or that
// every value reaches: mistakes such as 80 for 0.8.
func (s *scoring) outside() []error {
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(s.thresholds)) {
		if name == assay.CompositeName { // its setting has the range
			continue
		}
		m, err := s.known.Parse(name)
		if err != nil { // the names are canonical
			problems = append(problems, err)
			continue
		}
		if want, lo, hi := s.thresholds[name], m.Def.Range[0], m.Def.Range[1]; want < lo || want > hi {
			problems = append(problems, config.About(s.keys[name],
				fmt.Errorf("thresholds: %s %g: expected a number from %g to %g", name, want, lo, hi)))
		}
	}
	return problems
}

// extend adds the metrics that weights and thresholds name to the chosen ones. A
// weighted metric that applies to no case is listed in warnings: it is measured on no
// case, and the composite decides nothing. A threshold on one is an error, because it
// could never be reached, and so is a composite of such metrics alone.
func (s *scoring) extend(chosen []metric.Metric, cases *assay.Cases, reports metric.Part) (
	_ []metric.Metric, warnings []string, err error,
) {
	has := func(name string) bool {
		return slices.ContainsFunc(chosen, func(m metric.Metric) bool { return m.Name == name })
	}
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(s.thresholds)) {
		if name == assay.CompositeName || has(name) {
			continue
		}
		m, err := s.known.Parse(name)
		if err != nil {
			return nil, nil, err
		}
		if err := applicable([]metric.Metric{m}, cases, reports); err != nil {
			problems = append(problems, config.About(s.keys[name], fmt.Errorf("thresholds: %w", err)))
		}
		chosen = append(chosen, m)
	}
	if problems != nil {
		return nil, nil, errors.Join(problems...)
	}
	weights := s.weights
	if s.composite && len(weights) == 0 {
		weights = metric.DefaultWeights()
	}
	apply := false
	for _, name := range byWeight(weights) {
		if has(name) || !s.composite {
			apply = true
			continue
		}
		m, err := s.known.Parse(name)
		if err != nil {
			return nil, nil, err
		}
		if err := applicable([]metric.Metric{m}, cases, reports); err != nil {
			warnings = append(warnings, fmt.Sprintf("composite without %s: %s: a gate on it is inconclusive unless weights leave it out", name, err))
		} else {
			apply = true
		}
		chosen = append(chosen, m)
	}
	if !apply && len(weights) > 0 {
		names := byWeight(weights)
		return nil, nil, config.About("weights."+names[0],
			fmt.Errorf("composite: none of %s can apply: expected weights of metrics that do", strings.Join(names, ", ")))
	}
	return chosen, warnings, nil
}

// byWeight returns the names in descending order of weight.
func byWeight(weights map[string]float64) []string {
	return slices.SortedFunc(maps.Keys(weights), func(a, b string) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]),
			strings.Compare(a, b))
	})
}

// compose returns the composite of the metrics of the run, or the zero value if
// there is none.
func (s *scoring) compose(metrics []metric.Metric) (metric.Composite, error) {
	weights := s.weights
	if len(weights) == 0 {
		weights = metric.DefaultWeights()
	}
	there := map[string]float64{}
	for _, m := range metrics {
		if w, ok := weights[m.Name]; ok {
			there[m.Name] = w
		}
	}
	if !s.composite && len(there) < len(weights) {
		return metric.Composite{}, nil
	}
	return metric.NewComposite(metrics, there)
}

// infos describes the metrics of the run for reports, the composite first. decides
// is set if the policy lets estimates decide.
func (m measured) infos(j judging, decides bool) []assay.MetricInfo {
	var out []assay.MetricInfo
	for _, one := range m.metrics[:m.listed] {
		info := one.Info()
		// A score that formulas compute in place of a judge is an estimate,
		// whatever the metric's definition says.
		info.Estimate = info.Estimate || info.Judged && j.estimates()
		if one.Asks().Has(question.Marks.Name) {
			info.Scheme = j.asked.Rubric.Hash()
		}
		info.Weight = m.composite.Weight(one.Name)
		out = append(out, info)
	}
	if !m.composite.Empty() {
		info := m.composite.Info()
		info.Estimate = slices.ContainsFunc(out, func(m assay.MetricInfo) bool { return m.Weight > 0 && m.Estimate })
		out = slices.Insert(out, 0, info)
	}
	for i := range out {
		out[i].Decides = out[i].Estimate && decides
		if t, ok := m.scoring.thresholds[out[i].Name]; ok {
			out[i].Threshold = &t
		}
	}
	return out
}
