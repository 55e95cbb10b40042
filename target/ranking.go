package target

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset/trec"
)

// readRanking reads a TREC run as recorded retrieval: each query's documents become the
// passages of the case with that id, best first, without text; there is no answer. As in
// trec_eval, documents are ordered by descending score, ties by descending document id, and
// the rank column is ignored. Errors are *trec.Error. A run whose queries are not grouped is
// held in memory.
func readRanking(file *recording, whole io.Reader) (*Recorded, error) {
	if file.copied != nil {
		_, err := io.Copy(io.Discard, whole)
		if err := errors.Join(err, file.end()); err != nil {
			return nil, fmt.Errorf("recorded retrieval: %s: %w", file.name, err)
		}
	}
	again := func() io.Reader { return io.NewSectionReader(file.from, file.start, math.MaxInt64-file.start) }
	out := newRecorded()
	out.file, out.has.passages = file, true
	rising := 0
	_, err := trec.Scan(again(), file.name, 1, func(_ int, q *trec.Query) error {
		if q.Rises() {
			rising++
		}
		if err := q.CheckUnique(file.name); err != nil {
			return err
		}
		out.add(entry{offset: file.start + q.Offset, size: int32(q.Size), line: int32(q.Lines[0])}, string(q.ID), "")
		return nil
	})
	if errors.Is(err, trec.ErrUngrouped) {
		return gatherRanking(again(), file.name)
	}
	if err != nil {
		return nil, fmt.Errorf("recorded retrieval: %w", err)
	}
	if rising*2 > out.Len() {
		out.Warn(file.name + ": " + fmt.Sprintf(trec.Rising, rising, out.Len()))
	}
	out.parse = func(part []byte, line int) (said, error) {
		q, err := trec.ParseQuery(part, file.name, line)
		if err != nil {
			return said{}, err
		}
		order := q.Order()
		items := make([]trec.Item, len(order))
		for i, at := range order {
			items[i] = trec.Item{Document: string(q.Documents[at]), Score: q.Scores[at]}
		}
		return said{id: string(q.ID), response: ranking(items)}, nil
	}
	return out, nil
}

// gatherRanking reads a run in any order of lines into memory.
func gatherRanking(whole io.Reader, name string) (*Recorded, error) {
	run, err := trec.ReadRun(whole, name)
	if err != nil {
		return nil, fmt.Errorf("recorded retrieval: %w", err)
	}
	responses := make(map[string]assay.Response, len(run))
	for id, items := range run {
		responses[id] = ranking(items)
	}
	return NewRecorded(responses, nil), nil
}

// ranking returns the results of a query as a response.
func ranking(items []trec.Item) assay.Response {
	passages := make([]assay.Passage, len(items))
	for i, item := range items {
		passages[i] = assay.Passage{Document: item.Document, Score: item.Score}
	}
	return assay.Response{NoAnswer: true, Passages: passages}
}
