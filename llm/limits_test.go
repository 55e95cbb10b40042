package llm_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assay-eval/assay/llm"
)

// waiting is a provider whose calls end when open is closed.
type waiting struct {
	calls atomic.Int64
	open  chan struct{}
}

func (w *waiting) Name() string { return "waiting" }

func (w *waiting) Complete(context.Context, llm.Request) (llm.Reply, error) {
	w.calls.Add(1)
	<-w.open
	return llm.Reply{Text: "yes"}, nil
}

// TestLimitsAreShared has ten clients send six requests each: as many calls are in flight
// as one client may have, and fewer for a client that allows fewer.
func TestLimitsAreShared(t *testing.T) {
	for _, c := range []struct {
		name                 string
		limits               *llm.Limits
		clients, each, calls int
	}{
		{"each has its own", nil, 10, 4, 40},
		{"shared", new(llm.Limits), 10, 4, 4},
		{"shared, one client", new(llm.Limits), 1, 4, 4},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := &waiting{open: make(chan struct{})}
			var ended sync.WaitGroup
			for i := range c.clients {
				client, err := llm.NewClient(llm.ClientConfig{
					Provider: w, Concurrency: c.each, Limits: c.limits, Shared: "waiting", Now: time.Now, Random: rand.Reader,
				})
				if err != nil {
					t.Fatal(err)
				}
				for j := range 6 {
					ended.Go(func() {
						if _, err := client.Complete(t.Context(), ask(fmt.Sprint(i, " ", j))); err != nil {
							t.Error(err)
						}
					})
				}
			}
			synctest.Wait()
			if n := w.calls.Load(); n != int64(c.calls) {
				t.Errorf("%s: %d calls in flight, want %d", c.name, n, c.calls)
			}
			close(w.open)
			ended.Wait()
			if n := w.calls.Load(); n != int64(6*c.clients) {
				t.Errorf("%s: %d calls, want all %d", c.name, n, 6*c.clients)
			}
		})
	}
	// A client with a smaller limit of its own keeps to it, one with a larger limit raises
	// the common one.
	synctest.Test(t, func(t *testing.T) {
		w, limits := &waiting{open: make(chan struct{})}, new(llm.Limits)
		var ended sync.WaitGroup
		for _, most := range []int{5, 2, 8} {
			client, err := llm.NewClient(llm.ClientConfig{
				Provider: w, Concurrency: most, Limits: limits, Shared: "waiting", Now: time.Now, Random: rand.Reader,
			})
			if err != nil {
				t.Fatal(err)
			}
			if most == 5 {
				continue
			}
			for j := range 20 {
				ended.Go(func() {
					if _, err := client.Complete(t.Context(), ask(fmt.Sprint(most, " ", j))); err != nil {
						t.Error(err)
					}
				})
			}
			synctest.Wait()
			if n := w.calls.Load(); n != int64(most) {
				t.Errorf("%d calls in flight, want %d", n, most)
			}
		}
		close(w.open)
		ended.Wait()
	})
}
