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
	_, err := Gather(r, name, func(_ int, q *Query) error {
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

// Gather reads a run whose queries need not be grouped. It holds the whole run in
// memory, then visits the queries in the order of their first lines, as worker 0.
func Gather(r io.Reader, name string, visit Visitor) (Info, error) {
	var info Info
	var queries []*Query
	index := map[string]*Query{}
	var p parser
	var one Query
	buf := make([]byte, 0, 256)
	err := eachLine(r, name, func(line int, text []byte) error {
		buf = append(append(buf[:0], text...), '\n')
		p = parser{data: buf, line: line, name: name}
		if err := p.group(&one); err != nil {
			return err
		}
		q := index[string(one.ID)]
		if q == nil {
			q = &Query{ID: bytes.Clone(one.ID)}
			index[string(q.ID)] = q
			queries = append(queries, q)
		}
		q.Documents = append(q.Documents, bytes.Clone(one.Documents[0]))
		q.Scores = append(q.Scores, one.Scores[0])
		q.Lines = append(q.Lines, line)
		if !bytes.Equal(q.Tag, one.Tag) {
			q.Tag = bytes.Clone(one.Tag)
		}
		info.Results++
		return nil
	})
	if err != nil {
		return Info{}, err
	}
	if info.Results == 0 {
		return Info{}, problem(name, 0, "no results: %s", runColumns)
	}
	info.Tag, info.Queries = string(one.Tag), len(queries)
	for _, q := range queries {
		if err := visit(0, q); err != nil {
			return Info{}, err
		}
	}
	return info, nil
}

// Before reports whether result i ranks above result j: by higher score, or at
// equal scores by document in descending byte order.
func (q *Query) Before(i, j int) bool {
	if q.Scores[i] != q.Scores[j] {
		return q.Scores[i] > q.Scores[j]
	}
	return bytes.Compare(q.Documents[i], q.Documents[j]) > 0
}

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
