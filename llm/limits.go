package llm

import "sync"

// Limits holds the limits of providers that all clients of a process share, so that ten
// evaluations at once send a provider no more than one does. The zero value is ready to
// use. It is safe for concurrent use.
type Limits struct {
	mu sync.Mutex
	of map[string]*limits
}

// limits are those of one provider: calls in flight, and requests and tokens a minute.
type limits struct {
	slots *slots
	rate  *rate
}

func newLimits(cfg *ClientConfig) *limits {
	return &limits{newSlots(cfg.Concurrency), newRate(cfg.RequestsPerMinute, cfg.TokensPerMinute, cfg.Now, cfg.Sleep)}
}

// find returns the limits of a provider. The first client of a provider sets them; one
// that allows more calls in flight raises that limit for all.
func (l *Limits) find(name string, cfg *ClientConfig) *limits {
	if l == nil {
		return newLimits(cfg)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of == nil {
		l.of = map[string]*limits{}
	}
	if l.of[name] == nil {
		l.of[name] = newLimits(cfg)
	}
	l.of[name].slots.raise(cfg.Concurrency)
	return l.of[name]
}
