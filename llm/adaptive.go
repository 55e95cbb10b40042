package llm

import (
	"context"
	"sync"
	"time"
)

// slots bounds the calls in flight by a limit that follows the provider:
// halved when it says that it is overloaded, raised by one after as many
// successes as the limit, between 1 and most. That is what TCP does, for the
// same reason: the client does not know what capacity is left, and many clients that
// do so share it fairly. Waiting calls are served in order of arrival.
type slots struct {
	most float64

	mu    sync.Mutex
	limit float64
	busy  int
	// round counts the halvings. A call that began before the last one says
	// nothing about the limit that holds since.
	round int
	queue []chan struct{}
	// lost counts the calls that were given up since one had a reply.
	lost int
	// until is the time before which the provider wants no call.
	until time.Time
}

func newSlots(most int) *slots { return &slots{most: float64(most), limit: float64(most)} }

// acquire waits for a slot, which release gives back. round is to be handed to
// overloaded.
func (s *slots) acquire(ctx context.Context) (round int, err error) {
	s.mu.Lock()
	if s.busy < int(s.limit) && len(s.queue) == 0 {
		s.busy++
		defer s.mu.Unlock()
		return s.round, nil
	}
	turn := make(chan struct{})
	s.queue = append(s.queue, turn)
	s.mu.Unlock()
	select {
	case <-turn:
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.round, nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, c := range s.queue {
		if c == turn {
			s.queue = append(s.queue[:i], s.queue[i+1:]...)
			return 0, context.Cause(ctx)
		}
	}
	// The slot came at the same moment; somebody else can use it.
	s.busy--
	s.admit()
	return 0, context.Cause(ctx)
}

func (s *slots) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy--
	s.admit()
}

// admit hands free slots to those that wait. The caller holds the lock.
func (s *slots) admit() {
	for len(s.queue) > 0 && s.busy < int(s.limit) {
		s.busy++
		close(s.queue[0])
		s.queue = s.queue[1:]
	}
}

// succeeded raises the limit a little.
func (s *slots) succeeded() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost = 0
	s.limit = min(s.most, s.limit+1/s.limit)
	s.admit()
}

// gaveUp hears of a call that was given up, and tells how many were in a row and
// whether that is an outage: more than one call may fail, but hardly as many as
// are made at once.
func (s *slots) gaveUp() (row int, outage bool) {
	const least = 10
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost++
	return s.lost, s.lost >= max(least, int(s.most))
}

// overloaded halves the limit, once for all calls that were in flight together,
// and holds every call back until the given time.
func (s *slots) overloaded(round int, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if until.After(s.until) {
		s.until = until
	}
	if round == s.round {
		s.round++
		s.limit = max(1, s.limit/2)
	}
}

// held is how long no call may begin.
func (s *slots) held(now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.until.Sub(now)
}
