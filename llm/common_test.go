package llm_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/llm"
)

// A commons is what several processes share, each through a [member].
type commons struct {
	mu sync.Mutex
	// spent and held are money by process, slots calls in flight.
	spent       int64
	held, slots map[*member]int64
	asked       map[string]*member
	// sent are requests and tokens granted, by block, with the time of the grant.
	sent  []llm.Quantity
	at    []time.Time
	calls int
}

type member struct {
	*commons
	lapsed atomic.Bool
	often  []func(context.Context)
}

func (m *member) Often(f func(context.Context)) (end func()) {
	m.often = append(m.often, f)
	return func() {}
}

func newCommons() *commons {
	return &commons{held: map[*member]int64{}, slots: map[*member]int64{}, asked: map[string]*member{}}
}

func (m *member) Valid() bool { return !m.lapsed.Load() }

func (m *member) Money(_ context.Context, c llm.MoneyClaim) (llm.MoneyGrant, error) {
	time.Sleep(time.Millisecond)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	m.lapsed.Store(false)
	m.spent += c.Spent
	m.held[m] = c.Left
	free := c.Limit - m.spent
	for _, h := range m.held {
		free -= h
	}
	g := llm.MoneyGrant{Spent: m.spent}
	if free >= c.Need {
		g.Granted = min(c.Want, max(c.Need, free/2))
	}
	m.held[m] += g.Granted
	return g, nil
}

func (m *member) Slots(_ context.Context, c llm.SlotClaim) (llm.SlotGrant, error) {
	time.Sleep(time.Millisecond)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	m.lapsed.Store(false)
	free := int64(c.Limit)
	for other, n := range m.slots {
		if other != m {
			free -= n
		}
	}
	n := max(0, min(int64(c.Want), int64(c.Limit)/2, free))
	m.slots[m] = max(n, int64(c.Busy))
	return llm.SlotGrant{Granted: int(n), Short: int(n) < c.Want}, nil
}

// Rate grants what the last minute leaves.
func (m *member) Rate(_ context.Context, c llm.RateClaim) (llm.RateGrant, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	for block, q := range c.Back {
		m.sent[block].Requests -= q.Requests
		m.sent[block].Tokens -= q.Tokens
	}
	var sum llm.Quantity
	for i, q := range m.sent {
		if time.Since(m.at[i]) < time.Minute+2*time.Second {
			sum.Requests += q.Requests
			sum.Tokens += q.Tokens
		}
	}
	if c.Requests > 0 && sum.Requests+c.Need.Requests > c.Requests || c.Tokens > 0 && sum.Tokens+c.Need.Tokens > c.Tokens {
		return llm.RateGrant{After: time.Second}, nil
	}
	g := llm.RateGrant{For: 2 * time.Second, Block: int64(len(m.sent)), Quantity: c.Want}
	if c.Requests > 0 {
		g.Requests = min(g.Requests, c.Requests-sum.Requests)
	}
	if c.Tokens > 0 {
		g.Tokens = min(g.Tokens, c.Tokens-sum.Tokens)
	}
	m.sent, m.at = append(m.sent, g.Quantity), append(m.at, time.Now())
	return g, nil
}

func (m *member) Claim(_ context.Context, key string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.asked[key] != nil {
		return false, nil
	}
	m.asked[key] = m
	return true, nil
}

func (m *member) Unclaim(key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.asked, key)
}

// A process is a client with limits that it shares with others.
type process struct {
	*member
	*llm.Client
	limits *llm.Limits
	budget *llm.Budget
}

func processes(t testing.TB, n int, p llm.Provider, ledger llm.Ledger, limit int64, change func(*llm.ClientConfig)) []*process {
	t.Helper()
	all := newCommons()
	var out []*process
	for range n {
		one := &process{member: &member{commons: all}}
		one.limits = &llm.Limits{Common: one.member}
		if limit >= 0 {
			one.budget = llm.NewSharedBudget(limit, "run", one.member)
		}
		one.Client = client(t, p, func(cfg *llm.ClientConfig) {
			cfg.Limits, cfg.Shared, cfg.Ledger, cfg.Budget = one.limits, "account", ledger, one.budget
			if limit >= 0 {
				cfg.Prices = prices1(t)
			}
			if change != nil {
				change(cfg)
			}
		})
		out = append(out, one)
	}
	return out
}

