package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// MultiChunkOnly is the share of claims that passages support only together.
var MultiChunkOnly = define(metric.Def{
	Name:    "multi_chunk_only",
	Title:   "Supported by several passages only",
	Doc:     "How much of what the answer claims is borne out by several passages together and by none alone. A diagnostic: it tells how far tools that look at one passage at a time are off, and is no merit or fault in itself.",
	Formula: "claims supported by the passages together and by no single one / claims with a ruling; it equals faithfulness - faithfulness(support=single)",
	Edges:   claimsEdge + nothingEdge + unknownEdge,
	Source:  "own definition beside " + ragChecker,
	Better:  metric.Lower,
	Reads:   readsBoth,
	Asks:    judge.Asks{question.Answer, question.AnswerPassages},
}, func(metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		s, err := answerGrounds(in)
		if err != nil || s.instead != nil {
			return s.score(), err
		}
		n := shown(in)
		out := tallied(s, func(f judge.Finding) (float64, bool) {
			v, known := credit(f)
			alone, _ := single(f, n)
			return v - alone, known
		})
		out.Evidence = s.list(func(f judge.Finding) string {
			if _, alone := supporters(f, n); f.Verdict == judge.Supported && !alone {
				return "several passages"
			}
			return ""
		})
		return out, nil
	}
})
