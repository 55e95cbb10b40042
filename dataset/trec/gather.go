package trec

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"sync"
	"sync/atomic"
)

// Gather reads a run whose queries need not be grouped, with the given number of workers
// (at least 1), and then visits the queries, which begin in the order of their first
// lines. It holds the whole run in memory. Of several errors it returns that of the lowest
// line, or of the first query that the visitor rejects. [Query.Offset] and [Query.Size] are
// not set.
func Gather(r io.Reader, name string, workers int, visit Visitor) (Info, error) {
	parts := make([]map[string]*Query, max(workers, 1))
	for w := range parts {
		parts[w] = map[string]*Query{}
	}
	s := &scan{name: name, visit: func(worker int, q *Query) error {
		to := parts[worker][string(q.ID)]
		if to == nil {
			to = &Query{ID: bytes.Clone(q.ID)}
			parts[worker][string(q.ID)] = to
		}
		to.Tag = append(to.Tag[:0], q.Tag...)
		to.add(q)
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
			for {
				// Queries are taken in order, so every one before a failed one is visited.
				i := int(next.Add(1)) - 1
				if i >= len(queries) {
					return
				}
				if err := visit(w, queries[i]); err != nil {
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

// add appends the results of other lines of the query, whose documents may change afterwards.
func (q *Query) add(other *Query) {
	kept := bytes.Join(other.Documents, nil)
	for _, document := range other.Documents {
		q.Documents = append(q.Documents, kept[:len(document):len(document)])
		kept = kept[len(document):]
	}
	q.Scores, q.Lines = append(q.Scores, other.Scores...), append(q.Lines, other.Lines...)
}

// merged puts the parts of queries together, in the order of their first lines.
func merged(parts []map[string]*Query) []*Query {
	all := parts[0]
	for _, part := range parts[1:] {
		for id, q := range part {
			to := all[id]
			if to == nil {
				all[id] = q
				continue
			}
			if slices.Max(q.Lines) > slices.Max(to.Lines) {
				to.Tag = q.Tag
			}
			to.add(q)
		}
	}
	out := make([]*Query, 0, len(all))
	for _, q := range all {
		out = append(out, q.inOrder())
	}
	slices.SortFunc(out, func(a, b *Query) int { return a.Lines[0] - b.Lines[0] })
	return out
}

// inOrder returns the query with its results in the order of their lines.
func (q *Query) inOrder() *Query {
	if slices.IsSorted(q.Lines) {
		return q
	}
	order := make([]int, len(q.Lines))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(q.Lines[a], q.Lines[b]) })
	out := &Query{ID: q.ID, Tag: q.Tag}
	for _, i := range order {
		out.Documents, out.Scores, out.Lines = append(out.Documents, q.Documents[i]), append(out.Scores, q.Scores[i]), append(out.Lines, q.Lines[i])
	}
	return out
}
