package run

import (
	"context"

	"golang.org/x/time/rate"
)

// A pace keeps calls to the target apart, across all workers.
type pace struct{ limit *rate.Limiter }

// newPace allows so many calls a second; 0 allows any number.
func newPace(perSecond float64) pace {
	if perSecond <= 0 {
		return pace{}
	}
	// One at a time: a burst is what a limit is there to prevent.
	return pace{rate.NewLimiter(rate.Limit(perSecond), 1)}
}

// await waits for the next call's turn. The error is that of ctx.
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
