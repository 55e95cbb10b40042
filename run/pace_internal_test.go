package run

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A timetable gives times one after the other.
type timetable struct {
	mu    sync.Mutex
	next  time.Time
	taken int
}

func (s *timetable) Pace(_ context.Context, _ string, between time.Duration, n int) (time.Duration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken++
	now := time.Now()
	if s.next.Before(now) {
		s.next = now
	}
	after := s.next.Sub(now)
	s.next = s.next.Add(time.Duration(n) * between)
	return after, nil
}

// Processes that share a schedule call at its rate together, also after a pause, and take times
// in blocks.
func TestSharedPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cfg := Defaults()
		cfg.Now, cfg.Sleep = time.Now, func(_ context.Context, d time.Duration) error { time.Sleep(d); return nil }
		times := &timetable{}
		paces := []Pace{SharedPace(times, "r", 20), SharedPace(times, "r", 20)}
		var mu sync.Mutex
		var called []time.Time
		for round := range 2 {
			var wg sync.WaitGroup
			for i := range 8 {
				wg.Go(func() {
					for range 10 {
						if err := paces[i%2].await(t.Context(), &cfg); err != nil {
							t.Error(err)
						}
						mu.Lock()
						called = append(called, time.Now())
						mu.Unlock()
					}
				})
			}
			wg.Wait()
			if round == 0 {
				time.Sleep(time.Minute)
			}
		}
		slices.SortFunc(called, time.Time.Compare)
		// One second has 20 times; each process may use times up to 50 ms late.
		for i := range len(called) - 24 {
			if d := called[i+24].Sub(called[i]); d < time.Second {
				t.Fatalf("25 calls in %v at 20 a second", d)
			}
		}
		if d := called[79].Sub(called[0]); d > 5*time.Second {
			t.Errorf("80 calls at 20 a second took %v", d)
		}
		if times.taken > len(called)/4 {
			t.Errorf("%d calls took times %d times", len(called), times.taken)
		}
	})
}
