// Package backoff says how long to wait between attempts, and waits.
package backoff

import (
	"context"
	"math/rand/v2"
	"time"
)

// First is the wait before the first retry.
const First = time.Second

// jitter is how far a wait may differ from its nominal length, so that calls
// which failed together do not return together.
const jitter = 0.25

// Doubled is the nominal wait after the given attempt, counted from 1: 1, 2,
// 4 s and so on, up to twelve days.
func Doubled(attempt int) time.Duration { return First << min(max(attempt, 1)-1, 20) }

// Jittered makes a nominal wait longer or shorter by up to a quarter; or is what
// was asked for, when that is longer, and up to a quarter of the nominal wait
// more, never less. The stream and the attempt choose the draw, so that what one
// call draws does not depend on others.
func Jittered(nominal, asked time.Duration, seed, stream uint64, attempt int) time.Duration {
	r := rand.New(rand.NewPCG(seed, stream<<16|uint64(attempt&0xffff)))
	spread := time.Duration(float64(nominal) * jitter * (2*r.Float64() - 1))
	if asked > nominal {
		return asked + max(spread, -spread)
	}
	return nominal + spread
}

// Sleep waits for d, or until ctx is done, and then returns its error.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
