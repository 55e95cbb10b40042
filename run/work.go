package run

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/assay-eval/assay"
)

// start sets the workers going: Concurrency askers, Scorers scorers. The channel
// that it returns closes when all of them have ended, which they do when every
// case is through or ctx is done; it must be drained. abort ends ctx.
func (e *engine) start(ctx context.Context, abort func()) <-chan assay.Record {
	// An asker hands over its response and goes on: the target is not to wait
	// for the scoring.
	answered := make(chan assay.Record, e.cfg.Concurrency)
	// A batch fills while the one before it is being made durable.
	done := make(chan assay.Record, maxBatch)

	// patience ends with a stop as well as with an abort: whoever waits to
	// begin something new waits under it.
	patience, hurry := context.WithCancel(ctx)
	var watching, asking, scoring sync.WaitGroup
	watching.Go(func() {
		select {
		case <-e.cfg.Stop:
			hurry()
		case <-e.end.reached:
			hurry()
		case <-patience.Done():
		}
	})
	var next atomic.Int64
	for range min(e.cfg.Concurrency, len(e.todo)) {
		asking.Go(func() {
			for !e.stopped() && patience.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(e.todo) {
					return
				}
				rec, ok := e.ask(ctx, patience, e.todo[i])
				if !ok {
					continue
				}
				if e.gate.tell(rec) {
					abort()
				}
				answered <- rec
			}
		})
	}
	for range min(e.cfg.scorers(), len(e.todo)) {
		scoring.Go(func() {
			for rec := range answered {
				if !e.score(ctx, &rec) {
					continue
				}
				ready, err := e.proof.admit(rec)
				e.end.reach(err)
				for _, r := range ready {
					done <- r
				}
			}
		})
	}
	go func() {
		asking.Wait()
		hurry()
		watching.Wait()
		close(answered)
		scoring.Wait()
		if ctx.Err() == nil && !e.interrupted() {
			e.end.reach(e.proof.finish())
		}
		close(done)
	}()
	return done
}
