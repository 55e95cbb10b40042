package stage

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// ChunkRecall is the share of labelled passages or documents in what a stage
// put out.
var ChunkRecall = chunks(metric.Def{
	Name:    "chunk_recall",
	Title:   "Chunk recall",
	Doc:     "How many of the labelled passages, or relevant documents, a stage put out: the retriever, or with chunk_recall(stage=filter) the filter.",
	Formula: "labels that some chunk is relevant for / labels",
	Edges:   "A stage that put out nothing scores 0.",
}, func(r relevance) assay.Score {
	v, _ := r.overlap().Recall()
	s := assay.Value(v)
	s.Evidence = r.missing
	return s
})
