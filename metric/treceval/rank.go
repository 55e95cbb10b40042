package treceval

import (
	"hash/maphash"
	"slices"

	"github.com/assay-eval/assay/dataset/trec"
	"github.com/assay-eval/assay/metric/retrieval"
)

// A scorer converts the results of one query after another into rankings. It
// reuses its memory between queries.
type scorer struct {
	ranking retrieval.Ranking
	hashes  []uint64
	// slots is a hash table with open addressing. A slot holds 1 + the index of
	// a result, or 0 if it is empty.
	slots []int32
	found []foundDoc
	// named is set once a result had a judgment.
	named bool
}

// foundDoc is a result that has a judgment.
type foundDoc struct {
	index, grade int
	subtopics    []string
}

// fewFound is the number of judged results up to which counting the results
// above each of them is cheaper than sorting all results.
const fewFound = 12

// rank fills the ranking with the grades of the results, best first. Most
// results are unjudged and have the same grade, so it only computes the ranks of
// the judged ones. A document that is returned twice is an error.
func (s *scorer) rank(q *trec.Query, t *topic, seed maphash.Seed, depth int, name string) error {
	if i, j := s.index(q, seed); j > 0 {
		return q.Duplicate(name, i, j)
	}
	s.found = s.found[:0]
	for _, d := range t.docs {
		if i := s.find(q, d); i >= 0 {
			s.found = append(s.found, foundDoc{i, d.grade, d.subtopics})
		}
	}
	s.named = s.named || len(s.found) > 0
	n := len(q.Scores)
	if depth > 0 {
		n = min(n, depth)
	}
	s.ranking.Reset()
	s.ranking.Judged = append(s.ranking.Judged, t.judged...)
	s.ranking.Grades = slices.Grow(s.ranking.Grades, n)[:n]
	for i := range s.ranking.Grades {
		s.ranking.Grades[i] = retrieval.Unjudged
	}
	if s.ranking.Labelled = t.labelled; t.labelled != nil {
		s.ranking.Subtopics = make([][]string, n)
	}
	if len(s.found) > fewFound {
		places := make([]int, len(q.Scores))
		for place, i := range q.Order() {
			places[i] = place
		}
		s.place(n, func(i int) int { return places[i] })
		return nil
	}
	s.place(n, func(i int) int { return countBefore(q, i) })
	return nil
}

// place writes the grades of the judged results at their ranks.
func (s *scorer) place(n int, at func(index int) int) {
	for _, f := range s.found {
		if p := at(f.index); p < n {
			s.ranking.Grades[p] = f.grade
			if f.subtopics != nil {
				s.ranking.Subtopics[p] = f.subtopics
			}
		}
	}
}

// countBefore counts the results that rank above result i.
func countBefore(q *trec.Query, i int) int {
	n, score := 0, q.Scores[i]
	for j, other := range q.Scores {
		if other > score || other == score && q.Before(j, i) {
			n++
		}
	}
	return n
}

// index inserts the results into the hash table. If two results are the same
// document, it returns their indexes, else 0, 0.
func (s *scorer) index(q *trec.Query, seed maphash.Seed) (first, second int) {
	size := 16
	for size < 2*len(q.Documents) {
		size *= 2
	}
	s.slots = slices.Grow(s.slots[:0], size)[:size]
	clear(s.slots)
	s.hashes = s.hashes[:0]
	mask := uint64(size - 1)
	for i, doc := range q.Documents {
		h := maphash.Bytes(seed, doc)
		s.hashes = append(s.hashes, h)
		at := h & mask
		for ; s.slots[at] != 0; at = (at + 1) & mask {
			j := int(s.slots[at] - 1)
			if s.hashes[j] == h && string(q.Documents[j]) == string(doc) {
				return j, i
			}
		}
		s.slots[at] = int32(i + 1)
	}
	return 0, 0
}

// find returns the index of the result for the judged document, or −1.
func (s *scorer) find(q *trec.Query, d judgment) int {
	mask := uint64(len(s.slots) - 1)
	for at := d.hash & mask; s.slots[at] != 0; at = (at + 1) & mask {
		i := int(s.slots[at] - 1)
		if s.hashes[i] == d.hash && string(q.Documents[i]) == d.doc {
			return i
		}
	}
	return -1
}
