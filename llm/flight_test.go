package llm_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assay-eval/assay/llm"
)

// Inside of a synctest bubble every goroutine must have ended when the test
// does, so these tests show as well that none is left behind.

func TestFlightOnce(t *testing.T) {
	t.Parallel()
	for name, ledger := range map[string]llm.Ledger{"with": &memory{}, "without": nil} {
		synctest.Test(t, func(t *testing.T) {
			p := &scripted{name: "fake", f: func(ctx context.Context, n int, r llm.Request) (llm.Reply, error) {
				time.Sleep(time.Second)
				return echo(ctx, n, r)
			}}
			c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Ledger = ledger })
			var wg sync.WaitGroup
			for i := range 60 {
				wg.Go(func() {
					text := string(rune('a' + i%3))
					if r := must(t, c, ask(text)); r.Text != text {
						t.Errorf("%q was answered with %q", text, r.Text)
					}
				})
			}
			wg.Wait()
			if p.count() != 3 {
				t.Errorf("%s a ledger: %d calls for 3 questions", name, p.count())
			}
		})
	}
}

// Nobody shares the end of another's patience: when the one who asks is
// stopped, the next one asks.
func TestFlightLeaderCancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "fake", f: func(ctx context.Context, n int, r llm.Request) (llm.Reply, error) {
			select {
			case <-time.After(10 * time.Second):
				return echo(ctx, n, r)
			case <-ctx.Done():
				return llm.Reply{}, ctx.Err()
			}
		}}
		c := client(t, p, nil)
		ctx, cancel := context.WithCancelCause(t.Context())
		enough := errors.New("enough")
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := c.Complete(ctx, ask("a")); !errors.Is(err, enough) {
				t.Errorf("the leader got %v, want the cause of its own end", err)
			}
		})
		synctest.Wait()
		for range 5 {
			wg.Go(func() {
				if r := must(t, c, ask("a")); r.Text != "a" {
					t.Errorf("got %+v", r)
				}
			})
		}
		// One that waits may leave as well.
		impatient, leave := context.WithTimeout(t.Context(), time.Second)
		defer leave()
		wg.Go(func() {
			if _, err := c.Complete(impatient, ask("a")); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the impatient one got %v", err)
			}
		})
		time.Sleep(3 * time.Second)
		cancel(enough)
		wg.Wait()
		if p.count() != 2 {
			t.Errorf("%d calls, want that of the first leader and that of the second", p.count())
		}
	})
}

func TestFlightErrors(t *testing.T) {
	t.Parallel()
	for kind, calls := range map[llm.Kind]int{
		llm.KindRequest: 1, // would be refused again: all share the error
		llm.KindServer:  3, // another attempt may succeed: each makes its own
	} {
		synctest.Test(t, func(t *testing.T) {
			p := &scripted{name: "fake", f: func(context.Context, int, llm.Request) (llm.Reply, error) {
				time.Sleep(time.Second)
				return llm.Reply{}, &llm.Error{Kind: kind, Message: "no"}
			}}
			c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Retries = -1 })
			var wg sync.WaitGroup
			for range 3 {
				wg.Go(func() {
					if _, err := c.Complete(t.Context(), ask("a")); !llm.IsKind(err, kind) {
						t.Errorf("got %v, want kind %s", err, kind)
					}
				})
			}
			wg.Wait()
			if p.count() != calls {
				t.Errorf("%s: %d calls, want %d", kind, p.count(), calls)
			}
		})
	}
}

// A provider that panics takes nobody with it but its caller.
func TestFlightPanic(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "fake", f: func(ctx context.Context, n int, r llm.Request) (llm.Reply, error) {
			time.Sleep(time.Second)
			if n == 0 {
				panic("bug")
			}
			return echo(ctx, n, r)
		}}
		c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Concurrency = 1 })
		var wg sync.WaitGroup
		wg.Go(func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic was swallowed")
				}
			}()
			c.Complete(t.Context(), ask("a"))
		})
		synctest.Wait()
		wg.Go(func() { must(t, c, ask("a")) })
		wg.Wait()
	})
}
