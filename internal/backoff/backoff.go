// Package backoff computes the waits between attempts.
package backoff

import (
	"context"
	"math/rand/v2"
	"time"
)

// First is the wait before the first retry.
const First = time.Second

// jitter is the relative deviation of a wait from its nominal length, so that calls
// that failed together are not retried together.
const jitter = 0.25

// Doubled is the nominal wait after the given attempt, counted from 1: 1, 2,
// 4 s and so on, up to twelve days.
func Doubled(attempt int) time.Duration { return First << min(max(attempt, 1)-1, 20) }

// Jittered varies a nominal wait by up to a quarter. If the server asked for a longer
// wait, that is the minimum, extended by up to a quarter of the nominal wait. stream
// and attempt select the random number, so that the waits of one call do not depend on
// others.
func Jittered(nominal, asked time.Duration, seed, stream uint64, attempt int) time.Duration {
	r := rand.New(rand.NewPCG(seed, stream<<16|uint64(attempt&0xffff)))
	spread := time.Duration(float64(nominal) * jitter * (2*r.Float64() - 1))
	if asked > nominal {
		return asked + max(spread, -spread)
	}
	return nominal + spread
}

// Sleep waits for d, or until ctx is done, and then returns ctx's error.
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
