package stage

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// RetrievalDelta is what the transcription cost the retriever.
var RetrievalDelta = set.Define(metric.Def{
	Name:  "retrieval_delta",
	Title: "Retrieval lost to hearing",
	Group: metric.Stages,
	Doc: "How much more of the evidence the retriever finds with the right transcript than with the one that was heard: what the errors of the transcription cost downstream, " +
		"which an error rate does not tell.",
	Formula: "facts among what was retrieved with the right transcript / facts - the same with the transcript that was heard",
	Edges: factsAre + "0 when both transcripts are the same. Below 0 when the mishearing helped. Not applicable without a recording, a reference transcript, " +
		"or a target that can be asked with another transcript.",
	Source:  "metrics of speech retrieval: difference of recall between reference and recognised text",
	Better:  metric.Lower,
	Range:   [2]float64{-1, 1},
	Needs:   metric.NeedTranscript,
	Reads:   metric.ReadTrace,
	Follows: true,
	Version: 1,
	New: func(metric.Params) metric.Func {
		return func(_ context.Context, in metric.Input) (assay.Score, error) {
			if in.Attribution == nil || in.Attribution.RetrievalDelta == nil {
				return assay.None("the target was not asked with the right transcript"), nil
			}
			return assay.Value(*in.Attribution.RetrievalDelta), nil
		}
	},
})
