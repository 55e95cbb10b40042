package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// CitationSupport grades the first citation of each sentence.
var CitationSupport = define(metric.Def{
	Name:    "citation_support",
	Title:   "Support by the first citation",
	Doc:     "How well the first passage that each sentence cites supports it: in full, in part, or not.",
	Formula: "sum over sentences of 1 when the first citation supports the sentence alone, 0.5 when it does so together with others, else 0; stat=precision: divided by the sentences that cite, stat=recall: by all",
	Edges: citationEdge + "A first citation that supports a part of a sentence which what it cites does not support as a whole scores 0. Where nothing is cited there is no precision, and recall is 0. " +
		unknownEdge,
	Source: "support evaluation of TREC 2024 RAG (Thakur et al., 2025), weighted precision and recall",
	Reads:  readsBoth,
	Asks:   judge.Asks{question.Answer, question.Citations},
	Params: []metric.Param{{Name: "stat", Doc: "what the sum is divided by", Default: "precision", Values: []string{"precision", "recall"}}},
}, func(p metric.Params) formula {
	recall := p.Word("stat") == "recall"
	return func(in metric.Input) (assay.Score, error) {
		sentences, instead, err := citings(in)
		switch {
		case err != nil || instead != nil:
			return scoreOf(instead), err
		case !recall && !cites(sentences):
			return assay.None("the answer cites nothing"), nil
		}
		var t tally
		for _, c := range sentences {
			if recall || len(c.Cites)+len(c.Invalid) > 0 {
				v, known := c.first()
				t.add(1, v, known)
			}
		}
		s := t.score()
		s.Evidence = unsupportedSentences(sentences)
		return s, nil
	}
})
