package llm_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
)

// Whatever calls run at once, through one client or two, with failures between
// them: what is charged never exceeds the limit, no call is made once it could,
// and what the ledger holds is what was charged for replies.
func TestBudgetProperty(t *testing.T) {
	t.Parallel()
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		limit := int64(rapid.IntRange(0, 5000).Draw(t, "limit"))
		before := int64(rapid.IntRange(0, 100).Draw(t, "before"))
		n := rapid.IntRange(1, 30).Draw(t, "calls")
		outputs := rapid.SliceOfN(rapid.IntRange(0, 200), n, n).Draw(t, "outputs")
		fails := rapid.SliceOfN(rapid.SampledFrom([]llm.Kind{
			"",
			"",
			"",
			llm.KindServer,
			llm.KindTimeout,
			llm.KindRequest,
		}), n, n).Draw(t, "fails")
		var b *llm.Budget
		ledger := &memory{}
		var mu sync.Mutex
		var paid, over int64
		made, refused := 0, 0
		synctest.Test(outer, func(*testing.T) {
			b = llm.NewBudget(limit, before) // in the bubble, where it waits
			p := &scripted{name: "paid", f: func(_ context.Context, _ int, r llm.Request) (llm.Reply, error) {
				var i int
				fmt.Sscan(r.Messages[0].Text, &i)
				time.Sleep(time.Duration(outputs[i]) * time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				made++
				if k := fails[i]; k != "" {
					fails[i] = ""
					return llm.Reply{}, &llm.Error{Kind: k}
				}
				// $1 a token in and $3 out, per million: micro-dollars.
				paid += int64(5 + 3*outputs[i])
				over = max(over, before+paid-limit)
				return llm.Reply{Usage: llm.Usage{Input: 5, Output: outputs[i]}}, nil
			}}
			prices := readPrices(outer, `prices: [{provider: paid, model: m, input: 1, output: 3}]`)
			var clients []*llm.Client
			for range 2 {
				clients = append(clients, client(outer, p, func(cfg *llm.ClientConfig) {
					cfg.Budget, cfg.Prices, cfg.Ledger, cfg.Concurrency = b, prices, ledger, 4
				}))
			}
			var wg sync.WaitGroup
			for i := range n {
				wg.Go(func() {
					r := ask(fmt.Sprint(i))
					r.MaxTokens = 200
					_, err := clients[i%2].Complete(context.Background(), r)
					if llm.IsKind(err, llm.KindBudget) {
						mu.Lock()
						refused++
						mu.Unlock()
					}
				})
			}
			wg.Wait()
		})
		if over > 0 || b.Spent() > max(limit, before) {
			t.Fatalf("%d micro-dollars too many were paid, and the budget says %d of %d", over, b.Spent(), limit)
		}
		var kept int64
		for _, c := range ledger.calls {
			kept += c.Usage.Cost
		}
		if kept != paid || b.Spent() < before+paid {
			t.Fatalf("paid %d, the ledger has %d, the budget %d of which %d were gone", paid, kept, b.Spent(), before)
		}
		// Up to 700 are reserved for a call: 600 for its output, the rest for
		// its input.
		if before+700 <= limit && made == 0 {
			t.Fatal("nothing was asked although the budget allows it")
		}
		if limit > int64(n)*700*5+before && refused > 0 {
			t.Fatal("refused although all fits")
		}
	})
}

func prices1(t testing.TB) *llm.Prices {
	return readPrices(t, `prices: [{provider: paid, model: m, input: 0, output: 1}]`)
}

