package llm

import (
	"context"
	"sync"
)

// Limits holds the limits of providers that all clients of a process share, so that ten
// evaluations at once send a provider no more than one does. The zero value is ready to
// use. It is safe for concurrent use.
type Limits struct {
	// Common has the limits if several processes share them; else it is nil.
	Common Common

	mu sync.Mutex
	of map[string]*limits
}

// limits are those of one provider: calls in flight, and requests and tokens a minute.
type limits struct {
	slots       *slots
	commonSlots *commonSlots // nil if no other process shares them
	rate        pacer
}

// A pacer limits requests and tokens a minute.
type pacer interface {
	// wait returns when a request of that many tokens may be sent.
	wait(ctx context.Context, tokens int) (*sending, error)
	// used replaces the estimated tokens of a request with the actual ones.
	used(s *sending, tokens int)
}

func newLimits(name string, cfg *ClientConfig) *limits {
	l := &limits{slots: newSlots(cfg.Concurrency)}
	if c := cfg.Limits.common(); c != nil {
		l.commonSlots, l.rate = newCommonSlots(c, name, cfg), newCommonRate(c, name, cfg)
	} else {
		l.rate = newRate(cfg.RequestsPerMinute, cfg.TokensPerMinute, cfg.Now, cfg.Sleep)
	}
	return l
}

// common returns where processes share the limits; nil if they are those of this process.
func (l *Limits) common() Common {
	if l == nil {
		return nil
	}
	return l.Common
}

// find returns the limits of a provider. The first client of a provider sets them; one
// that allows more calls in flight raises that limit for all.
func (l *Limits) find(name string, cfg *ClientConfig) *limits {
	if l == nil {
		return newLimits(name, cfg)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of == nil {
		l.of = map[string]*limits{}
	}
	if l.of[name] == nil {
		l.of[name] = newLimits(name, cfg)
	}
	l.of[name].slots.raise(cfg.Concurrency)
	l.of[name].commonSlots.raise(cfg.Concurrency)
	return l.of[name]
}
