package text

import "github.com/assay-eval/assay/metric"

// ROUGE1 compares single words.
var ROUGE1 = compared(metric.Def{
	Name:    "rouge_1",
	Title:   "ROUGE-1",
	Doc:     "How many words the answer and the reference answer share.",
	Formula: "F1 of common / words(answer) and common / words(reference), counted as multisets",
	Edges:   rougeEdges,
	Source:  rougeSource,
	Params:  []metric.Param{partParam},
}, rouge(rougeN(1)))
