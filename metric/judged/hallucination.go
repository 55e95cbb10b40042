package judged

import "github.com/assay-eval/assay/metric"

// Hallucination is the share of claims that are neither retrieved nor right.
var Hallucination = checker(metric.Def{
	Name:    "hallucination",
	Title:   "Hallucination",
	Doc:     "How much of what the answer claims is borne out neither by the passages nor by the reference answer: it is made up, and wrong as far as is known.",
	Formula: "claims supported neither by the passages nor by the reference / claims with a ruling",
	Edges:   "With nothing missing, faithfulness + hallucination + self_knowledge = 1, and noise_sensitivity(mode=relevant) + noise_sensitivity(mode=irrelevant) + hallucination = 1 - factual_correctness(stat=precision).",
	Source:  ragChecker,
}, func(c checked) (float64, bool) {
	return product(1-c.faithful, c.knowsFaithful, 1-c.right, c.knowsRight)
}, "hallucinated")
