package metric

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// maxWeight prevents the sum of weights from overflowing a float64.
const maxWeight = 1e9

// DefaultWeights returns the default weights of the composite. Faithfulness has
// a large weight because a made-up answer is worse than a missing one.
func DefaultWeights() map[string]float64 {
	return map[string]float64{"faithfulness": 40, "answer_relevance": 20, "context_precision": 20, "context_recall": 20}
}

// A Composite is the weighted mean of several metrics of one case. Each value
// is scaled to 0…1 by the metric's range, and inverted if lower is better.
//
// If a metric has no score for a case, because it does not apply or the target
// declined to answer, the other metrics are used with renormalised weights, and
// the score says so. Parts that the judge left undecided widen the bounds of
// the composite as they widen their own.
type Composite struct{ parts []part }

type part struct {
	metric Metric
	weight float64
}

// NewComposite returns a composite of the metrics that have a weight, keyed by
// name. Weights are relative and are normalised to a sum of 1. Negative weights,
// weights for metrics that are not in the list, metrics with an unbounded range
// and a composite without any part are errors.
func NewComposite(metrics []Metric, weights map[string]float64) (Composite, error) {
	var c Composite
	var problems []error
	total, known := 0.0, map[string]bool{}
	for _, m := range metrics {
		w, ok := weights[m.Name]
		known[m.Name] = true
		switch {
		case !ok || w == 0:
			continue
		case !(w > 0) || w > maxWeight:
			problems = append(problems, fmt.Errorf("weight of %s: %v: expected a number from 0 to %g", m.Name, w, float64(maxWeight)))
			continue
		case m.Def.Range[0] <= -math.MaxFloat64 || m.Def.Range[1] >= math.MaxFloat64:
			problems = append(problems, fmt.Errorf("weight of %s: the metric has no worst or no best value that a mean could use: expected a metric "+
				"with a range", m.Name))
			continue
		}
		c.parts = append(c.parts, part{m, w})
		total += w
	}
	for name := range weights {
		if !known[name] {
			problems = append(problems, fmt.Errorf("weight of %q: the run has no such metric", name))
		}
	}
	slices.SortFunc(problems, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	if problems == nil && c.parts == nil {
		problems = append(problems, errors.New("weights: a composite of nothing: expected a metric with a weight above 0"))
	}
	for i := range c.parts {
		c.parts[i].weight /= total
	}
	return c, errors.Join(problems...)
}

// Weight returns the metric's share of the composite, from 0 to 1.
func (c Composite) Weight(name string) float64 {
	for _, p := range c.parts {
		if p.metric.Name == name {
			return p.weight
		}
	}
	return 0
}

// Empty reports whether the composite has no parts.
func (c Composite) Empty() bool { return len(c.parts) == 0 }

// Info returns the description of the composite for reports. It is judged if
// any of its parts is.
func (c Composite) Info() assay.MetricInfo {
	info := assay.MetricInfo{Name: assay.CompositeName, Title: "Composite", Better: Higher.String(), Range: [2]float64{0, 1}, Version: 1}
	for _, p := range c.parts {
		of := p.metric.Info()
		info.Judged = info.Judged || of.Judged
		info.Estimate = info.Estimate || of.Estimate
		info.Prompts = assay.PromptsOf([]assay.MetricInfo{info, of})
		info.Rulings = assay.RulingsOf([]assay.MetricInfo{info, of})
	}
	return info
}

// Score combines the scores of a case.
func (c Composite) Score(scores map[string]assay.Score) assay.Score {
	var out assay.Score
	var sum, low, high, weight float64
	var left, open []string
	var used []part
	for _, p := range c.parts {
		s := scores[p.metric.Name]
		at := func(v float64) float64 { return p.weight * p.metric.goodness(v) }
		switch s.State {
		case assay.TargetError:
			return assay.Score{State: assay.TargetError, Reason: s.Reason}
		case assay.Scored:
			sum += at(s.Value)
			a, b := at(s.Lower), at(s.Upper)
			low, high = low+min(a, b), high+max(a, b)
			used = append(used, p)
		case assay.NotApplicable, assay.Abstained:
			left = append(left, p.metric.Name)
			continue
		default:
			open = append(open, p.metric.Name)
			a, b := at(p.metric.Def.Range[0]), at(p.metric.Def.Range[1])
			if s.Upper > s.Lower {
				a, b = at(s.Lower), at(s.Upper)
			}
			low, high = low+min(a, b), high+max(a, b)
		}
		weight += p.weight
	}
	if weight == 0 {
		return assay.Score{State: assay.NotApplicable, Reason: "none of " + strings.Join(left, ", ") + " applies"}
	}
	out.Lower, out.Upper = unit(low/weight), unit(high/weight)
	if left != nil {
		out.Reason = "without " + strings.Join(left, ", ") + ": the weights of the others are normalised"
	}
	if open != nil {
		out.State = assay.JudgeError
		out.Reason = strings.Join(open, ", ") + " could not be scored"
		return out
	}
	for _, p := range used {
		out.Evidence = append(out.Evidence, assay.Evidence{
			Kind: "part", Text: fmt.Sprintf("%s %.3f, weight %s", p.metric.Name, scores[p.metric.Name].Value, percent(p.weight/weight)),
		})
	}
	out.State, out.Value = assay.Scored, unit(sum/weight)
	return out
}

// goodness scales a value from 0, the worst, to 1, the best.
func (m Metric) goodness(v float64) float64 {
	lo, hi := m.Def.Range[0], m.Def.Range[1]
	w := (v - lo) / (hi - lo)
	if m.Def.Better == Lower {
		return 1 - w
	}
	return w
}

// unit clamps v to 0…1, so that rounding does not show as 1.0000000000000002.
func unit(v float64) float64 { return min(max(v, 0), 1) }

func percent(share float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.1f", 100*share), "0"), ".") + " %"
}
