package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/backoff"
	"github.com/assay-eval/assay/llm"
)

// grace is how long a call may take to return after its context is done. A target
// that honours its context needs microseconds; one that does not is abandoned.
const grace = time.Second

// ask asks the target one case, with retries. If the run ends first, ok is false
// and there is no record. A response that arrives while the run is ending is
// kept.
func (e *engine) ask(ctx, startCtx context.Context, seq int) (rec assay.Record, ok bool) {
	cfg := e.cfg
	rec = assay.Record{Seq: seq, Case: cfg.Cases.At(seq)}
	once := llm.CountOnce(ctx)
	for {
		if e.pace.await(startCtx, cfg) != nil || startCtx.Err() != nil {
			return rec, false
		}
		start := cfg.Now()
		if rec.Attempts++; rec.Attempts == 1 {
			rec.Started = start.UTC().Round(0)
		}
		// The target receives a copy, so a target that modifies its case cannot
		// affect scoring. All draws of a case have the same id for the target.
		c := cfg.Cases.At(seq)
		c.ID = c.Base()
		resp, fail := e.call(once, &c)
		if fail == nil {
			rec.Response = &resp
			rec.Slow = cfg.SlowThreshold > 0 && resp.Latency > cfg.SlowThreshold
			return rec, true
		}
		if ctx.Err() != nil {
			return rec, false
		}
		if fail.final != nil {
			e.end.now(fail.final)
			return rec, false
		}
		if fail.after > cfg.MaxWait {
			fail.retry = false
			fail.Message += fmt.Sprintf(" (not retried: the target requests a wait of %v; at most %v is allowed)", fail.after, cfg.MaxWait)
		}
		rec.Tries = append(rec.Tries, assay.Try{Failure: fail.Failure, Latency: cfg.Now().Sub(start), Usage: resp.Usage})
		if !fail.retry || rec.Attempts > cfg.Retries || fail.most > 0 && failedSo(rec.Tries, fail.Kind) >= fail.most {
			rec.Failure = &fail.Failure
			return rec, true
		}
		wait := cfg.wait(seq, rec.Attempts, fail.after)
		rec.Tries[len(rec.Tries)-1].Wait = wait
		if cfg.Sleep(startCtx, wait) != nil || startCtx.Err() != nil {
			return rec, false
		}
	}
}

// failedSo counts the failed attempts of a kind.
func failedSo(tries []assay.Try, kind string) int {
	n := 0
	for _, t := range tries {
		if t.Kind == kind {
			n++
		}
	}
	return n
}

// wait returns the time to wait after the given attempt, counted from 1: 1, 2, 4
// s and so on, or always 1 s, each changed by up to a quarter; or the time that
// the target requests, if that is longer.
func (c *Config) wait(seq, attempt int, after time.Duration) time.Duration {
	nominal := backoff.First
	if c.Backoff == Exponential {
		nominal = backoff.Doubled(attempt)
	}
	return backoff.Jittered(nominal, after, c.Seed, uint64(seq), attempt)
}

// A selfTimed target reports the latency of its responses itself, such as one
// that replays recorded answers. The engine then measures none, and a latency of
// 0 means unknown.
type selfTimed interface{ ReportsLatency() bool }

type outcome struct {
	resp assay.Response
	err  error
}

// call asks the target once, within the timeout.
func (e *engine) call(ctx context.Context, c *assay.Case) (assay.Response, *failure) {
	cancel := context.CancelFunc(func() {})
	if e.cfg.Timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, e.cfg.Timeout)
	}
	defer cancel()

	start := e.cfg.Now()
	// A separate goroutine, so that a target that panics, exits or hangs does not
	// take the worker with it.
	out := make(chan outcome, 1)
	go func() {
		o := outcome{err: &crash{value: "the target ended its goroutine (runtime.Goexit) instead of returning"}}
		defer func() {
			if v := recover(); v != nil {
				o.err = &crash{v, trace()}
			}
			out <- o
		}()
		o.resp, o.err = e.cfg.Target.Ask(ctx, c)
	}()
	o, inTime := await(ctx, out)
	if o.err == nil && !inTime {
		o.err = context.DeadlineExceeded
	}
	if o.err != nil {
		return assay.Response{Usage: o.resp.Usage}, e.classify(ctx, o.err)
	}
	if t, ok := e.cfg.Target.(selfTimed); o.resp.Latency == 0 && !(ok && t.ReportsLatency()) {
		o.resp.Latency = e.cfg.Now().Sub(start)
	}
	return clean(o.resp), nil
}

// await waits for an outcome until ctx is done and the grace period is over.
// inTime is false if the outcome arrived in the grace period, or not at all.
func await(ctx context.Context, out <-chan outcome) (o outcome, inTime bool) {
	select {
	case o = <-out:
		return o, true
	case <-ctx.Done():
	}
	select {
	case o = <-out: // both were ready, and select chose ctx.Done
		return o, true
	default:
	}
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case o = <-out:
		// An abort is not a time limit that the response could have missed.
		return o, errors.Is(ctx.Err(), context.Canceled)
	case <-t.C:
		return outcome{err: ctx.Err()}, false
	}
}
