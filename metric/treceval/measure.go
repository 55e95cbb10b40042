// Package treceval scores TREC run files against judgment files. It computes
// the measures of trec_eval and this module's document metrics from the same
// formulas.
//
// The two differ in queries without a relevant document. For example, both have
// a "map": trec_eval's is 0 for such a query, and the metric of this module does
// not apply to it. [Parse] prefers the metrics of this module, [ParseTREC] the
// measures of trec_eval. In both, a query that is missing from a run counts as 0.
package treceval

import (
	"math"

	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/retrieval"
)

// A Measure is a number, or a text, for each query of a run.
type Measure struct {
	// Name is the name in outputs, such as trec_eval's "ndcg_cut_10" or this module's "ndcg@10".
	Name string
	kind kind
	// value computes the number for one query; ok is false if the measure
	// does not apply to it.
	value func(r *retrieval.Ranking) (v float64, ok bool)
	// text computes the text of a measure of kind text.
	text func(r *retrieval.Ranking) string
	// absent returns the value for a query that is missing from the run.
	absent func(r *retrieval.Ranking) (v float64, ok bool)
	// unit holds the smallest and the largest value, nil if the measure is unbounded.
	unit  *[2]float64
	level int
	// lower is set if smaller values are better.
	lower bool
	// trecEval is set for the measures of trec_eval.
	trecEval bool
	// subtopics is set for diversity measures.
	subtopics bool
}

// OfSubtopics reports whether the measure needs subtopic judgments, which
// [trec.ReadSubtopics] reads.
func (m Measure) OfSubtopics() bool { return m.subtopics }

// ends returns the smallest and the largest value that the judgments of a query allow. The
// measure has a unit.
func (m Measure) ends(r *retrieval.Ranking) [2]float64 {
	out, best, known := *m.unit, 0.0, false
	if m.subtopics {
		return out
	}
	for _, ideal := range r.Ideals(m.level) {
		if v, ok := m.value(ideal); ok && (!known || v > best == !m.lower) {
			best, known = v, true
		}
	}
	switch {
	case known && m.lower:
		out[0] = best
	case known:
		out[1] = best
	}
	return out
}

// definition names the tool whose definition the measure follows.
func (m Measure) definition() string {
	if m.trecEval {
		return "trec_eval"
	}
	return "assay"
}

// countsEmpty reports whether a query without a relevant document counts as 0.
// A metric of this module does not apply to such a query.
func (m Measure) countsEmpty() bool { return m.trecEval && (m.kind == mean || m.kind == geometric) }

// kind says how a measure is aggregated and printed.
type kind uint8

const (
	// mean is averaged over queries.
	mean kind = iota
	// geometric is a geometric mean over queries; it has no value per query.
	geometric
	// total is a count, summed over queries.
	total
	// text has a value per query only.
	text
	// tag and queries have a value for the whole run only.
	tag
	queries
)

// perQuery reports whether the measure has a value for each query.
func (k kind) perQuery() bool { return k == mean || k == total || k == text }

// geometricFloor keeps a single query with value 0 from making the geometric
// mean 0. trec_eval uses the same floor, and prints four digits.
const geometricFloor = 1e-5

// absentMetric returns the value for a query that is missing from the run: 0 if
// the metric applies to the query. Only the judgments decide that, so the metric
// is tried on a ranking of one unjudged document. A metric where lower is better
// has no value.
func absentMetric(value func(*retrieval.Ranking) (float64, bool), better metric.Direction) func(*retrieval.Ranking) (float64, bool) {
	return func(r *retrieval.Ranking) (float64, bool) {
		with := retrieval.Ranking{Grades: []int{retrieval.Unjudged}, Judged: r.Judged, MaxGrade: r.MaxGrade, Labelled: r.Labelled}
		_, ok := value(&with)
		return 0, ok && better == metric.Higher
	}
}

// logOf returns what one query adds to the sum of logarithms of a geometric mean.
func logOf(v float64) float64 { return math.Log(max(v, geometricFloor)) }
