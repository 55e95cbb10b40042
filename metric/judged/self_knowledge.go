package judged

import "github.com/assay-eval/assay/metric"

// SelfKnowledge is the share of claims that are right and were not retrieved.
var SelfKnowledge = checker(metric.Def{
	Name:    "self_knowledge",
	Title:   "Self-knowledge",
	Doc:     "How much of what the answer claims is right although no passage says it: the generator answered from memory. Such claims cannot be checked by a reader, so less is better.",
	Formula: "claims supported by the reference and not by the passages / claims with a ruling",
	Edges:   "With nothing missing, faithfulness + hallucination + self_knowledge = 1.",
	Source:  ragChecker,
}, func(c checked) (float64, bool) {
	return product(1-c.faithful, c.knowsFaithful, c.right, c.knowsRight)
}, "from memory")
