package stage

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// ChunkF1 is the harmonic mean of chunk_precision and chunk_recall.
var ChunkF1 = chunks(metric.Def{
	Name:    "chunk_f1",
	Title:   "Chunk F1",
	Doc:     "Precision and recall of what a stage put out in one number: the retriever, or with chunk_f1(stage=filter) the filter.",
	Formula: "2 P R / (P + R), with P chunk_precision and R chunk_recall of the same stage",
	Edges:   "Both 0 give 0.",
}, func(r relevance) assay.Score {
	v, _ := r.overlap().F1()
	return assay.Value(v)
})
