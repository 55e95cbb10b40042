package queue_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/run/queue"
	"github.com/assay-eval/assay/store/postgrestest"
)

// holders takes part in the limits of the hall under the given names.
func (h *hall) holders(names ...string) []*queue.Limits {
	h.Helper()
	var out []*queue.Limits
	for _, name := range names {
		l, err := h.queue.Limits(h.Context(), name, time.Now)
		if err != nil {
			h.Fatal(err)
		}
		h.Cleanup(func() {
			if err := l.Close(context.Background()); err != nil {
				h.Error(err)
			}
		})
		out = append(out, l)
	}
	return out
}

// exec executes a statement on the database of the hall.
func (h *hall) exec(statement string, args ...any) {
	h.Helper()
	pool, err := h.store.Pool(h.Context(), 1)
	if err != nil {
		h.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.Exec(h.Context(), statement, args...); err != nil {
		h.Fatal(err)
	}
}

// lapse ends the lease of a holder, as when its process was killed.
func (h *hall) lapse(holder string) {
	h.Helper()
	h.exec(`UPDATE assay_holders SET until = clock_timestamp() - interval '1 second' WHERE holder = $1`, holder)
}

func money(t *testing.T, l *queue.Limits, c llm.MoneyClaim) llm.MoneyGrant {
	t.Helper()
	c.Run, c.Limit = "r", 1000
	g, err := l.Money(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// What is granted and spent is within the budget, whoever claims at the same time.
func TestMoneyTogether(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	all := h.holders("a", "b", "c")
	if err := all[0].Begin(t.Context(), "r", 100); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var granted int64
	var claiming sync.WaitGroup
	var turns [3]sync.Mutex
	for i := range 30 {
		claiming.Go(func() {
			l := all[i%3]
			// A process claims one after the other.
			turns[i%3].Lock()
			defer turns[i%3].Unlock()
			g, err := l.Money(t.Context(), llm.MoneyClaim{Run: "r", Limit: 1000, Need: 10, Want: 40})
			if err == nil {
				_, err = l.Money(t.Context(), llm.MoneyClaim{Run: "r", Limit: 1000, Spent: g.Granted})
			}
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			granted += g.Granted
		})
	}
	claiming.Wait()
	if granted == 0 {
		t.Error("nothing was granted")
	}
	if g := money(t, all[0], llm.MoneyClaim{Need: 1, Want: 1}); g.Spent != 100+granted {
		t.Errorf("%d are spent, want %d", g.Spent, 100+granted)
	}
	if g := money(t, all[1], llm.MoneyClaim{Need: 901 - granted, Want: 901 - granted}); g.Granted != 0 {
		t.Errorf("%d were granted, beyond the budget", g.Granted)
	}
}

// What a process held when it was killed goes back, less what the ledger shows that it paid.
func TestMoneyOfTheKilled(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	all := h.holders("a", "b")
	if err := h.store.CreateRun(t.Context(), assay.Header{ID: "r", State: "running"}); err != nil {
		t.Fatal(err)
	}
	if err := all[0].Begin(t.Context(), "r", 0); err != nil {
		t.Fatal(err)
	}
	if g := money(t, all[0], llm.MoneyClaim{Need: 100, Want: 400}); g.Granted != 400 {
		t.Fatalf("%+v: want 400", g)
	}
	if g := money(t, all[1], llm.MoneyClaim{Need: 601, Want: 601}); g.Granted != 0 {
		t.Fatalf("%+v: want nothing while the other holds 400", g)
	}
	// Half of what is left, when that is less than is wanted.
	if g := money(t, all[1], llm.MoneyClaim{Need: 10, Want: 600}); g.Granted != 300 {
		t.Fatalf("%+v: want 300", g)
	}
	call := assay.Call{Key: "k", Run: "r", Provider: "p", Model: "m", Request: []byte(`{}`), Reply: []byte(`{}`),
		Usage: assay.Usage{Cost: 30}, Made: time.Now()}
	if err := h.store.PutCall(t.Context(), call); err != nil {
		t.Fatal(err)
	}
	h.lapse("a")
	if g := money(t, all[1], llm.MoneyClaim{Left: 300, Need: 670, Want: 670}); g.Granted != 670 || g.Spent != 30 {
		t.Fatalf("%+v: want 670 of 1000, of which 30 are spent and 300 held", g)
	}
	// The end of the session leaves the budget to the cases that workers finish.
	if err := all[1].End(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	if g := money(t, all[1], llm.MoneyClaim{Left: 970, Need: 1, Want: 1}); g.Granted != 0 || g.Spent != 30 {
		t.Fatalf("%+v after the session: want nothing, and 30 spent", g)
	}
	// A process whose lease was only late tells what it has in flight, and has it again.
	if g := money(t, all[0], llm.MoneyClaim{Left: 0, Need: 1, Want: 1}); g.Granted != 0 {
		t.Fatalf("%+v: want nothing, all is held", g)
	}
}

// Calls in flight are divided by what is wanted, and those of a killed process go to others.
func TestSlotsTogether(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	all := h.holders("a", "b")
	short := false
	slots := func(i, busy, want int) int {
		t.Helper()
		g, err := all[i].Slots(t.Context(), llm.SlotClaim{Account: "x", Limit: 10, Busy: busy, Want: want})
		if err != nil {
			t.Fatal(err)
		}
		short = g.Short
		return g.Granted
	}
	if n := slots(0, 0, 10); n != 10 || short {
		t.Errorf("a process alone gets %d of 10, short: %v", n, short)
	}
	if n := slots(1, 0, 10); n != 0 || !short {
		t.Errorf("%d were granted twice, short: %v", n, short)
	}
	if n := slots(0, 10, 10); n != 5 {
		t.Errorf("of two that want all, the first keeps %d, want 5", n)
	}
	if n := slots(1, 0, 10); n != 0 {
		t.Errorf("%d were granted while all 10 are in flight", n)
	}
	if n := slots(0, 5, 10); n != 5 {
		t.Errorf("the first gets %d, want 5", n)
	}
	if n := slots(1, 0, 10); n != 5 {
		t.Errorf("the second gets %d, want the 5 that are free", n)
	}
	if n := slots(1, 5, 2); n != 2 {
		t.Errorf("the second gets %d, and wants 2", n)
	}
	h.lapse("a")
	if n := slots(1, 2, 10); n != 10 {
		t.Errorf("the second gets %d, want 10 when the first was killed", n)
	}
}

// A request is claimed by one client at a time, of any process.
func TestClaims(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	all := h.holders("a", "b")
	claim := func(i int) bool {
		t.Helper()
		mine, err := all[i].Claim(t.Context(), "key")
		if err != nil {
			t.Fatal(err)
		}
		return mine
	}
	if !claim(0) || claim(1) || claim(0) {
		t.Error("want the first to have the claim, alone")
	}
	all[0].Unclaim("key")
	for !claim(1) { // the end of a claim takes a moment
		time.Sleep(10 * time.Millisecond)
	}
	h.lapse("b")
	if !claim(0) {
		t.Error("the claim of a killed process is not free")
	}
}

// The questions of two processes are as far apart as those of one.
func TestPaceTogether(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	all := h.holders("a", "b")
	const between = 20 * time.Millisecond
	var mu sync.Mutex
	var times []time.Duration
	var pacing sync.WaitGroup
	begin := time.Now()
	for i := range 20 {
		pacing.Go(func() {
			after, err := all[i%2].Pace(t.Context(), "r", between, 5)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			times = append(times, after+time.Since(begin))
		})
	}
	pacing.Wait()
	slices.Sort(times)
	// The clock of the database gave the times: the last is no earlier than a hundred questions.
	if d := times[len(times)-1] - times[0]; d < 19*5*between-time.Second/2 {
		t.Errorf("20 blocks of 5 questions begin within %v", d)
	}
	var _ run.Schedule = all[0]
}

// TestRateTogether: requests of two processes keep to the limits of a minute, and what is given
// back can be granted again.
func TestRateTogether(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	all := h.holders("a", "b")
	claim := func(i int, back map[int64]llm.Quantity, want llm.Quantity) llm.RateGrant {
		t.Helper()
		g, err := all[i].Rate(t.Context(), llm.RateClaim{Account: "x", Requests: 10, Tokens: 1000, Need: llm.Quantity{Requests: 1, Tokens: 100},
			Want: want, Back: back})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	first := claim(0, nil, llm.Quantity{Requests: 6, Tokens: 600})
	second := claim(1, nil, llm.Quantity{Requests: 6, Tokens: 600})
	if first.Requests != 6 || first.Tokens != 600 || second.Requests != 4 || second.Tokens != 400 {
		t.Fatalf("%+v and %+v of 10 requests and 1000 tokens", first, second)
	}
	if g := claim(0, nil, llm.Quantity{Requests: 1, Tokens: 100}); g.Requests != 0 || g.After < 55*time.Second || g.After > time.Minute+3*time.Second {
		t.Fatalf("%+v: want nothing for a minute", g)
	}
	// One of two in the second of the grant keeps its own.
	if g := claim(1, map[int64]llm.Quantity{second.Block: {Requests: 2, Tokens: 150}}, llm.Quantity{Requests: 5, Tokens: 500}); g.Requests != 2 || g.Tokens != 150 {
		t.Fatalf("%+v: want the 2 requests and 150 tokens that were given back", g)
	}
	h.exec(`UPDATE assay_rate SET second = second - 70`)
	if g := claim(0, nil, llm.Quantity{Requests: 10, Tokens: 1000}); g.Requests != 10 || g.Tokens != 1000 {
		t.Fatalf("%+v: want all after a minute", g)
	}
}

// A provider takes a moment for each reply, which costs 10 micro-dollars.
type provider struct {
	mu               sync.Mutex
	busy, most, made int
	asked            map[string]int
}

func (*provider) Name() string { return "paid" }

func (p *provider) Complete(_ context.Context, r llm.Request) (llm.Reply, error) {
	text := r.Messages[0].Text
	p.mu.Lock()
	p.busy++
	p.made++
	p.most = max(p.most, p.busy)
	if p.asked == nil {
		p.asked = map[string]int{}
	}
	p.asked[text]++
	p.mu.Unlock()
	time.Sleep(5 * time.Millisecond)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy--
	return llm.Reply{Text: "yes", Usage: llm.Usage{Input: 1, Output: 10}}, nil
}

// twice returns the questions that were asked more than once.
func (p *provider) twice() (questions []string) {
	for q, n := range p.asked {
		if n > 1 {
			questions = append(questions, q)
		}
	}
	return questions
}

// TestClientsTogether: clients of several processes keep to a budget and to calls in flight, and
// send each request once, on a real database, which is killed meanwhile.
func TestClientsTogether(t *testing.T) {
	t.Parallel()
	own := postgrestest.Start(t)
	own.Exec(t, "postgres", `CREATE DATABASE limits`)
	h := hallOn(t, own.URL("limits"), func(text string) { t.Log(text) })
	if err := h.store.CreateRun(t.Context(), assay.Header{ID: "r", State: "running"}); err != nil {
		t.Fatal(err)
	}
	p := &provider{}
	prices, err := llm.ReadPrices(strings.NewReader("prices: [{provider: paid, model: m, input: 0, output: 1}]"), "prices.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const limit = 4000 // micro-dollars: about 400 replies of 10
	all := h.holders("a", "b", "c", "d")
	if err := all[0].Begin(t.Context(), "r", 0); err != nil {
		t.Fatal(err)
	}
	var asking sync.WaitGroup
	refused := make([]int, len(all))
	for i, l := range all {
		limits := &llm.Limits{Common: l}
		budget := llm.NewSharedBudget(limit, "r", l)
		c, err := llm.NewClient(llm.ClientConfig{Provider: p, Ledger: h.store, Run: "r", Prices: prices, Budget: budget, Concurrency: 6,
			Limits: limits, Shared: "account", Now: time.Now, Random: rand.NewChaCha8([32]byte{1})})
		if err != nil {
			t.Fatal(err)
		}
		asking.Go(func() {
			var mu sync.Mutex
			var calls sync.WaitGroup
			for w := range 4 {
				calls.Go(func() {
					// Each question is asked by two processes.
					for n := range 100 {
						_, err := c.Complete(t.Context(), llm.Request{Model: "m", MaxTokens: 20, Operation: "test",
							Messages: []llm.Message{{Role: "user", Text: fmt.Sprint("question ", i/2, " ", w, " ", n)}}})
						if llm.IsKind(err, llm.KindBudget) {
							mu.Lock()
							refused[i]++
							mu.Unlock()
							return
						}
						if err != nil {
							t.Error(err)
							return
						}
						if i == 0 && w == 0 && n == 20 {
							if err := own.Kill(); err != nil {
								t.Error(err)
							}
							if err := own.Restart(); err != nil {
								t.Error(err)
							}
						}
					}
				})
			}
			calls.Wait()
			if err := budget.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	asking.Wait()
	if p.most > 6 {
		t.Errorf("%d calls were in flight, want at most 6", p.most)
	}
	spent, err := h.store.Spent(t.Context(), "r")
	if err != nil {
		t.Fatal(err)
	}
	if paid := int64(10 * p.made); paid > limit || spent.Usage.Cost > limit || spent.Usage.Cost != paid {
		t.Errorf("%d were paid of %d, and the ledger has %d", paid, limit, spent.Usage.Cost)
	}
	// Each asks until the budget ends: what is left is less than a call may cost, or counted twice
	// because the reply to a claim was lost with the database.
	if p.made < 350 || slices.Max(refused) == 0 {
		t.Errorf("%d calls were made of about 400, refused: %v", p.made, refused)
	}
	if twice := p.twice(); len(twice) > 0 {
		t.Errorf("asked twice: %v", twice)
	}
}
