package treceval

import (
	"strings"

	"github.com/assay-eval/assay/metric/retrieval"
)

type ranking = retrieval.Ranking

// formula computes a measure for one ranking. Its parameters are already bound.
type formula = func(r *ranking, level int) float64

// plain builds the formula of a family without parameters.
func plain(f formula) func(args) formula { return func(args) formula { return f } }

// atRank builds the formula of a family that computes f at each cutoff.
func atRank(f func(r *ranking, k, level int) float64) func(args) formula {
	return func(a args) formula {
		return func(r *ranking, level int) float64 { return f(r, a.k, level) }
	}
}

// ofGain builds the formula of a family whose parameters are the gains of grades.
func ofGain(f func(r *ranking, gain retrieval.Gain) float64) func(args) formula {
	return func(a args) formula {
		return func(r *ranking, _ int) float64 { return f(r, a.gain) }
	}
}

func returned(r *ranking, _ int) float64     { return float64(r.Len()) }
func relevant(r *ranking, level int) float64 { return float64(r.Relevant(level)) }
func found(r *ranking, level int) float64    { return float64(r.Found(0, level)) }

func averagePrecision(r *ranking, level int) float64 { return r.AveragePrecision(0, level) }

// weightedCounts builds the formula of utility: the weighted sum of the four cells
// of the contingency table. It assumes that the collection has no documents
// besides those returned or judged relevant.
func weightedCounts(a args) formula {
	return func(r *ranking, level int) float64 {
		hits, all, rel := found(r, level), returned(r, level), relevant(r, level)
		return a.list[0]*hits + a.list[1]*(all-hits) + a.list[2]*(rel-hits) + a.list[3]*(hits-all-rel)
	}
}

// trecPersistence is the default p of trec_eval's rbp, and the fixed p of its rbp_resid.
const trecPersistence = 0.9

// gradedRBP builds the formula of rank-biased precision with gains scaled by the
// query's highest gain. The default is p = 0.9.
func gradedRBP(a args) formula {
	p, ok := a.named["p"]
	if !ok {
		p = trecPersistence
	}
	return func(r *ranking, _ int) float64 {
		lo, hi := 0.0, 1.0
		for _, grade := range r.Judged {
			g := a.gain(grade)
			lo, hi = min(lo, g), max(hi, g)
		}
		return r.RBP(p, func(grade int) float64 { return (a.gain(grade) - lo) / (hi - lo) })
	}
}

// rbpResidual returns 0 if every returned document is judged, as trec_eval does,
// although the documents below the end of the list are unknown then too.
func rbpResidual(r *ranking, _ int) float64 {
	if r.CountUnjudged(0) == 0 {
		return 0
	}
	return r.RBPResidual(trecPersistence)
}

// relevanceString returns the grades of the first documents, one character each:
// a digit, ">" above 9, "-" without a judgment, "." if pooled but not judged.
func relevanceString(r *ranking, length int) string {
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
