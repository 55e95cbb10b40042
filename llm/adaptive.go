package llm

import (
	"context"
	"sync"
	"time"
)

// slots limits the calls in flight. The limit adapts to the provider, between 1 and
// most: it is halved when the provider reports overload, and raised by one after as
// many successes as the limit (additive increase, multiplicative decrease, as in TCP).
// The client does not know the remaining capacity, and clients that adapt in this way
// share it fairly. Waiting calls are served in order of arrival.
type slots struct {
	most float64

	mu    sync.Mutex
	limit float64
	busy  int
	// round counts the halvings. An overload of a call that began before the last
	// halving does not halve the limit again.
	round int
	queue []chan struct{}
	// lost counts the calls given up since the last success.
	lost int
	// until is the time before which no call may begin, at the provider's request.
	until time.Time
}

func newSlots(most int) *slots { return &slots{most: float64(most), limit: float64(most)} }

// raise raises the maximum to most, if that is more.
func (s *slots) raise(most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if more := float64(most) - s.most; more > 0 {
		s.most += more
		s.limit += more
		s.admit()
	}
}

// acquire waits for a slot, which release returns. The caller passes round to
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
	// The slot was granted at the same moment; pass it on.
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

// admit grants free slots to waiting calls. The caller holds the lock.
func (s *slots) admit() {
	for len(s.queue) > 0 && s.busy < int(s.limit) {
		s.busy++
		close(s.queue[0])
		s.queue = s.queue[1:]
	}
}

// succeeded raises the limit by 1/limit.
func (s *slots) succeeded() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost = 0
	s.limit = min(s.most, s.limit+1/s.limit)
	s.admit()
}

// gaveUp records a call that was given up. It returns how many calls in a row were
// given up, and whether that counts as an outage: at least as many as the maximum
// concurrency, and at least 10.
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

// held returns how long no call may begin.
func (s *slots) held(now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.until.Sub(now)
}
