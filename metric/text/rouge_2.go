package text

import "github.com/assay-eval/assay/metric"

// ROUGE2 compares pairs of words.
var ROUGE2 = compared(metric.Def{
	Name:    "rouge_2",
	Title:   "ROUGE-2",
	Doc:     "How many pairs of neighbouring words the answer and the reference answer share.",
	Formula: "F1 of common / pairs(answer) and common / pairs(reference), counted as multisets",
	Edges:   rougeEdges,
	Source:  rougeSource,
	Params:  []metric.Param{partParam},
}, rouge(rougeN(2)))