// tend has the processes give back every second what they do not use, until stop is called.
func tend(all []*process) (stop func()) {
	end := make(chan struct{})
	var tending sync.WaitGroup
	for _, one := range all {
		tending.Go(func() {
			tick := time.NewTicker(time.Second)
			defer tick.Stop()
			for {
				select {
				case <-tick.C:
				case <-end:
					return
				}
				for _, f := range one.often {
					f(context.Background())
				}
			}
		})
	}
	return func() {
		close(end)
		tending.Wait()
	}
}

// Whatever calls several processes make, together they pay no more than the budget, and they go
// on until the next call could exceed it.
func TestSharedBudgetProperty(t *testing.T) {
	t.Parallel()
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		limit := int64(rapid.IntRange(0, 5000).Draw(t, "limit"))
		n := rapid.IntRange(1, 60).Draw(t, "calls")
		outputs := rapid.SliceOfN(rapid.IntRange(0, 200), n, n).Draw(t, "outputs")
		procs := rapid.IntRange(1, 4).Draw(t, "processes")
		lapses := rapid.IntRange(0, n).Draw(t, "lapses")
		var mu sync.Mutex
		var paid int64
		refused := 0
		synctest.Test(outer, func(*testing.T) {
			p := &scripted{name: "paid", f: func(_ context.Context, _ int, r llm.Request) (llm.Reply, error) {
				var i int
				fmt.Sscan(r.Messages[0].Text, &i)
				time.Sleep(time.Duration(outputs[i]) * time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				paid += int64(outputs[i])
				return llm.Reply{Usage: llm.Usage{Input: 5, Output: outputs[i]}}, nil
			}}
			all := processes(outer, procs, p, &memory{}, limit, func(cfg *llm.ClientConfig) { cfg.Concurrency = 4 })
			var wg sync.WaitGroup
			defer tend(all)()
			for i := range n {
				wg.Go(func() {
					one := all[i%procs]
					if i == lapses {
						one.lapsed.Store(true)
					}
					r := ask(fmt.Sprint(i))
					r.MaxTokens = 200
					_, err := one.Complete(context.Background(), r)
					if err != nil {
						mu.Lock()
						refused++
						mu.Unlock()
						if !llm.IsKind(err, llm.KindBudget) {
							t.Errorf("%v", err)
						}
					}
				})
			}
			wg.Wait()
			for _, one := range all {
				if err := one.budget.Close(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			all[0].mu.Lock()
			defer all[0].mu.Unlock()
			if all[0].spent != paid {
				t.Fatalf("%d were paid, and the processes said %d", paid, all[0].spent)
			}
			for _, h := range all[0].held {
				if h != 0 {
					t.Fatalf("a closed budget holds %d", h)
				}
			}
		})
		if paid > limit {
			t.Fatalf("%d were paid of %d", paid, limit)
		}
		if refused > 0 && paid+200 <= limit {
			t.Fatalf("%d calls were refused when only %d of %d were spent", refused, paid, limit)
		}
	})
}

// Most calls claim nothing of their own.
func TestSharedLimitsInBlocks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "paid", f: func(context.Context, int, llm.Request) (llm.Reply, error) {
			time.Sleep(10 * time.Millisecond)
			return llm.Reply{Usage: llm.Usage{Input: 1, Output: 10}}, nil
		}}
		all := processes(t, 1, p, &memory{}, 1e9, func(cfg *llm.ClientConfig) {
			cfg.Concurrency, cfg.RequestsPerMinute, cfg.TokensPerMinute = 4, 60_000, 600_000_000
		})
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() {
				for i := range 250 {
					must(t, all[0].Client, ask(fmt.Sprint(w, " ", i)))
				}
			})
		}
		wg.Wait()
		if n := all[0].calls; n > 150 {
			t.Errorf("1000 calls made %d claims", n)
		}
	})
}

