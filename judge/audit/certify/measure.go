package certify

import (
	"fmt"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/stats"
)

// folds of the cross-validation of a threshold.
const folds = 5

// A measured holds the usable answers of one certificate, with what people say of their items and
// what the judge rules, side by side.
type measured struct {
	judge.Sampling
	answers      []answer
	truth, ruled []bool
}

// certificate measures the answers of a plan.
func (p *plan) certificate(info assay.JudgeInfo, set *Set, o Options) assay.Certificate {
	all := slices.Concat(p.answers...)
	c := assay.Certificate{
		Question: p.question.Name(), Language: string(p.language), Judge: info.For(p.question.Name()).About([]string{p.question.Name()}),
		Date: o.Now().UTC().Truncate(time.Second), Version: o.Version, Data: dataOf(all, set), Items: len(all), Level: stats.DefaultLevel,
	}
	m := &measured{Sampling: judge.Sampling{Level: stats.DefaultLevel, Seed: o.Seed}}
	clusters := map[string]bool{}
	var unusable []stats.Sample
	for _, a := range all {
		clusters[a.item.Cluster] = true
		lost := stats.Sample{Cluster: a.item.Cluster}
		if a.known {
			m.add(p.question, a)
		} else {
			lost.Value = 1
		}
		unusable = append(unusable, lost)
	}
	c.Clusters, c.Usable = len(clusters), len(m.answers)
	c.Unusable = figureOf(judge.Share(unusable, stats.DefaultLevel, "no items"))
	c.Cost, c.Seconds = costOf(all, o.Unpriced), secondsOf(all)
	if len(m.answers) == 0 {
		none := assay.Figure{Why: "no usable ruling"}
		c.BalancedAccuracy, c.Sensitivity, c.Specificity, c.Kappa = none, none, none, none
		c.PeopleKappa, c.AUROC, c.Brier, c.CalibrationError = none, none, none, none
		return c
	}
	m.degree(&c, p.question)
	b := m.Balance(m.ruled, m.truth)
	c.BalancedAccuracy, c.Sensitivity, c.Specificity = figureOf(b.Accuracy), figureOf(b.Sensitivity), figureOf(b.Specificity)
	c.Kappa = figureOf(m.Agreed(m.ruled, m.truth).Kappa)
	c.PeopleKappa = m.people(p.question)
	c.Slices = m.slices(p.question)
	return c
}

func (m *measured) add(q Question, a answer) {
	m.answers = append(m.answers, a)
	m.Clusters = append(m.Clusters, a.item.Cluster)
	m.truth = append(m.truth, q.isYes(a.item.Label))
	m.ruled = append(m.ruled, a.yes)
}

// degree measures the degrees of a judge that estimates, and rules anew by a threshold from
// the labels: each item by one that was chosen on other clusters.
func (m *measured) degree(c *assay.Certificate, q Question) {
	degrees := make([]float64, len(m.answers))
	for i, a := range m.answers {
		degrees[i] = a.degree
	}
	if !slices.ContainsFunc(degrees, q.estimated) {
		none := assay.Figure{Why: "the judge gives no degree"}
		c.AUROC, c.Brier, c.CalibrationError = none, none, none
		return
	}
	d := m.Degrees(degrees, m.truth)
	c.AUROC, c.Brier, c.CalibrationError = figureOf(d.AUROC), figureOf(d.Brier), figureOf(d.Error)
	best, ok := stats.BestThreshold(degrees, m.truth)
	ruled, held := stats.CrossRule(degrees, m.truth, m.Clusters, folds, m.Seed)
	if !ok || !held {
		return
	}
	at := func(of func(stats.Threshold) float64) func([]int) (float64, bool) {
		return func(items []int) (float64, bool) {
			best, ok := stats.BestThreshold(judge.Pick(degrees, items), judge.Pick(m.truth, items))
			return of(best), ok
		}
	}
	// No item says how a degree is to be ruled that lies between two neighbours.
	all := stats.Bootstrap(m.Clusters, m.Level, m.Seed, at(func(t stats.Threshold) float64 { return t.Value }),
		at(func(t stats.Threshold) float64 { return t.Above }), at(func(t stats.Threshold) float64 { return t.UpTo }))
	ci, above, upTo := all[0], all[1], all[2]
	if ci == nil || above == nil || upTo == nil {
		return
	}
	c.ThresholdCI = &[2]float64{min(above.Lo, best.Above), max(upTo.Hi, best.UpTo)}
	if ci.Hi-ci.Lo <= widestThreshold {
		c.Threshold, m.ruled = &best.Value, ruled
	}
}

// widestThreshold is the width of the interval of a threshold above which none is chosen: other
// items would give another one, and with it other scores of the same answers.
const widestThreshold = 0.2

// people measures how people agree with each other.
func (m *measured) people(q Question) assay.Figure {
	labels := make([][]*float64, len(m.answers))
	for i, a := range m.answers {
		for _, l := range a.item.People {
			v := 0.0
			if q.isYes(l) {
				v = 1
			}
			labels[i] = append(labels[i], &v)
		}
	}
	agreed := m.Between(labels, func(v float64) bool { return v == 1 })
	if agreed == nil {
		return assay.Figure{Why: "no item has the labels of several people"}
	}
	return figureOf(agreed.Kappa)
}

