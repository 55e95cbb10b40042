package run

import (
	"context"

	"golang.org/x/time/rate"
)

// A pace limits the rate of calls to the target across all workers.
type pace struct{ limit *rate.Limiter }

// newPace allows perSecond calls per second; 0 is unlimited.
func newPace(perSecond float64) pace {
	if perSecond <= 0 {
		return pace{}
	}
	// One at a time, because the limit must prevent bursts.
	return pace{rate.NewLimiter(rate.Limit(perSecond), 1)}
}

// await waits until the next call is allowed. The error is that of ctx.
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
