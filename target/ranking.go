package target

import (
	"fmt"
	"io"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset/trec"
)

// ReadRanking reads a TREC run as recorded retrieval: each query's documents become the
// passages of the case with that id, best first and at most depth of them (all if depth
// is below 1), without text; the answer is empty. As in trec_eval, documents are
// ordered by descending score, ties by descending document id, and the rank column is
// ignored. name is the file name in messages. Errors are *trec.Error.
func ReadRanking(r io.Reader, name string, depth int) (*Recorded, error) {
	run, err := trec.ReadRun(r, name)
	if err != nil {
		return nil, fmt.Errorf("recorded retrieval: %w", err)
	}
	responses := make(map[string]assay.Response, len(run))
	for id, items := range run {
		if depth > 0 && len(items) > depth {
			items = items[:depth]
		}
		passages := make([]assay.Passage, len(items))
		for i, item := range items {
			passages[i] = assay.Passage{Document: item.Document, Score: item.Score}
		}
		responses[id] = assay.Response{NoAnswer: true, Passages: passages}
	}
	return NewRecorded(responses), nil
}
