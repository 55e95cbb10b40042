package run

import (
	"context"

	"golang.org/x/time/rate"
)

// A Pace limits the rate of calls to the target. Engines that share one keep to it together.
type Pace struct{ limit *rate.Limiter }

// NewPace allows perSecond calls per second; 0 is unlimited.
func NewPace(perSecond float64) Pace {
	if perSecond <= 0 {
		return Pace{}
	}
	// One at a time, because the limit must prevent bursts.
	return Pace{rate.NewLimiter(rate.Limit(perSecond), 1)}
}

// await waits until the next call is allowed. The error is that of ctx.
func (p Pace) await(ctx context.Context, cfg *Config) error {
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
		return *c.Pace
	}
	return NewPace(c.Rate)
}
