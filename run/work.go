package run

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/assay-eval/assay"
)

// start starts the workers: Concurrency askers and Scorers scorers. The returned
// channel must be drained. It closes when all workers have ended, because every
// case is finished or ctx is done. abort cancels ctx.
func (e *engine) start(ctx context.Context, abort func()) <-chan assay.Record {
	// An asker hands its response over and continues, so that scoring does not
	// delay the target.
	answered := make(chan assay.Record, e.cfg.Concurrency)
	// A batch fills while the previous one is being stored.
	done := make(chan assay.Record, maxBatch)

	// startCtx ends with a stop as well as with an abort. Everything that waits
	// to start something new waits under it.
	startCtx, stopStarting := context.WithCancel(ctx)
	var watching, asking, scoring sync.WaitGroup
	watching.Go(func() {
		select {
		case <-e.cfg.Stop:
			stopStarting()
		case <-e.end.reached:
			stopStarting()
		case <-startCtx.Done():
		}
	})
	var next atomic.Int64
	for range min(e.cfg.Concurrency, len(e.todo)) {
		asking.Go(func() {
			for !e.stopped() && startCtx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(e.todo) {
					return
				}
				if rec, ok := e.answered[e.todo[i]]; ok {
					answered <- rec
					continue
				}
				rec, ok := e.ask(ctx, startCtx, e.todo[i])
				if !ok {
					continue
				}
				if e.gate.tell(rec) {
					abort()
				}
				if e.keep(ctx, &rec) {
					answered <- rec
				}
			}
		})
	}
	for range min(e.cfg.scorers(), len(e.todo)) {
		scoring.Go(func() {
			for rec := range answered {
				if !e.score(ctx, &rec) {
					continue
				}
				rec, err := e.hidden(rec)
				if err != nil { // a record can be encoded
					e.end.now(err)
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
		stopStarting()
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