// Two calls fit only one after the other: the second waits for what the first
// leaves, and is not refused.
func TestBudgetWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "paid", f: func(context.Context, int, llm.Request) (llm.Reply, error) {
			time.Sleep(time.Second)
			return llm.Reply{Usage: llm.Usage{Input: 1, Output: 10}}, nil
		}}
		b := llm.NewBudget(1500, 0)
		c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Budget, cfg.Prices = b, prices1(t) })
		ask1000 := func(text string) (llm.Reply, error) {
			r := ask(text)
			r.MaxTokens = 1000
			return c.Complete(t.Context(), r)
		}
		begin := time.Now()
		var wg sync.WaitGroup
		for i := range 3 {
			wg.Go(func() {
				if _, err := ask1000(fmt.Sprint(i)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if d := time.Since(begin); d != 3*time.Second || p.most != 1 {
			t.Errorf("three calls took %v, %d at once: want 3 s, one at a time", d, p.most)
		}
		if b.Spent() != 30 {
			t.Errorf("spent %d, want 30", b.Spent())
		}
		// 30 are gone, and 1471 may be needed: one too many.
		r := ask("large")
		r.MaxTokens = 1471
		_, err := c.Complete(t.Context(), r)
		var e *llm.Error
		if !errors.As(err, &e) || e.Kind != llm.KindBudget || !e.Fatal() || e.Attempts != 0 || p.count() != 3 {
			t.Fatalf("got %+v after %d calls", err, p.count())
		}
		for _, want := range []string{"paid m: ", "budget of $0.0015", "$0.00003 is spent", "may cost $0.0015"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q lacks %q", err, want)
			}
		}
		r.MaxTokens = 1470
		if _, err := c.Complete(t.Context(), r); err != nil {
			t.Errorf("what fits exactly was refused: %v", err)
		}
	})
}

func TestBudgetStops(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "paid", f: func(context.Context, int, llm.Request) (llm.Reply, error) {
			time.Sleep(time.Minute)
			return llm.Reply{Usage: llm.Usage{Output: 1}}, nil
		}}
		c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Budget, cfg.Prices = llm.NewBudget(5000, 0), prices1(t) })
		var wg sync.WaitGroup
		wg.Go(func() { must(t, c, ask("a")) }) // 4096 are reserved
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.Complete(ctx, ask("b")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		wg.Wait()
	})
}

// Without a price there is no budget to keep, so nothing is asked. What is in
// the ledger costs nothing and is given.
func TestBudgetNeedsPrices(t *testing.T) {
	t.Parallel()
	p := &scripted{name: "openai", f: echo}
	ledger := &memory{}
	open := client(t, p, func(cfg *llm.ClientConfig) { cfg.Ledger, cfg.Run = ledger, "old" })
	if r := must(t, open, ask("a")); r.Priced || r.Cost != 0 {
		t.Errorf("without prices the cost is %+v, want none known", r)
	}
	c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Budget, cfg.Ledger = llm.NewBudget(1e9, 0), ledger })
	must(t, c, ask("a"))
	_, err := c.Complete(t.Context(), ask("b"))
	if !llm.IsKind(err, llm.KindBudget) || p.count() != 1 || !strings.Contains(err.Error(), "price is unknown") {
		t.Errorf("got %v after %d calls", err, p.count())
	}
	// The provider of the user's own machine is free.
	local := client(t, &scripted{name: "ollama", f: echo}, func(cfg *llm.ClientConfig) { cfg.Budget = llm.NewBudget(0, 0) })
	if r := must(t, local, ask("b")); !r.Priced || r.Cost != 0 {
		t.Errorf("got %+v, want a price of 0", r)
	}
}

// A reply whose tokens nobody counted is not free: its estimate is charged, and
// its cost is not known.
func TestBudgetWithoutUsage(t *testing.T) {
	t.Parallel()
	p := &scripted{name: "paid", f: func(context.Context, int, llm.Request) (llm.Reply, error) { return llm.Reply{Text: "x"}, nil }}
	b := llm.NewBudget(10_000, 0)
	var said []string
	c := client(t, p, func(cfg *llm.ClientConfig) {
		cfg.Budget, cfg.Prices, cfg.Warn = b, prices1(t), func(w string) { said = append(said, w) }
	})
	if r := must(t, c, ask("a")); r.Priced || b.Spent() != llm.DefaultMaxTokens {
		t.Errorf("got %+v with %d charged, want %d", r, b.Spent(), llm.DefaultMaxTokens)
	}
	// A gate on the cost takes it from this warning that there is more.
	if h := (assay.Header{Warnings: said}); !strings.Contains(h.Unpriced(), "paid m: a reply tells no tokens") {
		t.Errorf("warned of %q", said)
	}
}
