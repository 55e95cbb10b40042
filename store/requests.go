package store

import (
	"context"
	"errors"
	"sync"
)

// Requests claims requests to models, so that two users of a database in a file do not send the same
// one at the same time and pay twice for its reply. A claim ends with the process. It is safe for
// concurrent use, and implements llm.Claimer.
type Requests struct {
	store *Store
	mu    sync.Mutex
	held  map[string]holder
}

// Requests returns claims of requests; nil if the database is on a server, where a claim would take
// a connection of its own (the limits that processes share there have claims).
func (s *Store) Requests() *Requests {
	if _, file := s.db.(sqliteFile); !file {
		return nil
	}
	return &Requests{store: s, held: map[string]holder{}}
}

// Claim claims the request with a key and reports whether nobody else has it.
func (r *Requests) Claim(ctx context.Context, key string) (bool, error) {
	h, err := r.store.hold(ctx, "request "+key)
	switch {
	case errors.Is(err, ErrLocked):
		return false, nil
	case err != nil:
		return false, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held[key] = h
	return true, nil
}

// Unclaim ends a claim.
func (r *Requests) Unclaim(key string) {
	r.mu.Lock()
	h := r.held[key]
	delete(r.held, key)
	r.mu.Unlock()
	if h != nil {
		// What fails is the removal of the file: the lock itself has ended.
		_ = h.release()
	}
}
