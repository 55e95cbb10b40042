// Package treceval scores TREC runs: rankings in files, against judgments in
// files. It computes trec_eval's measures as trec_eval does and this module's
// metrics of documents, from the same formulas.
//
// Both have a "map": trec_eval's scores 0 for a query without a relevant
// document, and a metric of this module does not apply to such a query. [Parse]
// gives a name the meaning that it has everywhere in this module, [ParseTREC]
// that of trec_eval. A query that a run lacks counts as 0 in both.
package treceval

import (
	"math"

	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/retrieval"
)

// A Measure is one number, or text, for each query of a run.
type Measure struct {
	// Name is what outputs call it: "ndcg_cut_10" of trec_eval, "ndcg@10" here.
	Name string
	kind kind
	// value computes the number for one query; ok is false if the measure
	// does not apply to it.
	value func(r *retrieval.Ranking) (v float64, ok bool)
	// text computes the text of a measure of kind text.
	text func(r *retrieval.Ranking) string
	// absent returns the value for a query that the run lacks.
	absent func(r *retrieval.Ranking) (v float64, ok bool)
	// unit holds the smallest and the largest value when the measure has them.
	unit *[2]float64
	// trecEval is set for trec_eval's measures.
	trecEval bool
	// subtopics is set for a measure of diversity.
	subtopics bool
}

// OfSubtopics reports whether the measure needs judgments of subtopics, which
// [trec.ReadSubtopics] reads.
func (m Measure) OfSubtopics() bool { return m.subtopics }

// definition says by whose definition the measure is computed.
func (m Measure) definition() string {
	if m.trecEval {
		return "trec_eval"
	}
	return "assay"
}

// countsEmpty reports whether a query without a relevant document counts as 0,
// where a metric of this module does not apply.
func (m Measure) countsEmpty() bool { return m.trecEval && (m.kind == mean || m.kind == geometric) }

// kind says how a measure is aggregated and printed.
type kind uint8

const (
	// mean is averaged over queries.
	mean kind = iota
	// geometric is averaged by its logarithm, and not told for each query.
	geometric
	// total is a count, summed over queries.
	total
	// text is told for each query only.
	text
	// tag and queries are told for the whole run only.
	tag
	queries
)

// perQuery reports whether the measure is told for each query.
func (k kind) perQuery() bool { return k == mean || k == total || k == text }

// geometricFloor keeps one query of 0 from making a geometric mean 0. It is
// that of trec_eval, which prints four digits.
const geometricFloor = 1e-5

// absentMetric returns 0 for a query that the run lacks, where the metric
// applies at all, which the judgments alone decide: a ranking of one unjudged
// document tells. A metric of which less is better has no value there.
func absentMetric(value func(*retrieval.Ranking) (float64, bool), better metric.Direction) func(*retrieval.Ranking) (float64, bool) {
	return func(r *retrieval.Ranking) (float64, bool) {
		with := retrieval.Ranking{Grades: []int{retrieval.Unjudged}, Judged: r.Judged, MaxGrade: r.MaxGrade, Labelled: r.Labelled}
		_, ok := value(&with)
		return 0, ok && better == metric.Higher
	}
}

// logOf is the value of a geometric mean for one query.
func logOf(v float64) float64 { return math.Log(max(v, geometricFloor)) }