// figureOf brings a figure to the form of a certificate. An interval without width is none: no
// resample differed, which says nothing of other items.
func figureOf(f judge.Figure) assay.Figure {
	out := assay.Figure{Value: f.Value, Why: f.Why}
	if f.Value != nil && f.CI != nil && f.CI.Lo < f.CI.Hi {
		out.CI = &[2]float64{f.CI.Lo, f.CI.Hi}
	}
	return out
}

// dataOf lists the files that the items are from.
func dataOf(all []answer, set *Set) []assay.CertifiedData {
	n := map[string]int{}
	for _, a := range all {
		n[a.item.Origin.File]++
	}
	var out []assay.CertifiedData
	for _, f := range set.Files {
		if k := n[f.path]; k > 0 {
			f.Data.Items = k
			out = append(out, f.Data)
			n[f.path] = 0 // it may have been named twice
		}
	}
	return out
}

// costOf is the cost of an item in dollars; nil if the price is not known.
func costOf(all []answer, unpriced bool) *float64 {
	if unpriced || len(all) == 0 {
		return nil
	}
	sum := 0.0
	for _, a := range all {
		sum += a.cost
	}
	sum /= 1e6 * float64(len(all))
	return &sum
}

// secondsOf is the median time of the items that were not in the ledger.
func secondsOf(all []answer) float64 {
	var times []float64
	for _, a := range all {
		if a.timed {
			times = append(times, a.seconds)
		}
	}
	slices.Sort(times)
	v, _ := stats.Quantile(times, 0.5)
	return v
}

// sliceLeast is the size from which a part of the items is shown.
const sliceLeast = 10

// slices measures parts of the items, and whether the judge is worse there than elsewhere: the
// intervals of the differences hold together (Bonferroni).
func (m *measured) slices(q Question) []assay.CertifiedSlice {
	in := map[string][]int{}
	for i, a := range m.answers {
		for _, t := range a.item.Tags {
			in[t] = append(in[t], i)
		}
	}
	var names []string
	for t, at := range in {
		// What all items have is no part of them.
		if len(at) >= sliceLeast && len(at) < len(m.answers) {
			names = append(names, t)
		}
	}
	slices.Sort(names)
	// One name is enough for the same items.
	shown := map[string]bool{}
	names = slices.DeleteFunc(names, func(t string) bool {
		key := fmt.Sprint(in[t])
		again := shown[key]
		shown[key] = true
		return again
	})
	var out []assay.CertifiedSlice
	for _, t := range names {
		s := assay.CertifiedSlice{Name: t, Items: len(in[t])}
		part := m.at(in[t])
		if f := part.Balance(part.ruled, part.truth).Accuracy; f.Value != nil {
			s.BalancedAccuracy = figureOf(f)
			s.Worse = m.worse(in[t], len(names))
		} else {
			s.BalancedAccuracy = assay.Figure{Why: part.oneSided()}
		}
		out = append(out, s)
	}
	if s, ok := m.conflict(q); ok {
		out = append(out, s)
	}
	return out
}

// at takes some of the items.
func (m *measured) at(items []int) *measured {
	return &measured{
		Sampling: judge.Sampling{Clusters: judge.Pick(m.Clusters, items), Level: m.Level, Seed: m.Seed},
		answers:  judge.Pick(m.answers, items), truth: judge.Pick(m.truth, items), ruled: judge.Pick(m.ruled, items),
	}
}

// oneSided says what the judge rules where all labels are alike.
func (m *measured) oneSided() string {
	yes := 0
	for _, r := range m.ruled {
		if r {
			yes++
		}
	}
	label := "no"
	if m.truth[0] {
		label = "yes"
	}
	return fmt.Sprintf("all labels count as %s: the judge says yes to %d of %d", label, yes, len(m.ruled))
}

// worse reports whether the balanced accuracy of some items is lower than that of the others,
// by an interval that is one of n which hold together.
func (m *measured) worse(items []int, n int) bool {
	var rest []int
	for i := range m.answers {
		if _, in := slices.BinarySearch(items, i); !in {
			rest = append(rest, i)
		}
	}
	part, others := m.at(items), m.at(rest)
	part.Level = 1 - (1-m.Level)/float64(n)
	others.Level = part.Level
	a, b := part.Balance(part.ruled, part.truth).Accuracy, others.Balance(others.ruled, others.truth).Accuracy
	if a.CI == nil || b.CI == nil {
		return false
	}
	return stats.Apart(*b.Value, *a.Value, *b.CI, *a.CI).Hi < 0
}

// conflict measures how well a judge tells claims that are contradicted from those that are
// not found, on the data sets that label both.
func (m *measured) conflict(q Question) (assay.CertifiedSlice, bool) {
	has := map[string][2]bool{}
	for _, a := range m.answers {
		x := a.item
		h := has[x.Dataset]
		h[0], h[1] = h[0] || x.Label == Contradicted, h[1] || x.Label == No
		has[x.Dataset] = h
	}
	var clusters []string
	var truth, ruled []bool
	for _, a := range m.answers {
		x := a.item
		if has[x.Dataset] == [2]bool{true, true} && (x.Label == Contradicted || x.Label == No) {
			clusters = append(clusters, x.Cluster)
			truth = append(truth, x.Label == Contradicted)
			ruled = append(ruled, a.contradicted)
		}
	}
	if q.Kind != Claim || len(truth) < sliceLeast {
		return assay.CertifiedSlice{}, false
	}
	s := judge.Sampling{Clusters: clusters, Level: m.Level, Seed: m.Seed}
	return assay.CertifiedSlice{Name: conflict, Items: len(truth), BalancedAccuracy: figureOf(s.Balance(ruled, truth).Accuracy)}, true
}