// Two processes have no more calls in flight than the provider allows, and a process that comes
// later gets its part.
func TestSharedSlots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "fake", f: func(ctx context.Context, n int, r llm.Request) (llm.Reply, error) {
			time.Sleep(100 * time.Millisecond)
			return echo(ctx, n, r)
		}}
		all := processes(t, 2, p, &memory{}, -1, func(cfg *llm.ClientConfig) { cfg.Concurrency = 6 })
		defer tend(all)()
		var wg sync.WaitGroup
		for i := range 240 {
			wg.Go(func() {
				if i >= 120 {
					time.Sleep(time.Second)
				}
				must(t, all[i/120].Client, ask(fmt.Sprint(i)))
			})
		}
		begin := time.Now()
		wg.Wait()
		if p.most > 6 {
			t.Errorf("%d calls were in flight, want at most 6", p.most)
		}
		// Alone a process gets 3 in the double, 240 calls in sixes take 4 s.
		if d := time.Since(begin); d > 8*time.Second {
			t.Errorf("240 calls took %v", d)
		}
		time.Sleep(3 * time.Second)
		all[0].mu.Lock()
		defer all[0].mu.Unlock()
		for _, n := range all[0].slots {
			if n != 0 {
				t.Errorf("a process without calls has %d slots", n)
			}
		}
	})
}

// Processes keep to the limits of a minute together, and tokens that were not used go back.
func TestSharedRate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "fake", f: func(context.Context, int, llm.Request) (llm.Reply, error) {
			return llm.Reply{Usage: llm.Usage{Input: 10, Output: 10}}, nil
		}}
		all := processes(t, 3, p, &memory{}, -1, func(cfg *llm.ClientConfig) {
			cfg.Concurrency, cfg.RequestsPerMinute, cfg.TokensPerMinute = 50, 30, 10_000
		})
		var wg sync.WaitGroup
		begin := time.Now()
		for i := range 90 {
			wg.Go(func() {
				r := ask(fmt.Sprint(i))
				r.MaxTokens = 1000
				must(t, all[i%3].Client, r)
			})
		}
		wg.Wait()
		for i, at := range p.at {
			if j := i + 30; j < len(p.at) && p.at[j].Sub(at) < time.Minute {
				t.Fatalf("31 requests in %v", p.at[j].Sub(at))
			}
		}
		// Estimated at 1000 tokens and more, nine would fill the minute: they use 20.
		if d := time.Since(begin); d < 2*time.Minute || d > 4*time.Minute {
			t.Errorf("90 requests at 30 a minute took %v", d)
		}
	})
}

// A request is sent by one process; the others wait for its reply, and send it themselves if that
// one gives up.
func TestSharedFlight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "fake", f: func(ctx context.Context, n int, r llm.Request) (llm.Reply, error) {
			time.Sleep(time.Second)
			if n == 0 && strings.HasPrefix(r.Messages[0].Text, "bad") {
				return llm.Reply{}, &llm.Error{Kind: llm.KindRequest, Message: "no"}
			}
			return echo(ctx, n, r)
		}}
		all := processes(t, 4, p, &memory{}, -1, nil)
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() {
				text := string(rune('a' + i%5))
				if r := must(t, all[i%4].Client, ask(text)); r.Text != text {
					t.Errorf("%q was answered with %q", text, r.Text)
				}
			})
		}
		wg.Wait()
		if p.count() != 5 {
			t.Errorf("%d calls for 5 questions", p.count())
		}
		if len(all[0].asked) != 0 {
			t.Errorf("%d claims are left", len(all[0].asked))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "fake", f: func(ctx context.Context, n int, r llm.Request) (llm.Reply, error) {
			time.Sleep(time.Second)
			if n == 0 {
				return llm.Reply{}, &llm.Error{Kind: llm.KindRequest, Message: "no"}
			}
			return echo(ctx, n, r)
		}}
		all := processes(t, 2, p, &memory{}, -1, nil)
		var wg sync.WaitGroup
		failed := make([]error, 2)
		for i, one := range all {
			wg.Go(func() { _, failed[i] = one.Complete(t.Context(), ask("same")) })
		}
		wg.Wait()
		if p.count() != 2 || (failed[0] == nil) == (failed[1] == nil) {
			t.Errorf("%d calls, %v: want the second process to ask when the first is refused", p.count(), failed)
		}
	})
}
