package store

import "sync"

// A queue collects what wants to be stored during the commit in progress. The next commit
// stores it all, since each commit waits for the disk.
type queue[T any] struct {
	mu      sync.Mutex
	waiting []*putting[T]

	// commit is held by the goroutine that commits. It guards the results of those whose
	// values it commits.
	commit sync.Mutex
}

// A putting is a value in a queue, and the result of its commit.
type putting[T any] struct {
	value T
	done  bool
	err   error
}

// put stores a value together with those of concurrent callers and returns its error.
// commit, which only one of them calls, stores the values and sets their errors.
func (q *queue[T]) put(value T, commit func([]*putting[T])) error {
	p := &putting[T]{value: value}
	q.mu.Lock()
	q.waiting = append(q.waiting, p)
	q.mu.Unlock()
	q.commit.Lock()
	defer q.commit.Unlock()
	if p.done {
		return p.err
	}
	q.mu.Lock()
	batch := q.waiting
	q.waiting = nil
	q.mu.Unlock()
	commit(batch)
	for _, p := range batch {
		p.done = true
	}
	return p.err
}
