package llm_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/llm"
)

// In no window of a minute are there more requests, or more tokens, than the
// limits; and no more is waited than they ask for.
func TestRateProperty(t *testing.T) {
	t.Parallel()
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		requests := rapid.SampledFrom([]int{0, 1, 3, 10}).Draw(t, "requests")
		tokens := rapid.SampledFrom([]int{0, 500, 5000}).Draw(t, "tokens")
		n := rapid.IntRange(1, 25).Draw(t, "calls")
		out := rapid.SliceOfN(rapid.IntRange(1, 400), n, n).Draw(t, "output")
		latency := rapid.SliceOfN(rapid.IntRange(0, 90), n, n).Draw(t, "latency")
		type sent struct {
			at     time.Time
			tokens int
		}
		var log []sent
		synctest.Test(outer, func(_ *testing.T) {
			var mu sync.Mutex
			p := &scripted{name: "fake", f: func(_ context.Context, _ int, r llm.Request) (llm.Reply, error) {
				var i int
				fmt.Sscan(r.Messages[0].Text, &i)
				mu.Lock()
				log = append(log, sent{time.Now(), 10 + out[i]})
				mu.Unlock()
				time.Sleep(time.Duration(latency[i]) * time.Second)
				return llm.Reply{Usage: llm.Usage{Input: 10, Output: out[i]}}, nil
			}}
			c := client(outer, p, func(cfg *llm.ClientConfig) {
				cfg.RequestsPerMinute, cfg.TokensPerMinute = requests, tokens
			})
			var wg sync.WaitGroup
			for i := range n {
				wg.Go(func() {
					r := ask(fmt.Sprint(i))
					r.MaxTokens = out[i]
					if _, err := c.Complete(context.Background(), r); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
		})
		if len(log) != n {
			t.Fatalf("%d calls were made, want %d", len(log), n)
		}
		for i, first := range log {
			count, sum := 0, 0
			for _, s := range log[i:] {
				if s.at.Sub(first.at) < time.Minute {
					count++
					sum += s.tokens
				}
			}
			if requests > 0 && count > requests || tokens > 0 && sum > tokens && count > 1 {
				t.Fatalf("%d requests and %d tokens within a minute: want at most %d and %d", count, sum, requests, tokens)
			}
		}
		if requests == 0 && tokens == 0 && log[n-1].at.Sub(log[0].at) > 90*3*time.Second {
			t.Fatal("calls waited for no limit")
		}
	})
}

// The exact times of ten quick requests at three a minute: three at once, three
// after a minute, and so on.
func TestRequestRate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "fake", f: echo}
		c := client(t, p, func(cfg *llm.ClientConfig) { cfg.RequestsPerMinute = 3 })
		begin := time.Now()
		for i := range 10 {
			must(t, c, ask(fmt.Sprint(i)))
		}
		for i, at := range p.at {
			if want := time.Duration(i/3) * time.Minute; at.Sub(begin) != want {
				t.Errorf("request %d was made after %v, want %v", i, at.Sub(begin), want)
			}
		}
	})
}

// What a call reserves of the tokens is given back as soon as it is known that
// it used fewer; a waiting call goes on at that moment.
func TestTokenRateSettles(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "fake", f: func(context.Context, int, llm.Request) (llm.Reply, error) {
			time.Sleep(7 * time.Second)
			return llm.Reply{Usage: llm.Usage{Input: 20, Output: 30}}, nil
		}}
		c := client(t, p, func(cfg *llm.ClientConfig) { cfg.TokensPerMinute = 1500 })
		var wg sync.WaitGroup
		begin := time.Now()
		for i := range 2 {
			wg.Go(func() {
				r := ask(fmt.Sprint(i))
				r.MaxTokens = 1000
				must(t, c, r)
			})
		}
		wg.Wait()
		if d := time.Since(begin); d != 14*time.Second {
			t.Errorf("both took %v, want 14 s: the second begins when the first has settled", d)
		}
	})
}

