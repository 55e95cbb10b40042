package retrieval

import (
	"cmp"
	"math"
	"slices"

	"github.com/assay-eval/assay/metric"
)

// NDCG is the normalised discounted cumulative gain.
var NDCG = documents(metric.Def{
	Name:  "ndcg",
	Title: "nDCG",
	Doc:   "How close the ranking is to the best possible one, for graded relevance, with lower ranks counting less.",
	Formula: "DCG@k / DCG@k of the ideal ranking, DCG = Σ gain(grade) / log2(rank + 1); gain is the grade, or " +
		"2^grade − 1 if exponential",
	Edges: "The ideal ranking holds every judged document with a grade above 0, found or not. Documents without a judgment have no gain. " +
		notMeasured,
	Source: "Järvelin and Kekäläinen, TOIS 2002; trec_eval ndcg and ndcg_cut (linear), Burges et al., ICML 2005 (exponential)",
	Cutoff: metric.OptionalCutoff,
	Params: []metric.Param{gainParam},
}, graded((*Ranking).NDCG))

var gainParam = metric.Param{
	Name: "gain", Doc: "what a grade is worth: itself, or 2^grade − 1",
	Default: "linear", Values: []string{"linear", "exponential"},
}

// A Gain returns the gain of a grade of at least 0.
type Gain func(grade int) float64

var gains = map[string]Gain{"linear": LinearGain, "exponential": exponentialGain}

// LinearGain returns the grade itself.
func LinearGain(grade int) float64 { return float64(grade) }

func exponentialGain(grade int) float64 { return math.Exp2(float64(grade)) - 1 }

// NDCG returns the discounted gain of the first k documents, or all if k is 0,
// over that of the ideal ranking at the same depth; 0 if the ideal gain is 0.
func (r *Ranking) NDCG(k int, gain Gain) float64 {
	ideal := r.IdealGains(gain)
	if k > 0 && k < len(ideal) {
		ideal = ideal[:k]
	}
	best := 0.0
	for i, g := range ideal {
		best += g / Discount(i+1)
	}
	if best == 0 {
		return 0
	}
	return r.DCG(k, gain) / best
}

// DCG returns the discounted gain of the first k documents, or all if k is 0.
func (r *Ranking) DCG(k int, gain Gain) float64 {
	sum := 0.0
	for i := range r.depth(k) {
		if g := r.gainAt(i, gain); g != 0 {
			sum += g / Discount(i+1)
		}
	}
	return sum
}

// gainAt returns the gain of the document with index i. A document without a
// judgment has no gain.
func (r *Ranking) gainAt(i int, gain Gain) float64 {
	if r.Grades[i] < 0 {
		return 0
	}
	return gain(r.Grades[i])
}

// Discount returns the number that the gain at a rank is divided by. Ranks start at 1.
func Discount(rank int) float64 { return math.Log2(float64(rank) + 1) }

// IdealGains returns the gains above 0 of the judged documents, highest first.
// The slice is valid until the next call.
func (r *Ranking) IdealGains(gain Gain) []float64 {
	r.gains = r.gains[:0]
	for _, grade := range r.Judged {
		if g := gain(grade); g > 0 {
			r.gains = append(r.gains, g)
		}
	}
	descending := func(a, b float64) int { return cmp.Compare(b, a) }
	if !slices.IsSortedFunc(r.gains, descending) {
		slices.SortFunc(r.gains, descending)
	}
	return r.gains
}
