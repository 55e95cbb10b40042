package text

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

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

// rouge defines a comparison of two texts by their words.
func rouge(d metric.Def, compare func(answer, reference []uint32) match) *metric.Def {
	d.Edges, d.Source, d.Params = rougeEdges, rougeSource, []metric.Param{partParam}
	return compared(d, func(p metric.Params, c comparison) float64 { return compare(c.tokens(byWord)).part(p) })
}

// rougeN compares runs of n words.
func rougeN(n int) func(answer, reference []uint32) match {
	return func(answer, reference []uint32) match {
		return matchOf(sharedRuns(n, answer, reference)[n-1], max(len(answer)-n+1, 0), max(len(reference)-n+1, 0))
	}
}

// ROUGE1 compares single words.
var ROUGE1 = rouge(metric.Def{
	Name:    "rouge_1",
	Title:   "ROUGE-1",
	Doc:     "How many words the answer and the reference answer share.",
	Formula: "F1 of common / words(answer) and common / words(reference), counted as multisets",
}, rougeN(1))

// ROUGE2 compares pairs of words.
var ROUGE2 = rouge(metric.Def{
	Name:    "rouge_2",
	Title:   "ROUGE-2",
	Doc:     "How many pairs of neighbouring words the answer and the reference answer share.",
	Formula: "F1 of common / pairs(answer) and common / pairs(reference), counted as multisets",
}, rougeN(2))

// ROUGE2Precision is the share of the answer's pairs of words that the passages
// have.
var ROUGE2Precision = grounded(metric.Def{
	Name:  "rouge_2_precision",
	Title: "ROUGE-2 precision",
	Doc: "How many of the answer's pairs of neighbouring words are in the passages: an estimate of " +
		"faithfulness. Different wording lowers it as much as invention does.",
	Formula: "common / pairs(answer), common counted as multisets over the pairs of all passages, none across two of them",
	Edges: "Tokens: NFKC and case folding, runs of letters, digits, marks and underscores, every CJK character by itself. " + groundless +
		"An answer of one word has no pair and no value.",
	Source: "Lin, ROUGE, 2004, with the passages as the reference",
}, func(_ context.Context, _ metric.Input, _ metric.Params, g grounding) (assay.Score, error) {
	tokens := byWord.numbered(append([]string{g.answer}, g.texts...)...)
	said := tokens[0]
	if len(said) < 2 {
		return assay.None("the answer has no pair of words"), nil
	}
	return assay.Value(float64(sharedRuns(2, said, tokens[1:]...)[1]) / float64(len(said)-1)), nil
})
