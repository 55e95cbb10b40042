package stage

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// EvidenceSelfKnowledge is the share of facts that the answer has from nowhere.
var EvidenceSelfKnowledge = followed(metric.Def{
	Name:    "evidence_self_knowledge",
	Title:   "Self-knowledge of facts",
	Doc:     "How much of what the answer rests on the generator wrote although the prompt had it not: from memory, or by luck. It counts apart, and not as survival. The judged self_knowledge is about claims, this one about labelled facts.",
	Formula: "facts that the answer carries and no passage in the prompt / facts",
	Edges:   pooledFacts + "Not applicable when no evidence of a case could be followed.",
	Better:  metric.Lower,
	Reads:   metric.ReadAnswer | metric.ReadPassages,
	Pooled:  true,
}, func(a *assay.Attribution) assay.Score {
	from := func(f assay.Fact) bool { return f.SelfKnowledge }
	s := counted(a.Facts, from)
	s.Evidence = listed(a.Facts, "from memory", from)
	return s
})