func TestRateStops(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "fake", f: echo}
		c := client(t, p, func(cfg *llm.ClientConfig) { cfg.RequestsPerMinute = 1 })
		must(t, c, ask("a"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var wg sync.WaitGroup
		for _, text := range []string{"b", "c"} { // one at the head of the line, one behind
			wg.Go(func() {
				if _, err := c.Complete(ctx, ask(text)); err != context.DeadlineExceeded {
					t.Errorf("%s: got %v", text, err)
				}
			})
		}
		wg.Wait()
		must(t, c, ask("d"))
		if p.count() != 2 {
			t.Errorf("%d calls, want 2", p.count())
		}
	})
}

func TestConcurrency(t *testing.T) {
	t.Parallel()
	for most, want := range map[int]int{0: 10, 3: 3, 1: 1} {
		synctest.Test(t, func(t *testing.T) {
			p := &scripted{name: "fake", f: func(ctx context.Context, n int, r llm.Request) (llm.Reply, error) {
				time.Sleep(time.Second)
				return echo(ctx, n, r)
			}}
			c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Concurrency = most })
			var wg sync.WaitGroup
			for i := range 40 {
				wg.Go(func() { must(t, c, ask(fmt.Sprint(i))) })
			}
			wg.Wait()
			if p.most != want {
				t.Errorf("Concurrency %d: %d calls in flight, want %d", most, p.most, want)
			}
		})
	}
}

// Against a server that refuses every call beyond three at once, the client
// comes down to what it can take, loses no question, and goes up again when the
// server recovers.
func TestAdaptive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var p *scripted
		capacity, refused := 3, 0
		p = &scripted{name: "fake", f: func(ctx context.Context, n int, r llm.Request) (llm.Reply, error) {
			p.mu.Lock()
			over := p.busy > capacity
			if over {
				refused++
			}
			p.mu.Unlock()
			if over {
				return llm.Reply{}, &llm.Error{Kind: llm.KindRate, Status: 429, Message: "slow down"}
			}
			time.Sleep(time.Second)
			return echo(ctx, n, r)
		}}
		c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Retries = 10 })
		all := func(prefix string, n int) {
			var wg sync.WaitGroup
			for i := range n {
				wg.Go(func() { must(t, c, ask(prefix+fmt.Sprint(i))) })
			}
			wg.Wait()
		}
		all("a", 100)
		// A client of constant concurrency 10 would have been refused seven
		// times of ten.
		if refused > 40 {
			t.Errorf("%d calls were refused for 100 that were answered", refused)
		}
		p.mu.Lock()
		capacity, p.most = 1000, 0
		p.mu.Unlock()
		all("b", 200)
		if p.most != 10 {
			t.Errorf("after the server recovered %d calls were in flight, want 10", p.most)
		}
		t.Logf("%d refused", refused)
	})
}

// Ten calls that are refused together say one thing, not ten: the limit is
// halved once, and never falls below one.
func TestAdaptiveHalvesOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "fake", f: func(ctx context.Context, n int, r llm.Request) (llm.Reply, error) {
			time.Sleep(time.Second)
			if strings.HasPrefix(r.Messages[0].Text, "refuse") {
				return llm.Reply{}, &llm.Error{Kind: llm.KindServer, Status: 529, Message: "overloaded"}
			}
			return echo(ctx, n, r)
		}}
		c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Retries = -1 })
		together := func(text string, n int) {
			p.most = 0
			var wg sync.WaitGroup
			for i := range n {
				wg.Go(func() { c.Complete(t.Context(), ask(text+fmt.Sprint(i))) })
			}
			wg.Wait()
		}
		for _, want := range []int{10, 5, 2, 1, 1} {
			together("refuse", want)
			if p.most != want {
				t.Fatalf("%d in flight, want %d", p.most, want)
			}
		}
		// From 1, n successes raise it to 2, and 2 more to about 3.
		together("fine", 4)
		if p.most != 2 {
			t.Errorf("%d in flight, want 2: the limit grows slowly", p.most)
		}
	})
}
