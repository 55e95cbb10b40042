package report

import (
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// A Class is how a case ended in a run and in the baseline; see [Report.Check]. Of several
// draws all must agree; otherwise the case is unknown, and wrong if it is critical.
type Class string

const (
	BothRight  Class = "both_right"
	BothWrong  Class = "both_wrong"
	NewlyRight Class = "newly_right"
	NewlyWrong Class = "newly_wrong"
	// Unknown cases are neither right nor wrong in one of the two runs, or in both.
	Unknown Class = "unknown"
	// Unpaired cases are in one of the two runs alone.
	Unpaired Class = "unpaired"
)

// Cases are listed by these too, which overlap with the others: see [Comparison.Differing]
// and [Comparison.Flaky].
const (
	Different Class = "different"
	Flaky     Class = "flaky"
	// Disagree are the cases of which a label contradicts the score in the run, or the label
	// of another person. Labels are not in the comparison: who lists cases has them.
	Disagree Class = "disagree"
)

// Classes are all classes by which cases are listed, in the order of the lists.
var Classes = []Class{Different, NewlyRight, NewlyWrong, BothWrong, BothRight, Unknown, Flaky, Disagree, Unpaired}

// A Matrix has how each case ended in each run of a comparison. Draws of a case count as
// one.
type Matrix struct {
	// Cases has the ids that draws share, in the order of the baseline, then of the runs
	// that have others.
	Cases []string

	at map[string]int
	// rows has the row of the first draw, by run and case, −1 if the run lacks the case.
	rows     [][]int32
	outcomes [][]outcome
}

// Matrix returns the cases of the comparison.
func (c *Comparison) Matrix() *Matrix { return c.matrix() }

func newMatrix(c *Comparison) *Matrix {
	m := &Matrix{at: make(map[string]int, c.Reports[0].Cases.Len())}
	m.rows = make([][]int32, len(c.Reports))
	for i, r := range c.Reports {
		for row := range r.Cases.Len() {
			id := r.Cases.Base(row)
			k, seen := m.at[id]
			if !seen {
				k = len(m.Cases)
				m.at[id] = k
				m.Cases = append(m.Cases, id)
			}
			for len(m.rows[i]) <= k {
				m.rows[i] = append(m.rows[i], -1)
			}
			if m.rows[i][k] < 0 {
				m.rows[i][k] = int32(row)
			}
		}
	}
	for i, r := range c.Reports {
		for len(m.rows[i]) < len(m.Cases) {
			m.rows[i] = append(m.rows[i], -1)
		}
		m.outcomes = append(m.outcomes, m.outcomesIn(r))
	}
	return m
}

// outcomesIn returns how the cases ended in a run.
func (m *Matrix) outcomesIn(r *Report) []outcome {
	out, seen := make([]outcome, len(m.Cases)), make([]bool, len(m.Cases))
	for _, rec := range r.Cases.Records() {
		k, o := m.at[rec.Case.Base()], outcomeOf(r.Check(*rec))
		switch {
		case !seen[k] || o == out[k]:
		case rec.Case.Critical && (o == wrong || out[k] == wrong):
			o = wrong
		default:
			o = undecided
		}
		out[k], seen[k] = o, true
	}
	return out
}

// Row returns the row of the first draw of case k in the cases of a run; ok is false if the
// run lacks the case.
func (m *Matrix) Row(run, k int) (row int, ok bool) {
	row = int(m.rows[run][k])
	return row, row >= 0
}

// Index returns the index of a case in Cases, −1 if no run has it.
func (m *Matrix) Index(id string) int {
	if k, ok := m.at[id]; ok {
		return k
	}
	return -1
}

// Has reports whether a run has case k.
func (m *Matrix) Has(run, k int) bool { return m.rows[run][k] >= 0 }

// Outcome says whether a run gets case k right; it is unknown if the run lacks the case.
func (m *Matrix) Outcome(run, k int) assay.Correctness {
	return [...]assay.Correctness{assay.AnswerUnknown, assay.AnswerRight, assay.AnswerWrong}[m.outcomes[run][k]]
}

// Class returns how case k ended in a run, which is not the baseline, and in the baseline.
func (m *Matrix) Class(run, k int) Class {
	old, now := m.outcomes[0][k], m.outcomes[run][k]
	switch {
	case !m.Has(0, k) || !m.Has(run, k):
		return Unpaired
	case old == undecided || now == undecided:
		return Unknown
	case old == wrong && now == wrong:
		return BothWrong
	case old == wrong:
		return NewlyRight
	case now == wrong:
		return NewlyWrong
	}
	return BothRight
}

// Differing returns which cases of the matrix differ between a run and the baseline: in
// whether they are right, or in the value of a metric that is no estimate.
func (c *Comparison) Differing(run int) []bool {
	m := c.Matrix()
	out := make([]bool, len(m.Cases))
	for _, row := range c.Rows {
		if row.Estimate {
			continue
		}
		pairs, _ := summary.PairsOf(row.MetricInfo, c.Reports[0].Cases, c.Reports[run].Cases)
		for _, p := range pairs {
			if !same(p) {
				out[m.at[p.Case]] = true
			}
		}
	}
	for k := range out {
		out[k] = out[k] || m.Has(0, k) && m.Has(run, k) && m.outcomes[0][k] != m.outcomes[run][k]
	}
	return out
}

// Flaky returns which cases of the matrix differ between the draws of the baseline, or
// between those of a run; nil if neither run asked a case more than once.
func (c *Comparison) Flaky(run int) []bool {
	var out []bool
	for _, r := range []*Report{c.Reports[0], c.Reports[run]} {
		if r.Summary.Repeats == nil {
			continue
		}
		if out == nil {
			out = make([]bool, len(c.Matrix().Cases))
		}
		for _, f := range r.Summary.Repeats.Flaky {
			out[c.Matrix().Index(f.Case)] = true
		}
	}
	return out
}

// Values returns the means over the draws of a metric, by case of the matrix; NaN if a case
// has none.
func (m *Matrix) Values(info assay.MetricInfo, r *Report) []float64 {
	out := make([]float64, len(m.Cases))
	for k := range out {
		out[k] = math.NaN()
	}
	for _, v := range summary.Values(info, r.Cases) {
		if k, ok := m.at[v.Case]; ok && v.Known > 0 {
			out[k] = v.Mean
		}
	}
	return out
}

// Size returns roughly how much memory the matrix takes, in bytes.
func (m *Matrix) Size() int {
	const perCase, perRun = 64, 6
	return len(m.Cases) * (perCase + perRun*len(m.rows))
}
