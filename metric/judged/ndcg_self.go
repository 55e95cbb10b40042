package judged

import (
	"cmp"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// NDCGSelf is whether the passages are in the order of their grades.
var NDCGSelf = graded(metric.Def{
	Name:  "ndcg_self",
	Title: "nDCG of itself", LabelQuestion: assay.LabelOrdered,
	Doc: "Whether the passages are in the order of their grades by a judge. " +
		"Its ideal is the same list sorted: it says nothing about what was not retrieved, and must not be compared with ndcg.",
	Formula: "DCG of the first k / DCG of the same passages sorted by grade; " +
		"DCG = sum over ranks i of gain / log2(i + 1), gain = grade, or 2^grade - 1 with gain=exponential",
	Edges: "A list without a grade above 0 scores 0. " +
		"A passage without a grade is left out with its rank; the bounds are then 0 and 1. ",
	Source: gradeSource + "; Järvelin and Kekäläinen, TOIS 2002",
	Params: []metric.Param{{Name: "gain", Doc: "what a grade is worth", Default: "linear", Values: []string{"linear", "exponential"}}},
}, func(p metric.Params, grades []judge.Grade) assay.Score {
	var gains []float64
	for _, g := range grades {
		if known(g) {
			gain := clip(g.Degree) * topGrade
			if p.Word("gain") == "exponential" {
				gain = math.Exp2(gain) - 1
			}
			gains = append(gains, gain)
		}
	}
	return bounded(selfNDCG(gains), 0, 1, unknowns(grades), len(grades))
})

// selfNDCG is the DCG of gains divided by that of the sorted gains; 0 if all
// gains are 0.
func selfNDCG(gains []float64) float64 {
	dcg := func(gains []float64) float64 {
		sum := 0.0
		for i, g := range gains {
			sum += g / math.Log2(float64(i+2))
		}
		return sum
	}
	best := slices.SortedFunc(slices.Values(gains), func(a, b float64) int { return cmp.Compare(b, a) })
	if dcg(best) == 0 {
		return 0
	}
	return dcg(gains) / dcg(best)
}
