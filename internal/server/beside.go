package server

import (
	"context"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/wire"
)

// personSaid is what a label says of a case: right if its value is on the better side of where the
// judge counts as saying yes.
func personSaid(m assay.MetricInfo, l Label) string {
	switch {
	case l.Value == nil:
		return "unsure"
	case (*l.Value >= thresholdOf(m)) == (m.Better != "lower"):
		return "right"
	}
	return "wrong"
}

// besideRun is what filters can ask of the cases of a run beside its records: its labels.
func (s *Server) besideRun(h assay.Header) *wire.Beside {
	return &wire.Beside{Labels: func(ctx context.Context) (map[string][]string, error) {
		labels, err := s.labelsOfRun(ctx, h)
		if err != nil {
			return nil, err
		}
		out := map[string][]string{}
		for _, l := range labels {
			m, ok := wire.MetricOf(h, l.Metric)
			if word := personSaid(m, l.Label); ok && !slices.Contains(out[l.Case], word) {
				out[l.Case] = append(out[l.Case], word)
			}
		}
		return out, nil
	}}
}

// beside is what filters can ask of the cases of a run in a comparison: labels, changes from
// the baseline, and whether draws differ.
func (c *askedComparison) beside(run int) *wire.Beside {
	out := c.s.besideRun(c.Reports[run].Header)
	out.Compared = c.Metrics()
	m := c.Matrix()
	values := map[string][][]float64{}
	out.Delta = func(base, metric string) (float64, bool) {
		of, known := values[metric]
		if !known {
			at := slices.IndexFunc(out.Compared, func(m assay.MetricInfo) bool { return m.Name == metric })
			of = c.Values(out.Compared[at])
			values[metric] = of
		}
		k := m.Index(base)
		if k < 0 {
			return 0, false
		}
		d := of[run][k] - of[0][k]
		return d, !math.IsNaN(d)
	}
	if flaky := c.flaky[run]; flaky != nil {
		out.Flaky = func(base string) bool {
			k := m.Index(base)
			return k >= 0 && flaky[k]
		}
	}
	return out
}

// disagreeing returns the cases of the matrix of which a label contradicts the score of its
// metric in a run, or the label of another person; nil if the run has no labels. Labels
// change, so that nothing of it is kept.
func (s *Server) disagreeing(ctx context.Context, c *comparison, run int) (map[int]bool, error) {
	h, cases := c.Reports[run].Header, c.Reports[run].Cases
	labels, err := s.labelsOfRun(ctx, h)
	if err != nil || len(labels) == 0 {
		return nil, err
	}
	rows := make(map[string]int, len(labels))
	for _, l := range labels {
		rows[l.Case] = -1
	}
	for row := range cases.Len() {
		if _, labelled := rows[cases.ID(row)]; labelled {
			rows[cases.ID(row)] = row
		}
	}
	out, first := map[int]bool{}, map[[2]string]string{}
	for _, l := range labels {
		m, ok := wire.MetricOf(h, l.Metric)
		row := rows[l.Case]
		if !ok || row < 0 || l.Value == nil {
			continue
		}
		of, word := [2]string{l.Case, l.Metric}, personSaid(m, l.Label)
		was, others := first[of]
		first[of] = word
		score, _ := cases.Metric(m.Name).Numbers(row)
		judged := personSaid(m, Label{Value: &score.Value})
		if others && was != word || score.State == assay.Scored && judged != word {
			out[c.Matrix().Index(cases.Base(row))] = true
		}
	}
	return out, nil
}
