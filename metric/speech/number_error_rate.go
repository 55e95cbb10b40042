package speech

import (
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// NumberErrorRate is the error rate of numbers, compared by value.
var NumberErrorRate = transcripts(metric.Def{
	Name:    "number_error_rate",
	Version: 2,
	Title:   "Number error rate",
	Doc: "How many of the numbers, amounts and dates in the reference the transcript got wrong. One wrong digit " +
		"is one character of many and another fact.",
	Formula: "(substituted + lost + added numbers) / numbers of the reference",
	Edges: "Numbers are compared by value and in order: HK$1,065 is １０６５元 and 一千零六十五; a percentage is not the " +
		"plain number; a date is one number. " +
		"English words for numbers count, but not ordinals and fractions. A reference without a number has no value; numbers that the transcript adds to it enter " +
		"the pooled mean. " + rateOver1 + noStage,
	Source: "own definition: the error rate over normalised numbers",
	Better: metric.Lower,
	Pooled: true,
	Range:  [2]float64{0, math.MaxFloat64},
}, func(_ metric.Params, reference, transcript string, _ metric.Input) assay.Score {
	n := CompareNumbers(reference, transcript)
	if n.Reference() == 0 {
		s := assay.None("the reference transcript has no number")
		s.Num = float64(n.Insertions)
		return s
	}
	s := pooled(n.Counts)
	for _, l := range n.Lost {
		s.Evidence = append(s.Evidence, assay.Evidence{Kind: "missing", Text: l})
	}
	for _, a := range n.Added {
		s.Evidence = append(s.Evidence, assay.Evidence{Kind: "added", Text: a})
	}
	return s
})
