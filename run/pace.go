package run

import (
	"context"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// A Pace limits the rate of calls to the target. Engines that share one keep to it together.
type Pace interface {
	// await waits until the next call is allowed. The error is that of ctx, or of a schedule.
	await(ctx context.Context, cfg *Config) error
}

// NewPace allows perSecond calls per second; 0 is unlimited.
func NewPace(perSecond float64) Pace {
	if perSecond <= 0 {
		return pace{}
	}
	// One at a time, because the limit must prevent bursts.
	return pace{rate.NewLimiter(rate.Limit(perSecond), 1)}
}

type pace struct{ limit *rate.Limiter }

func (p pace) await(ctx context.Context, cfg *Config) error {
	if p.limit == nil {
		return nil
	}
	now := cfg.Now()
	if d := p.limit.ReserveN(now, 1).DelayFrom(now); d > 0 {
		return cfg.Sleep(ctx, d)
	}
	return nil
}

func (c *Config) pace() Pace {
	if c.Pace != nil {
		return c.Pace
	}
	return NewPace(c.Rate)
}

// A Schedule has the times at which the processes that share a run may call its target.
type Schedule interface {
	// Pace takes the next n times of a run, which are the given duration apart, and returns how
	// long it is until the first.
	Pace(ctx context.Context, run string, between time.Duration, n int) (after time.Duration, err error)
}

// scheduled is a pace that processes keep together. It takes the times of a quarter of a second at
// once.
type scheduled struct {
	schedule Schedule
	run      string
	between  time.Duration
	block    int

	mu sync.Mutex
	// next is the first of left times.
	next time.Time
	left int
}

// latest is how long after its time a call may begin.
const latest = 50 * time.Millisecond

// SharedPace allows perSecond calls per second, which must be above 0, to the processes that
// share a run.
func SharedPace(s Schedule, run string, perSecond float64) Pace {
	return &scheduled{schedule: s, run: run, between: time.Duration(float64(time.Second) / perSecond), block: int(math.Ceil(perSecond / 4))}
}

func (p *scheduled) await(ctx context.Context, cfg *Config) error {
	d, err := p.take(ctx, cfg)
	if err == nil && d > 0 {
		err = cfg.Sleep(ctx, d)
	}
	return err
}

// take takes the next time, and returns how long it is until then.
func (p *scheduled) take(ctx context.Context, cfg *Config) (time.Duration, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := cfg.Now()
	// Times that passed unused would make a burst.
	for p.left > 0 && now.Sub(p.next) > max(p.between, latest) {
		p.next, p.left = p.next.Add(p.between), p.left-1
	}
	if p.left == 0 {
		after, err := p.schedule.Pace(ctx, p.run, p.between, p.block)
		if err != nil {
			return 0, err
		}
		now = cfg.Now()
		p.next, p.left = now.Add(after), p.block
	}
	d := p.next.Sub(now)
	p.next, p.left = p.next.Add(p.between), p.left-1
	return d, nil
}
