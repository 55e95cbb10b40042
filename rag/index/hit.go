package index

import (
	"cmp"
	"slices"
)

// A Hit is a search result: a passage's ordinal, from 0, and its score. A list of hits
// is best first; ties are ordered by ordinal, so that the same search always gives the
// same list.
type Hit struct {
	Passage int
	Score   float64
}

// better orders hits best first.
func better(a, b Hit) int {
	if c := cmp.Compare(b.Score, a.Score); c != 0 {
		return c
	}
	return cmp.Compare(a.Passage, b.Passage)
}

// A ranked is a hit whose score is in the unit of the search.
type ranked[S uint64 | float32] struct {
	score   S
	passage uint32
}

func (r ranked[S]) worse(o ranked[S]) bool {
	return r.score < o.score || r.score == o.score && r.passage > o.passage
}

// best keeps the k best hits in a heap whose root is the worst.
type best[S uint64 | float32] struct {
	k    int
	heap []ranked[S]
}

func (b *best[S]) reset(k int) { b.k, b.heap = k, b.heap[:0] }

func (b *best[S]) full() bool { return len(b.heap) == b.k }

// offer adds r if it is among the k best so far.
func (b *best[S]) offer(r ranked[S]) {
	if !b.full() {
		b.heap = append(b.heap, r)
		b.up(len(b.heap) - 1)
		return
	}
	if b.heap[0].worse(r) {
		b.heap[0] = r
		b.down(0)
	}
}

func (b *best[S]) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !b.heap[i].worse(b.heap[parent]) {
			return
		}
		b.heap[i], b.heap[parent] = b.heap[parent], b.heap[i]
		i = parent
	}
}

func (b *best[S]) down(i int) {
	h, moved := b.heap, b.heap[i]
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].worse(h[child]) {
			child++
		}
		if !h[child].worse(moved) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = moved
}

// hits empties b and returns its content, best first, with the scores multiplied by
// unit.
func (b *best[S]) hits(unit float64) []Hit {
	slices.SortFunc(b.heap, func(x, y ranked[S]) int {
		if x.worse(y) {
			return 1
		}
		return -1
	})
	out := make([]Hit, len(b.heap))
	for i, r := range b.heap {
		out[i] = Hit{Passage: int(r.passage), Score: float64(r.score) * unit}
	}
	b.heap = b.heap[:0]
	return out
}
