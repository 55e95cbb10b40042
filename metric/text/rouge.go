package text

import "github.com/assay-eval/assay/metric"

const (
	rougeEdges = "Tokens: NFKC and case folding, runs of letters, digits, marks and underscores, every CJK character by itself; no " +
		"stemming. " +
		bestReference + "A side too short for one unit gives 0, both sides too."
	rougeSource = "Lin, ROUGE, 2004; equals rouge-score 0.1.2 without stemming on texts of ASCII letters and digits. That package " +
		"drops everything else, so that Chinese scores 0 there"
)

var partParam = metric.Param{
	Name: "part", Doc: "which side to divide by: f both (F1), p the answer (precision), r the reference (recall)",
	Default: "f", Values: []string{"f", "p", "r"},
}

// part picks the part that the parameter names.
func (m match) part(p metric.Params) float64 {
	switch p.Word(partParam.Name) {
	case "p":
		return m.precision
	case "r":
		return m.recall
	}
	return m.f1()
}

// rouge makes a comparison of two texts by their words.
func rouge(compare func(answer, reference []string) match) func(metric.Params) func(answer, reference string) float64 {
	return func(p metric.Params) func(answer, reference string) float64 {
		return func(answer, reference string) float64 { return compare(Words(answer), Words(reference)).part(p) }
	}
}

// rougeN compares runs of n words.
func rougeN(n int) func(answer, reference []string) match {
	return func(answer, reference []string) match {
		return matchOf(bagOf(answer, n).shared(bagOf(reference, n)), max(len(answer)-n+1, 0), max(len(reference)-n+1, 0))
	}
}
