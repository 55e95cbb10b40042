package trec

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// Gather reads a run whose queries need not be grouped, with the given number of workers
// (at least 1), and then visits the queries, which begin in the order of their first
// lines. It holds the whole run in memory: a result takes about 12 bytes and its document.
// Of several errors it returns that of the lowest line, or of the first query that the
// visitor rejects. [Query.Offset] and [Query.Size] are not set.
func Gather(r io.Reader, name string, workers int, visit Visitor) (Info, error) {
	parts := make([]gathering, max(workers, 1))
	s := &scan{name: name, visit: func(worker int, q *Query) error {
		parts[worker].add(q)
		return nil
	}}
	info, err := s.read(r, len(parts))
	if err != nil {
		return Info{}, err
	}
	queries := merged(parts)
	info.Queries = len(queries)
	var next atomic.Int64
	var failing sync.Mutex
	failed, failure := len(queries), error(nil)
	var wg sync.WaitGroup
	for w := range parts {
		wg.Go(func() {
			var q Query
			for {
				// Queries are taken in order, so every one before a failed one is visited.
				i := int(next.Add(1)) - 1
				if i >= len(queries) {
					return
				}
				queries[i].restore(&q)
				if err := visit(w, &q); err != nil {
					next.Store(int64(len(queries)))
					failing.Lock()
					if i < failed {
						failed, failure = i, err
					}
					failing.Unlock()
					return
				}
			}
		})
	}
	wg.Wait()
	if failure != nil {
		return Info{}, failure
	}
	return info, nil
}

// A gathering holds what one worker has read.
type gathering struct {
	index map[string]*gathered
	all   []*gathered
	// slab is the rest of the memory that chunks are cut from.
	slab []byte
}

// A gathered query is a part of a query: the results that one worker has read, packed into
// chunks, in the order of their lines. A result is the distance to the line before, the
// score, the length of the document, and the document.
type gathered struct {
	id          string
	first, last int
	tag         []byte
	chunks      [][]byte
}

const (
	slabSize = 1 << 20
	// leastChunk and mostChunk bound the size of chunks: large ones leave more unused,
	// small ones are many.
	leastChunk, mostChunk = 128, 4096
)

func (g *gathering) add(q *Query) {
	to := g.index[string(q.ID)]
	if to == nil {
		if g.index == nil {
			g.index = map[string]*gathered{}
		}
		to = &gathered{id: string(q.ID), first: q.Lines[0]}
		g.index[to.id] = to
		g.all = append(g.all, to)
	}
	for i, document := range q.Documents {
		need := 2*binary.MaxVarintLen64 + 8 + len(document)
		n := len(to.chunks)
		if n == 0 || cap(to.chunks[n-1])-len(to.chunks[n-1]) < need {
			to.chunks = append(to.chunks, g.chunk(max(need, min(leastChunk<<min(n, 16), mostChunk))))
			n++
		}
		c := binary.AppendUvarint(to.chunks[n-1], uint64(q.Lines[i]-to.last))
		c = binary.LittleEndian.AppendUint64(c, math.Float64bits(q.Scores[i]))
		c = binary.AppendUvarint(c, uint64(len(document)))
		to.chunks[n-1] = append(c, document...)
		to.last = q.Lines[i]
	}
	if !bytes.Equal(to.tag, q.Tag) {
		to.tag = bytes.Clone(q.Tag)
	}
}

// chunk returns an empty chunk with room for n bytes.
func (g *gathering) chunk(n int) []byte {
	if n > slabSize/8 {
		return make([]byte, 0, n)
	}
	if len(g.slab) < n {
		g.slab = make([]byte, slabSize)
	}
	c := g.slab[:0:n]
	g.slab = g.slab[n:]
	return c
}

// A whole query is what all workers have read of it.
type whole []*gathered

// merged puts the parts of queries together, in the order of their first lines.
func merged(parts []gathering) []whole {
	var out []whole
	at := map[string]int{}
	for _, p := range parts {
		for _, g := range p.all {
			i, known := at[g.id]
			if !known {
				i = len(out)
				at[g.id] = i
				out = append(out, nil)
			}
			out[i] = append(out[i], g)
		}
	}
	slices.SortFunc(out, func(a, b whole) int { return a.first() - b.first() })
	return out
}

func (w whole) first() int {
	first := w[0].first
	for _, g := range w[1:] {
		first = min(first, g.first)
	}
	return first
}

// restore writes the query into q, in the order of its lines.
func (w whole) restore(q *Query) {
	q.reset()
	q.ID = []byte(w[0].id)
	last := 0
	parts := make([]cursor, 0, len(w))
	for _, g := range w {
		if g.last > last {
			last, q.Tag = g.last, g.tag
		}
		c := cursor{chunks: g.chunks}
		c.next()
		parts = append(parts, c)
	}
	for len(parts) > 0 {
		at := 0
		for i := range parts {
			if parts[i].line < parts[at].line {
				at = i
			}
		}
		c := &parts[at]
		q.Documents, q.Scores, q.Lines = append(q.Documents, c.document), append(q.Scores, c.score), append(q.Lines, c.line)
		if !c.next() {
			parts = slices.Delete(parts, at, at+1)
		}
	}
}

// A cursor goes through the results of a gathered query.
type cursor struct {
	chunks   [][]byte
	rest     []byte
	line     int
	score    float64
	document []byte
}

// next goes to the next result, and reports whether there is one.
func (c *cursor) next() bool {
	for len(c.rest) == 0 {
		if len(c.chunks) == 0 {
			return false
		}
		c.rest, c.chunks = c.chunks[0], c.chunks[1:]
	}
	distance, n := binary.Uvarint(c.rest)
	c.line += int(distance)
	c.score = math.Float64frombits(binary.LittleEndian.Uint64(c.rest[n:]))
	length, m := binary.Uvarint(c.rest[n+8:])
	from := n + 8 + m
	c.document, c.rest = c.rest[from:from+int(length)], c.rest[from+int(length):]
	return true
}
