package run

import (
	"context"
	"sync"

	"github.com/assay-eval/assay"
)

// start sets the workers going: one feeder, Concurrency askers, Scorers
// scorers. The channel that it returns closes when all of them have ended,
// which they do when every case is through or ctx is done; it must be drained.
// abort ends ctx.
func (e *engine) start(ctx context.Context, abort func()) <-chan assay.Record {
	cases := make(chan int)
	answered := make(chan assay.Record)
	// A batch fills while the one before it is being made durable.
	done := make(chan assay.Record, maxBatch)

	// patience ends with a stop as well as with an abort: whoever waits to
	// begin something new waits under it.
	patience, hurry := context.WithCancel(ctx)
	var feeding, asking, scoring sync.WaitGroup
	feeding.Go(func() {
		select {
		case <-e.cfg.Stop:
			hurry()
		case <-e.end.reached:
			hurry()
		case <-patience.Done():
		}
	})
	feeding.Go(func() {
		defer close(cases)
		for _, seq := range e.todo {
			// A select alone would choose at random between a case and a
			// stop that came before it.
			if e.stopped() || patience.Err() != nil {
				return
			}
			select {
			case cases <- seq:
			case <-patience.Done():
				return
			}
		}
	})
	for range min(e.cfg.Concurrency, len(e.todo)) {
		asking.Go(func() {
			for seq := range cases {
				rec, ok := e.ask(ctx, patience, seq)
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
		feeding.Wait()
		close(answered)
		scoring.Wait()
		if ctx.Err() == nil && !e.interrupted() {
			e.end.reach(e.proof.finish())
		}
		close(done)
	}()
	return done
}
