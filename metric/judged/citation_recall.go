package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// CitationRecall is the share of sentences that what they cite bears out.
var CitationRecall = define(metric.Def{
	Name:    "citation_recall",
	Title:   "Citation recall",
	Doc:     "How many of the answer's sentences are borne out by the passages that they cite, with those that are not listed.",
	Formula: "sentences that the passages they cite support together / sentences that count",
	Edges:   citationEdge + "A sentence without a citation is not supported. " + unknownEdge,
	Source:  alce + ", of sentences worth checking",
	Reads:   readsBoth,
	Asks:    judge.Asks{question.Answer, question.Citations},
}, func(metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		sentences, instead, err := citings(in)
		if err != nil || instead != nil {
			return scoreOf(instead), err
		}
		var t tally
		for _, c := range sentences {
			t.add(1, c.supported, c.known)
		}
		s := t.score()
		s.Evidence = unsupportedSentences(sentences)
		return s, nil
	}
})
