package llm

import (
	"context"
	"sync"
	"time"
)

// commonSlots are the calls in flight that this process may have of those that several share.
// A call passes them after the slots of the process, which are as many as all may have.
type commonSlots struct {
	common  Common
	account string
	limit   int
	now     func() time.Time

	mu            sync.Mutex
	granted, busy int
	waiting       int
	// peak is the most that were in flight or waiting of late.
	peak int
	// The last claim was made at the time claimed and wanted so many; short is its reply.
	// claiming is set while a call claims for all.
	wanted   int
	claimed  time.Time
	short    bool
	claiming bool
	// changed is closed, and replaced, when a call ends or a claim is answered.
	changed chan struct{}
}

// slotsAnew is the time after which slots are claimed anew that fit, so that processes that come
// later get some of them.
const slotsAnew = 5 * time.Second

// slotsLate is the time after which a call that waits claims by itself.
const slotsLate = 2 * time.Second

func newCommonSlots(c Common, name string, cfg *ClientConfig) *commonSlots {
	s := &commonSlots{common: c, account: name, limit: cfg.Concurrency, now: cfg.Now, changed: make(chan struct{})}
	// The limits of a provider last as long as the process.
	c.Often(s.tend)
	return s
}

// raise raises the limit to most, if that is more.
func (s *commonSlots) raise(most int) {
	if s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.limit = max(s.limit, most)
	}
}

// acquire waits for a slot, which release returns.
func (s *commonSlots) acquire(ctx context.Context) error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting++
	defer func() { s.waiting-- }()
	for {
		s.peak = max(s.peak, s.busy+s.waiting)
		if !s.common.Valid() {
			s.granted = min(s.granted, s.busy)
		}
		full := s.busy >= s.granted
		// Else tend claims, but a call sees the error of its own claim alone.
		if full && !s.claiming && (s.peak > s.wanted || s.now().Sub(s.claimed) >= slotsLate) {
			if err := s.claim(ctx, s.peak); err != nil {
				return err
			}
			continue
		}
		if !full {
			s.busy++
			return nil
		}
		if err := s.await(ctx); err != nil {
			return err
		}
	}
}

// await waits until a call ends, a claim is answered, or it is time for the next one. The caller
// holds the lock.
func (s *commonSlots) await(ctx context.Context) error {
	changed := s.changed
	s.mu.Unlock()
	defer s.mu.Lock()
	return await(ctx, changed, slotsLate)
}

// claim claims slots for all calls, and a few more for those that come. The caller holds the lock.
func (s *commonSlots) claim(ctx context.Context, calls int) error {
	want := calls
	if want > 0 {
		want = min(s.limit, calls+calls/4+1)
	}
	s.claiming, s.peak, s.wanted = true, 0, max(want, calls)
	c := SlotClaim{Account: s.account, Limit: s.limit, Busy: s.busy, Want: want}
	s.mu.Unlock()
	g, err := s.common.Slots(ctx, c)
	s.mu.Lock()
	s.claiming, s.claimed = false, s.now()
	if err == nil {
		s.granted, s.short = g.Granted, g.Short
	}
	s.wake()
	if err != nil && ctx.Err() == nil {
		return &Error{Kind: KindLedger, Message: "the calls in flight that workers share cannot be reached: " + err.Error(), Err: err}
	}
	return err
}

func (s *commonSlots) release() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy--
	s.wake()
}

// tend claims as many as were used or waited for of late, unless those that were granted fit and
// nobody wants more.
func (s *commonSlots) tend(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	peak := max(s.peak, s.busy+s.waiting)
	s.peak = 0
	fits := peak <= s.granted && 2*peak >= s.granted && !s.short && s.now().Sub(s.claimed) < slotsAnew
	if s.claiming || s.granted == 0 && peak == 0 || fits {
		return
	}
	// A call that needs a slot sees the error.
	_ = s.claim(ctx, peak)
}

// wake has the waiting calls look again. The caller holds the lock.
func (s *commonSlots) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}
