package stage

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// RetrievalDelta is how many facts the retriever lost to the transcription.
var RetrievalDelta = define(metric.Def{
	Name:  "retrieval_delta",
	Title: "Retrieval lost to transcription",
	Doc: "How much more of the evidence the retriever finds with the right transcript than with the actual one: " +
		"the cost of transcription errors for retrieval, which an error rate does not show.",
	Formula: "facts among what was retrieved with the right transcript / facts - the same with the actual transcript",
	Edges: factsAre + "0 if both transcripts are the same. Below 0 if the errors helped. " +
		"Not applicable without a recording, a reference transcript, or a target that can be asked with another transcript.",
	Source:  "metrics of speech retrieval: difference of recall between reference and recognised text",
	Better:  metric.Lower,
	Range:   [2]float64{-1, 1},
	Needs:   metric.NeedTranscript,
	Reads:   metric.ReadTrace,
	Follows: true, Documents: assay.ByFacts,
}, func(in metric.Input, _ metric.Params) assay.Score {
	if in.Attribution == nil || in.Attribution.RetrievalDelta == nil {
		return assay.None("the target was not asked with the right transcript")
	}
	return assay.Value(*in.Attribution.RetrievalDelta)
})
