package treceval

import (
	"math"
	"strings"

	"github.com/assay-eval/assay/metric/retrieval"
)

// The measures of trec_eval that are no metrics of this module: obsolete,
// experimental, or with its own conventions. Each gives 0 where it is not
// defined, as trec_eval does.

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

func averagePrecision(r *retrieval.Ranking, level int) float64 { return r.AveragePrecision(0, level) }

// interpolatedPrecision is the highest precision at or below the rank at which
// the given share of the relevant documents is found.
func interpolatedPrecision(r *retrieval.Ranking, level int, recall float64) float64 {
	hits := r.Hits(level)
	// Version 10 rounds; version 9 added 0.9 and cut.
	need := int(math.Round(recall * float64(r.Relevant(level))))
	if need > len(hits) {
		return 0
	}
	best := 0.0
	for i := max(need, 1); i <= len(hits); i++ {
		best = max(best, float64(i)/float64(hits[i-1]))
	}
	return best
}

// multipleRPrecision is the precision at a multiple of the number of relevant
// documents.
func multipleRPrecision(r *retrieval.Ranking, level int, multiple float64) float64 {
	k := int(multiple*float64(r.Relevant(level)) + 0.9)
	if k < 1 {
		return 0
	}
	return r.Precision(k, level)
}

// utility is the weighted sum of the four cells of the contingency table,
// where the collection is taken to hold no further documents.
func utility(r *retrieval.Ranking, level int, weight []float64) float64 {
	found, returned, relevant := r.Found(0, level), r.Len(), r.Relevant(level)
	return weight[0]*float64(found) + weight[1]*float64(returned-found) + weight[2]*float64(relevant-found) +
		weight[3]*float64(found-returned-relevant)
}

// binaryG is the mean, over relevant documents, of 1/log2(2 + the number of
// others above).
func binaryG(r *retrieval.Ranking, level int) float64 {
	sum := 0.0
	for i, rank := range r.Hits(level) {
		sum += 1 / math.Log2(float64(2+rank-1-i))
	}
	if sum == 0 {
		return 0
	}
	return sum / float64(r.Relevant(level))
}

func gainAt(r *retrieval.Ranking, i int, gain retrieval.Gain) float64 {
	if r.Grades[i] < 0 {
		return 0
	}
	return gain(r.Grades[i])
}

// normalisedG discounts a gain by how far the ranking lags behind the ideal
// one, where a rank costs at least 1.
func normalisedG(r *retrieval.Ranking, gain retrieval.Gain) float64 {
	ideal := r.IdealGains(gain)
	best := 0.0
	for _, g := range ideal {
		best += g
	}
	if best == 0 {
		return 0
	}
	sum, got, cost := 0.0, 0.0, 0.0
	for i := range r.Grades {
		g := gainAt(r, i, gain)
		got += g
		if i < len(ideal) {
			cost += max(ideal[i], 1)
		} else {
			cost++
		}
		if g != 0 {
			sum += g / math.Log2(2+cost-got)
		}
	}
	return sum / best
}

// ndcgAtRelevant is the mean, over documents with a gain, of nDCG at their
// ranks; one that was not returned counts nDCG at the end.
func ndcgAtRelevant(r *retrieval.Ranking, gain retrieval.Gain) float64 {
	ideal := r.IdealGains(gain)
	if len(ideal) == 0 {
		return 0
	}
	sum, dcg, best, found := 0.0, 0.0, 0.0, 0
	for i := range max(len(ideal), len(r.Grades)) {
		if i < len(ideal) {
			best += ideal[i] / retrieval.Discount(i+1)
		}
		if i >= len(r.Grades) {
			continue
		}
		if g := gainAt(r, i, gain); g != 0 {
			dcg += g / retrieval.Discount(i+1)
			if g > 0 {
				sum += dcg / best
				found++
			}
		}
	}
	sum += float64(len(ideal)-found) * dcg / best
	return max(sum, 0) / float64(len(ideal))
}

// ndcgAtLevels is the mean of nDCG at the depths where the gain of the ideal
// ranking falls to the next level, and at the end.
func ndcgAtLevels(r *retrieval.Ranking, level int, gain retrieval.Gain) float64 {
	ideal := r.IdealGains(gain)
	if len(ideal) == 0 || r.Relevant(level) == 0 {
		return 0
	}
	sum, dcg, best, depths := 0.0, 0.0, 0.0, 0
	for i := range max(len(ideal)+1, len(r.Grades)) {
		if i > 0 && (i == len(ideal) || i < len(ideal) && ideal[i] != ideal[i-1]) {
			sum += dcg / best
			depths++
		}
		if i < len(r.Grades) {
			if g := gainAt(r, i, gain); g != 0 {
				dcg += g / retrieval.Discount(i+1)
			}
		}
		if i < len(ideal) {
			best += ideal[i] / retrieval.Discount(i+1)
		}
	}
	// trec_eval has passed one rank beyond the ideal ranking by now.
	if len(ideal)+1 < len(r.Grades) {
		sum += dcg / best
		depths++
	}
	return sum / float64(depths)
}

// trecPersistence is the p of trec_eval's rbp, and always of its rbp_resid.
const trecPersistence = 0.9

// gradedRBP is rank-biased precision over gains scaled to the query's own
// highest, by default with p = 0.9.
func gradedRBP(a args) formula {
	p, ok := a.named["p"]
	if !ok {
		p = trecPersistence
	}
	return func(r *retrieval.Ranking, _ int) float64 {
		lo, hi := 0.0, 1.0
		for _, grade := range r.Judged {
			g := a.gain(grade)
			lo, hi = min(lo, g), max(hi, g)
		}
		return r.RBP(p, func(grade int) float64 { return (a.gain(grade) - lo) / (hi - lo) })
	}
}

// rbpResidual is 0 when every returned document is judged, although what was
// not returned is not known then either.
func rbpResidual(r *retrieval.Ranking, _ int) float64 {
	if r.CountUnjudged(0) == 0 {
		return 0
	}
	return r.RBPResidual(trecPersistence)
}

func judgedNonRelevant(r *retrieval.Ranking, level int) float64 {
	return float64(r.Len() - r.CountUnjudged(0) - r.Found(0, level))
}

// relevanceString writes the grades of the first documents, one character
// each: a digit, ">" above 9, "-" without a judgment, "." when pooled and not
// judged.
func relevanceString(r *retrieval.Ranking, length int) string {
	var b strings.Builder
	for _, g := range r.Grades[:min(max(length, 0), len(r.Grades))] {
		switch {
		case g == retrieval.Unjudged:
			b.WriteByte('-')
		case g < 0:
			b.WriteByte('.')
		case g > 9:
			b.WriteByte('>')
		default:
			b.WriteByte(byte('0' + g))
		}
	}
	return b.String()
}
