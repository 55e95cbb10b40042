package trec

import (
	"bytes"
	"cmp"
	"io"
	"slices"
)

// An Item is one result of a query.
type Item struct {
	Document string
	Score    float64
}

// A Run maps a query to its results, best first.
type Run map[string][]Item

// ReadRun reads a whole run into memory, in any order of lines. Results are
// ordered by score, highest first, and equal scores by document in descending
// byte order, as in trec_eval; the rank column is ignored. A duplicate document
// for a query, a score that is not a number, a missing column and a file without
// results are errors (*Error) with a line number.
func ReadRun(r io.Reader, name string) (Run, error) {
	run := Run{}
	_, err := Gather(r, name, 1, func(_ int, q *Query) error {
		if err := q.CheckUnique(name); err != nil {
			return err
		}
		items := make([]Item, len(q.Scores))
		for i, rank := range q.Order() {
			items[i] = Item{string(q.Documents[rank]), q.Scores[rank]}
		}
		run[string(q.ID)] = items
		return nil
	})
	if err != nil {
		return nil, err
	}
	return run, nil
}

// Before reports whether result i ranks above result j: by higher score, or at
// equal scores by document in descending byte order.
func (q *Query) Before(i, j int) bool {
	if q.Scores[i] != q.Scores[j] {
		return q.Scores[i] > q.Scores[j]
	}
	return bytes.Compare(q.Documents[i], q.Documents[j]) > 0
}

// Rises reports whether the scores rise from line to line, as distances do, or are equal and the documents in another order
// than trec_eval's.
func (q *Query) Rises() bool { return slices.IsSorted(q.Scores) && !slices.IsSorted(q.Order()) }

// Rising says that a run is read against the order of its lines.
const Rising = "the scores rise from line to line in %d of %d queries, as distances do, or are equal. The highest score ranks first, of equal ones the last id, as in trec_eval"

// Order returns the indexes of the results, best first.
func (q *Query) Order() []int {
	out := make([]int, len(q.Scores))
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(i, j int) int {
		if c := cmp.Compare(q.Scores[j], q.Scores[i]); c != 0 {
			return c
		}
		return bytes.Compare(q.Documents[j], q.Documents[i])
	})
	return out
}

// CheckUnique returns an error if a document occurs twice, with both lines.
func (q *Query) CheckUnique(name string) error {
	seen := make(map[string]int, len(q.Documents))
	for i, d := range q.Documents {
		if first, twice := seen[string(d)]; twice {
			return q.Duplicate(name, first, i)
		}
		seen[string(d)] = i
	}
	return nil
}

// Duplicate returns the error for a document that results i and j share.
func (q *Query) Duplicate(name string, i, j int) error {
	return problem(name, q.Lines[j], "query %q: document %q is returned again, first in line %d", clip(q.ID), clip(q.Documents[j]),
		q.Lines[i])
}
