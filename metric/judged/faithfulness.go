package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// Faithfulness is the share of the answer's claims that the passages support.
var Faithfulness = define(metric.Def{
	Name:    "faithfulness",
	Title:   "Faithfulness",
	Doc:     "How much of what the answer claims is borne out by the passages, claim by claim, with those that are not listed. Show it with coverage beside it: an answer that says little is easily faithful.",
	Formula: "supported claims of the answer / claims with a ruling",
	Edges: claimsEdge + nothingEdge + "So an answer to which nothing was retrieved scores 0. " + unknownEdge +
		"support=single counts a claim only when one passage alone supports it, as RAGChecker does; the difference is multi_chunk_only. " +
		"With nothing missing, faithfulness + hallucination + self_knowledge = 1, for either support.",
	Source: "Ragas faithfulness (Es et al., EACL 2024), with one ruling for each claim; support=single: " + ragChecker,
	Reads:  readsBoth,
	Asks:   judge.Asks{question.Answer, question.AnswerPassages},
	Params: []metric.Param{supportParam},
}, func(p metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		s, err := answerGrounds(in)
		if err != nil || s.instead != nil {
			return s.score(), err
		}
		out := tallied(s, supportOf(p, shown(in)))
		out.Evidence = s.unsupported()
		if len(in.Response.Passages) == 0 {
			out.Reason = nothing
		}
		return out, nil
	}
})
