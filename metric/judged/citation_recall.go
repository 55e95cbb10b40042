package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// CitationRecall is the share of sentences that their citations support.
var CitationRecall = citations(question.Citations, metric.Def{
	Name:    "citation_recall",
	Title:   "Citation recall",
	Doc:     "How many of the answer's sentences the passages that they cite support, with the other sentences listed.",
	Formula: "sentences that the passages they cite support together / sentences that count",
	Edges:   "A sentence without a citation is not supported. ",
	Source:  alce + ", of sentences worth checking",
}, func(_ metric.Params, sentences []sentence) assay.Score {
	t := tally{evidence: unsupportedSentences(sentences)}
	for _, s := range sentences {
		t.add(1, s.supported, s.known)
	}
	return t.score()
})
