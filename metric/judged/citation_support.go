package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// CitationSupport grades the first citation of each sentence.
var CitationSupport = citations(question.CitationsAlone, metric.Def{
	Name:  "citation_support",
	Title: "Support by the first citation",
	Doc:   "How well the first passage that each sentence cites supports it: fully, partly, or not.",
	Formula: "sum over sentences of 1 if the first citation supports the sentence alone, 0.5 if it does so together with others " +
		"or supports a part of it, else 0; stat=precision: divided by the sentences that cite, stat=recall: by all",
	Edges: "A part counts only if nothing in the cited passages speaks against the sentence; estimates know no parts. " +
		"Where nothing is cited there is no precision, and recall is 0. ",
	Version: 2,
	Source:  "support evaluation of TREC 2024 RAG (Thakur et al., 2025), weighted precision and recall",
	Params: []metric.Param{
		{Name: "stat", Doc: "what the sum is divided by", Default: "precision", Values: []string{"precision", "recall"}},
	},
}, func(p metric.Params, sentences []sentence) assay.Score {
	recall := p.Word("stat") == "recall"
	if !recall && !cites(sentences) {
		return assay.None(noCitation)
	}
	t := tally{evidence: unsupportedSentences(sentences)}
	for _, s := range sentences {
		if recall || s.cites() {
			v, known := s.first()
			t.add(1, v, known)
		}
	}
	return t.score()
})
