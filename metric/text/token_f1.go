package text

import "github.com/assay-eval/assay/metric"

// TokenF1 is the harmonic mean of token precision and recall.
var TokenF1 = compared(metric.Def{
	Name:    "token_f1",
	Title:   "Token F1",
	Doc:     "How much of the answer and of the reference answer are the same words, whatever their order.",
	Formula: "2PR / (P + R) with P = common / tokens(answer) and R = common / tokens(reference), counted as multisets",
	Edges:   squadTokens + bestReference + "Both sides empty give 1, one of them 0.",
	Source:  squadSource,
}, func(_ metric.Params, c comparison) float64 { return tokenMatch(c.tokens(bySquad)).f1() })

// TokenPrecision is the share of the answer's tokens that the reference has.
var TokenPrecision = compared(metric.Def{
	Name:  "token_precision",
	Title: "Token precision",
	Doc: "How much of the answer is in the reference answer. It falls with every word that the reference " +
		"lacks, so read it together with token_recall.",
	Formula: "common / tokens(answer), counted as multisets",
	Edges:   squadTokens + bestReference + "Both sides empty give 1, one of them 0.",
	Source:  squadSource,
}, func(_ metric.Params, c comparison) float64 { return tokenMatch(c.tokens(bySquad)).precision })

// TokenRecall is the share of the reference's tokens that the answer has.
var TokenRecall = compared(metric.Def{
	Name:    "token_recall",
	Title:   "Token recall",
	Doc:     "How much of the reference answer is in the answer. A verbose answer is not penalised.",
	Formula: "common / tokens(reference), counted as multisets",
	Edges:   squadTokens + bestReference + "Both sides empty give 1, one of them 0.",
	Source:  squadSource + "; as a measure of verbose answers: Adlakha et al., TACL 2024",
}, func(_ metric.Params, c comparison) float64 { return tokenMatch(c.tokens(bySquad)).recall })
