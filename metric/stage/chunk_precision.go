package stage

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// ChunkPrecision is the share of relevant chunks in what a stage put out.
var ChunkPrecision = chunks(metric.Def{
	Name:    "chunk_precision",
	Title:   "Chunk precision",
	Doc:     "How much of what a stage put out is relevant: after the retriever, or with chunk_precision(stage=filter) after the filter.",
	Formula: "relevant chunks / chunks",
	Edges:   "A stage that put out nothing scores 0.",
}, func(r relevance) assay.Score {
	v, _ := r.overlap().Precision()
	return assay.Value(v)
})
