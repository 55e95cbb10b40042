package trec

import (
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

// A gathering holds what one worker has read. Lines in any order touch the memory of all
// queries in turn, so what every line touches is small and stands together.
type gathering struct {
	index map[string]int32
	all   []gathered
	// full are the full chunks of the queries of all.
	full [][][]byte
	tags []string
	// tagIndex finds a tag in tags.
	tagIndex map[string]int
	// slab is the rest of the memory that chunks are cut from.
	slab []byte
}

// A gathered query is a part of a query: the results that one worker has read, packed into
// chunks, in the order of their lines. A result is the distance to the line before, the
// score, the length of the document, and the document.
type gathered struct {
	// chunk is the chunk that is being filled.
	chunk       []byte
	first, last int
	// tag is the index of the tag of the last line.
	tag int
}

const (
	slabSize = 1 << 20
	// leastChunk and mostChunk bound the size of chunks: large ones leave more unused,
	// small ones are many.
	leastChunk, mostChunk = 128, 4096
)

func (g *gathering) add(q *Query) {
	i, known := g.index[string(q.ID)]
	if !known {
		if g.index == nil {
			g.index = map[string]int32{}
		}
		i = int32(len(g.all))
		g.index[string(q.ID)] = i
		g.all, g.full = append(g.all, gathered{first: q.Lines[0]}), append(g.full, nil)
	}
	to := &g.all[i]
	for r, document := range q.Documents {
		if need := 2*binary.MaxVarintLen64 + 8 + len(document); cap(to.chunk)-len(to.chunk) < need {
			size := leastChunk
			if to.chunk != nil {
				g.full[i] = append(g.full[i], to.chunk)
				size = min(2*cap(to.chunk), mostChunk)
			}
			to.chunk = g.cut(max(need, size))
		}
		c := binary.AppendUvarint(to.chunk, uint64(q.Lines[r]-to.last))
		c = binary.LittleEndian.AppendUint64(c, math.Float64bits(q.Scores[r]))
		c = binary.AppendUvarint(c, uint64(len(document)))
		to.chunk, to.last = append(c, document...), q.Lines[r]
	}
	if to.tag >= len(g.tags) || g.tags[to.tag] != string(q.Tag) {
		tag, known := g.tagIndex[string(q.Tag)]
		if !known {
			if g.tagIndex == nil {
				g.tagIndex = map[string]int{}
			}
			tag = len(g.tags)
			g.tags = append(g.tags, string(q.Tag))
			g.tagIndex[g.tags[tag]] = tag
		}
		to.tag = tag
	}
}

// cut returns an empty chunk with room for n bytes.
func (g *gathering) cut(n int) []byte {
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
type whole struct {
	id          string
	first, last int
	tag         string
	parts       [][][]byte
}

// merged puts the parts of queries together, in the order of their first lines.
func merged(workers []gathering) []*whole {
	var out []*whole
	index := map[string]*whole{}
	for w := range workers {
		g := &workers[w]
		for id, i := range g.index {
			part := &g.all[i]
			q := index[id]
			if q == nil {
				q = &whole{id: id, first: part.first}
				index[id] = q
				out = append(out, q)
			}
			q.first = min(q.first, part.first)
			if part.last > q.last {
				q.last, q.tag = part.last, g.tags[part.tag]
			}
			q.parts = append(q.parts, append(g.full[i], part.chunk))
		}
	}
	slices.SortFunc(out, func(a, b *whole) int { return a.first - b.first })
	return out
}

// restore writes the query into q, in the order of its lines.
func (w *whole) restore(q *Query) {
	q.reset()
	q.ID, q.Tag = []byte(w.id), []byte(w.tag)
	parts := make([]cursor, 0, len(w.parts))
	for _, chunks := range w.parts {
		c := cursor{chunks: chunks}
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
