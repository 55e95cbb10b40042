package llm_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
)

// TestACallerStops stops one of two callers of a client: its waits end and its further
// requests are not sent, while the ledger still answers, and the other caller goes on.
func TestACallerStops(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "p", f: func(ctx context.Context, n int, r llm.Request) (llm.Reply, error) {
			if r.Messages[len(r.Messages)-1].Text == "busy" {
				return llm.Reply{}, &llm.Error{Kind: llm.KindServer, Status: 500, Message: "busy"}
			}
			return echo(ctx, n, r)
		}}
		c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Ledger = &memory{calls: map[string]assay.Call{}} })
		stop := make(chan struct{})
		var paid atomic.Int64
		stopping := llm.WithCaller(t.Context(), &llm.Caller{Run: "a", Stop: stop, Paid: func(int64) { paid.Add(1) }})
		other := llm.WithCaller(t.Context(), &llm.Caller{Run: "b"})
		if _, err := c.Complete(stopping, ask("kept")); err != nil || paid.Load() != 1 {
			t.Fatalf("%v, %d replies paid: want one", err, paid.Load())
		}
		time.AfterFunc(300*time.Millisecond, func() { close(stop) })
		begin := time.Now()
		if _, err := c.Complete(stopping, ask("busy")); !errors.Is(err, llm.ErrStopped) || time.Since(begin) != 300*time.Millisecond {
			t.Errorf("%v after %v: want that the wait ends with the stop", err, time.Since(begin))
		}
		n := p.count()
		if _, err := c.Complete(stopping, ask("new")); !errors.Is(err, llm.ErrStopped) || p.count() != n {
			t.Errorf("%v after %d calls: want no call", err, p.count()-n)
		}
		if r, err := c.Complete(stopping, ask("kept")); err != nil || r.Text != "kept" || paid.Load() != 1 {
			t.Errorf("%+v, %v, %d replies paid: want the kept reply, which costs nothing", r, err, paid.Load())
		}
		if _, err := c.Complete(other, ask("new")); err != nil {
			t.Errorf("the other caller: %v", err)
		}
	})
}

// A reply that a retry takes from the ledger was counted when it was paid for.
func TestCountOnce(t *testing.T) {
	t.Parallel()
	p := &scripted{name: "p", f: echo}
	c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Ledger = &memory{calls: map[string]assay.Call{}} })
	for _, one := range []string{"a case", "another case"} {
		once := llm.CountOnce(t.Context())
		first, err := c.Complete(once, ask("q"))
		again, err2 := c.Complete(once, ask("q"))
		if err != nil || err2 != nil || first.Total() == (assay.Usage{}) || again.Total() != (assay.Usage{}) || again.Text != "q" {
			t.Errorf("%s: %+v, then %+v, %v, %v: want the usage once", one, first, again, err, err2)
		}
	}
}
