package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/callkey"
	"github.com/assay-eval/assay/llm"
)

// A scripted provider does what f says, and counts.
type scripted struct {
	name string
	f    func(ctx context.Context, n int, r llm.Request) (llm.Reply, error)

	mu    sync.Mutex
	calls []llm.Request
	at    []time.Time
	busy  int
	most  int // the most calls in flight
}

func (s *scripted) Name() string { return s.name }

func (s *scripted) Complete(ctx context.Context, r llm.Request) (llm.Reply, error) {
	s.mu.Lock()
	n := len(s.calls)
	s.calls = append(s.calls, r)
	s.at = append(s.at, time.Now())
	s.busy++
	s.most = max(s.most, s.busy)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.busy--
		s.mu.Unlock()
	}()
	return s.f(ctx, n, r)
}

func (s *scripted) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.calls)
}

// echo answers with the text of the last message.
func echo(_ context.Context, _ int, r llm.Request) (llm.Reply, error) {
	return llm.Reply{Text: r.Messages[len(r.Messages)-1].Text, Usage: llm.Usage{Input: 100, Output: 10}}, nil
}

// A memory is a ledger.
type memory struct {
	mu          sync.Mutex
	calls       map[string]assay.Call
	puts        int
	read, write error
}

func (m *memory) Call(ctx context.Context, key string) (assay.Call, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if ctx.Err() != nil {
		return assay.Call{}, false, ctx.Err()
	}
	c, ok := m.calls[key]
	return c, ok, m.read
}

func (m *memory) PutCall(ctx context.Context, c assay.Call) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := errors.Join(m.write, ctx.Err()); err != nil {
		return err
	}
	if m.calls == nil {
		m.calls = map[string]assay.Call{}
	}
	if old, ok := m.calls[c.Key]; ok && !callkey.SamePayment(old, c) {
		aside, err := callkey.Aside(old)
		if err != nil {
			return err
		}
		m.calls[aside.Key] = aside
	}
	m.calls[c.Key] = c
	m.puts++
	return nil
}

func (m *memory) only(t *testing.T) assay.Call {
	t.Helper()
	if len(m.calls) != 1 {
		t.Fatalf("the ledger has %d calls, want 1", len(m.calls))
	}
	for _, c := range m.calls {
		return c
	}
	panic("unreachable")
}

// client makes a client around p; change may be nil.
func client(t testing.TB, p llm.Provider, change func(*llm.ClientConfig)) *llm.Client {
	t.Helper()
	cfg := llm.ClientConfig{
		Provider: p, Run: "run", Now: time.Now,
		Random: rand.NewChaCha8([32]byte{1}), Warn: func(w string) { t.Errorf("warning: %s", w) },
	}
	if change != nil {
		change(&cfg)
	}
	c, err := llm.NewClient(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func ask(text string) llm.Request {
	return llm.Request{Operation: "support", Model: "m", Messages: []llm.Message{{Role: "user", Text: text}}}
}

func must(t testing.TB, p llm.Provider, r llm.Request) llm.Reply {
	t.Helper()
	reply, err := p.Complete(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

func TestClientAsksOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "fake", f: func(ctx context.Context, n int, r llm.Request) (llm.Reply, error) {
			time.Sleep(3 * time.Second)
			return echo(ctx, n, r)
		}}
		ledger := &memory{}
		prices := readPrices(t, `prices: [{provider: fake, model: m, input: 2, output: 30}]`)
		c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Ledger, cfg.Prices = ledger, prices })
		first := must(t, c, ask("a"))
		// 100 tokens at $2 and 10 at $30 a million: 200 + 300 micro-dollars.
		if first.Text != "a" || first.Cost != 500 || !first.Priced || first.Cached || first.Latency != 3*time.Second {
			t.Errorf("the reply is %+v", first)
		}
		again := must(t, c, ask("a"))
		if again.Text != "a" || again.Cost != 500 || again.Cached || again.Latency != 3*time.Second || p.count() != 1 {
			t.Errorf("the same run gets %+v after %d calls: want what it paid for, not cached", again, p.count())
		}
		other := client(t, p, func(cfg *llm.ClientConfig) { cfg.Ledger, cfg.Run = ledger, "later" })
		if r := must(t, other, ask("a")); !r.Cached || r.Cost != 500 || p.count() != 1 {
			t.Errorf("a later run gets %+v after %d calls: want it cached", r, p.count())
		}

		k, text, err := llm.Key("fake", ask("a"))
		if err != nil {
			t.Fatal(err)
		}
		kept := ledger.only(t)
		want := assay.Call{
			Key: k, Run: "run", Operation: "support", Provider: "fake", Model: "m", Request: text,
			Usage: assay.Usage{InputTokens: 100, OutputTokens: 10, Cost: 500}, Latency: 3 * time.Second, Made: time.Now().UTC(),
		}
		kept.Reply = nil
		if a, b := asJSON(t, want), asJSON(t, kept); a != b {
			t.Errorf("the ledger has\n%s\nwant\n%s", b, a)
		}
	})
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestClientRefresh(t *testing.T) {
	t.Parallel()
	p := &scripted{name: "fake", f: func(_ context.Context, n int, _ llm.Request) (llm.Reply, error) {
		return llm.Reply{Text: string(rune('a' + n))}, nil
	}}
	ledger := &memory{}
	must(t, client(t, p, func(cfg *llm.ClientConfig) { cfg.Ledger, cfg.Run = ledger, "old" }), ask("x"))
	for range 2 { // the second is the run, resumed
		c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Ledger, cfg.Run, cfg.Mode = ledger, "new", llm.Refresh })
		for range 2 {
			if r := must(t, c, ask("x")); r.Text != "b" || r.Cached {
				t.Errorf("got %+v, want the second reply", r)
			}
		}
	}
	paid := map[string]int{}
	for _, c := range ledger.calls {
		paid[c.Run]++
	}
	if p.count() != 2 || len(paid) != 2 || paid["old"] != 1 || paid["new"] != 1 {
		t.Errorf("%d calls, in the ledger by run %v: want one a run", p.count(), paid)
	}
}

func TestClientReplay(t *testing.T) {
	t.Parallel()
	p := &scripted{name: "fake", f: echo}
	ledger := &memory{}
	must(t, client(t, p, func(cfg *llm.ClientConfig) { cfg.Ledger = ledger }), ask("a"))
	c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Ledger, cfg.Mode, cfg.Run = ledger, llm.Replay, "ci" })
	if r := must(t, c, ask("a")); r.Text != "a" || !r.Cached {
		t.Errorf("got %+v", r)
	}
	_, err := c.Complete(t.Context(), ask("b"))
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.KindReplay || !e.Fatal() || e.Attempts != 0 {
		t.Fatalf("got %v, want a fatal error of kind replay", err)
	}
	for _, want := range []string{"fake m: ", `"support"`, key(t, "fake", ask("b"))} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	if p.count() != 1 {
		t.Errorf("%d calls, want only the first", p.count())
	}
}

// A request that failed for good fails in a replay as it did, and is asked again otherwise.
func TestReplayOfFailure(t *testing.T) {
	t.Parallel()
	ledger := &memory{}
	denied := &scripted{name: "fake", f: func(context.Context, int, llm.Request) (llm.Reply, error) {
		return llm.Reply{}, &llm.Error{Kind: llm.KindRequest, Status: 400, Message: "content filter"}
	}}
	use := func(p llm.Provider, mode llm.Mode) (llm.Reply, error) {
		return client(t, p, func(cfg *llm.ClientConfig) { cfg.Ledger, cfg.Mode, cfg.Run = ledger, mode, "r" }).Complete(t.Context(), ask("a"))
	}
	_, live := use(denied, llm.Normal)
	_, err := use(denied, llm.Replay)
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.KindRequest || e.Fatal() || err.Error() != live.Error() || denied.count() != 1 {
		t.Errorf("got %v, want %v", err, live)
	}
	healed := &scripted{name: "fake", f: echo}
	if r, err := use(healed, llm.Normal); err != nil || r.Text != "a" || healed.count() != 1 {
		t.Errorf("got %+v, %v", r, err)
	}
	if r, err := use(healed, llm.Replay); err != nil || r.Text != "a" {
		t.Errorf("got %+v, %v", r, err)
	}
	if _, err = use(denied, llm.Refresh); err != nil { // the reply is of the same run
		t.Error(err)
	}
}

// A kept reply answers a live request to its own server alone, and a replay from anywhere.
func TestClientKeepsServersApart(t *testing.T) {
	t.Parallel()
	ledger := &memory{}
	from := func(address string, mode llm.Mode) (string, int) {
		p := &scripted{name: "p", f: func(context.Context, int, llm.Request) (llm.Reply, error) { return llm.Reply{Text: address}, nil }}
		c := client(t, p, func(c *llm.ClientConfig) { c.Ledger, c.Address, c.Mode, c.Run = ledger, address, mode, address })
		r := must(t, c, ask("q"))
		if kept, ok, err := ledger.Call(t.Context(), r.Key); !ok || err != nil || kept.Key != callkey.Of(kept.Request) {
			t.Errorf("%s: the reply has the key %q of %+v, %v", address, r.Key, kept, err)
		}
		if err := c.Reject(t.Context(), ask("other"), "no use"); err != nil {
			t.Error(err)
		}
		return r.Text, p.count()
	}
	for _, test := range []struct {
		address string
		mode    llm.Mode
		text    string
		calls   int
	}{
		{"", llm.Normal, "", 1}, {"a", llm.Normal, "", 0}, // of an earlier version
		{"a", llm.Refresh, "a", 1}, {"b", llm.Normal, "b", 1}, {"a", llm.Normal, "a", 0}, {"b", llm.Normal, "b", 0},
		{"b", llm.Replay, "b", 0}, {"c", llm.Replay, "a", 0}, {"", llm.Replay, "a", 0}, {"c", llm.Normal, "c", 1},
	} {
		if text, calls := from(test.address, test.mode); text != test.text || calls != test.calls {
			t.Errorf("at %q, mode %q: %q with %d calls, want %q with %d", test.address, test.mode, text, calls, test.text, test.calls)
		}
	}
}

// What cannot be read back is asked again, and said.
func TestClientUnreadableEntry(t *testing.T) {
	t.Parallel()
	for _, reply := range []string{`{"text":`, `null`, `[]`, ``, `{"text":1}`} {
		p := &scripted{name: "fake", f: echo}
		k := key(t, "fake", ask("a"))
		ledger := &memory{calls: map[string]assay.Call{k: {Key: k, Run: "run", Reply: json.RawMessage(reply)}}}
		var warnings []string
		c := client(t, p, func(cfg *llm.ClientConfig) {
			cfg.Ledger, cfg.Warn = ledger, func(w string) { warnings = append(warnings, w) }
		})
		if r := must(t, c, ask("a")); r.Text != "a" || p.count() != 1 {
			t.Errorf("%q: got %+v after %d calls", reply, r, p.count())
		}
		if len(warnings) != 1 || !strings.Contains(warnings[0], k) {
			t.Errorf("%q: warnings %q, want one with the key", reply, warnings)
		}
		if r := must(t, c, ask("a")); r.Text != "a" || p.count() != 1 {
			t.Errorf("%q was not replaced: %+v", reply, r)
		}
	}
}

func TestClientLedgerErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk full")
	p := &scripted{name: "fake", f: echo}
	for _, ledger := range []*memory{{read: broken}, {write: broken}} {
		c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Ledger = ledger })
		_, err := c.Complete(t.Context(), ask("a"))
		var e *llm.Error
		if !errors.As(err, &e) || e.Kind != llm.KindLedger || !e.Fatal() || !errors.Is(err, broken) {
			t.Errorf("got %v, want a fatal error of kind ledger", err)
		}
	}
	if p.count() != 1 {
		t.Errorf("%d calls: a ledger that cannot be read must stop the call", p.count())
	}
}

// A reply that came is kept, although the run was stopped while it was made.
func TestClientKeepsWhatWasPaid(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	p := &scripted{name: "fake", f: func(ctx context.Context, n int, r llm.Request) (llm.Reply, error) {
		cancel()
		return echo(ctx, n, r)
	}}
	ledger := &memory{}
	c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Ledger = ledger })
	if r, err := c.Complete(ctx, ask("a")); err != nil || r.Text != "a" {
		t.Errorf("got %+v, %v: want the reply", r, err)
	}
	ledger.only(t)
}

// A call in flight when the user stops is paid for: its reply is kept.
func TestClientKeepsWhatWasPaidWhenTheUserStops(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "fake", f: func(ctx context.Context, n int, r llm.Request) (llm.Reply, error) {
			select {
			case <-time.After(2 * time.Second):
				return echo(ctx, n, r)
			case <-ctx.Done():
				return llm.Reply{}, ctx.Err()
			}
		}}
		c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Ledger = &memory{} })
		ctx, stop := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { stop(llm.ErrStopped) })
		if _, err := c.Complete(ctx, ask("a")); err != nil {
			t.Errorf("the call in flight: %v", err)
		}
		if _, err := c.Complete(ctx, ask("b")); !errors.Is(err, llm.ErrStopped) || p.count() != 1 {
			t.Errorf("a call after the stop: %v, %d calls", err, p.count())
		}
	})
}

// A call in flight when another fails is paid for: its reply is kept, and no further call begins.
func TestClientKeepsWhatWasPaidWhenAnotherFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "fake", f: func(ctx context.Context, n int, r llm.Request) (llm.Reply, error) {
			if r.Messages[0].Text == "fails" {
				time.Sleep(time.Second)
				return llm.Reply{}, &llm.Error{Kind: llm.KindAuth, Message: "no more credit"}
			}
			select {
			case <-time.After(2 * time.Second):
				return echo(ctx, n, r)
			case <-ctx.Done():
				return llm.Reply{}, ctx.Err()
			}
		}}
		ledger := &memory{}
		c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Ledger, cfg.Concurrency = ledger, 2 })
		group, ctx := errgroup.WithContext(t.Context())
		for _, text := range []string{"fails", "a"} {
			group.Go(func() error {
				_, err := c.Complete(ctx, ask(text))
				return err
			})
		}
		if err := group.Wait(); !llm.IsKind(err, llm.KindAuth) {
			t.Errorf("got %v", err)
		}
		if call := ledger.only(t); !strings.Contains(string(call.Request), `"a"`) {
			t.Errorf("the ledger has %s", call.Request)
		}
		if _, err := c.Complete(ctx, ask("b")); !llm.IsKind(err, llm.KindAuth) || p.count() != 2 {
			t.Errorf("a call that begins later: %v, %d calls", err, p.count())
		}
	})
}

// What is judged now is what is judged when the run is repeated.
func TestClientReplyIsAsKept(t *testing.T) {
	t.Parallel()
	p := &scripted{name: "fake", f: func(context.Context, int, llm.Request) (llm.Reply, error) {
		return llm.Reply{
			Text: "\xff<b>\u2028", Thinking: "t", Model: "m-1", Stop: "end", Warnings: []string{"w"},
			Usage: llm.Usage{Input: 9, CacheRead: 1, CacheWrite: 2, Output: 3, Reasoning: 1},
		}, nil
	}}
	c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Ledger = &memory{} })
	first, again := must(t, c, ask("a")), must(t, c, ask("a"))
	if len(first.Warnings) != 1 {
		t.Errorf("the warning is lost")
	}
	first.Warnings = nil
	if a, b := asJSON(t, first), asJSON(t, again); a != b || first.Text != "\ufffd<b>\u2028" {
		t.Errorf("first\n%s\nthen\n%s", a, b)
	}
}

// Of a reply that ended for an unknown reason its caller is warned, also when the ledger has it.
func TestClientDoubtsUnknownEndings(t *testing.T) {
	t.Parallel()
	p := &scripted{name: "fake", f: func(context.Context, int, llm.Request) (llm.Reply, error) {
		return llm.Reply{Text: "a", Stop: "new_reason"}, nil
	}}
	c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Ledger = &memory{} })
	for range 2 {
		if r := must(t, c, ask("a")); len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "may be cut off (new_reason)") {
			t.Errorf("%q", r.Warnings)
		}
	}
}

func TestClientNonce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "fake", f: func(ctx context.Context, n int, r llm.Request) (llm.Reply, error) {
			if n == 0 {
				return llm.Reply{}, &llm.Error{Kind: llm.KindServer, Message: "down"}
			}
			return echo(ctx, n, r)
		}}
		ledger := &memory{}
		c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Ledger = ledger })
		r := llm.Request{Model: "m", Messages: []llm.Message{
			{Role: "user", Text: "plain"}, {Role: "user", Text: llm.NonceMark + " and " + llm.NonceMark},
		}}
		reply := must(t, c, r)
		if !regexp.MustCompile(`^[0-9a-f]{16}$`).MatchString(reply.Nonce) || reply.Text != reply.Nonce+" and "+reply.Nonce {
			t.Errorf("the reply is %+v", reply)
		}
		if r.Messages[1].Text != llm.NonceMark+" and "+llm.NonceMark {
			t.Errorf("the caller's request was changed to %q", r.Messages[1].Text)
		}
		if a, b := p.calls[0].Messages[1].Text, p.calls[1].Messages[1].Text; a == b || strings.Contains(a,
			llm.NonceMark) || p.calls[0].Messages[0].Text != "plain" {
			t.Errorf("attempts with %q and %q: want a fresh nonce each", a, b)
		}
		if again := must(t, c, r); again.Nonce != reply.Nonce || p.count() != 2 {
			t.Errorf("the ledger gives the nonce %q, want %q", again.Nonce, reply.Nonce)
		}
		if got := ledger.only(t); !strings.Contains(string(got.Request), `\u0002nonce\u0003`) {
			t.Errorf("the key was made of %s: want the mark", got.Request)
		}
		if plain := must(t, c, ask("no mark")); plain.Nonce != "" {
			t.Errorf("a request without a mark has the nonce %q", plain.Nonce)
		}
		dry := client(t, p, func(cfg *llm.ClientConfig) { cfg.Random = strings.NewReader("short") })
		if _, err := dry.Complete(t.Context(), r); !llm.IsKind(err, llm.KindRequest) || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("without random bits: %v", err)
		}
	})
}

func TestNewClientRefuses(t *testing.T) {
	t.Parallel()
	good := llm.ClientConfig{Provider: &scripted{}, Now: time.Now, Random: strings.NewReader("")}
	if _, err := llm.NewClient(good); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*llm.ClientConfig){
		"needs a provider, a clock": func(c *llm.ClientConfig) { c.Provider = nil },
		"a clock and":               func(c *llm.ClientConfig) { c.Now = nil },
		"random bits":               func(c *llm.ClientConfig) { c.Random = nil },
		`mode "reply"`:              func(c *llm.ClientConfig) { c.Mode = "reply" },
		"needs a ledger":            func(c *llm.ClientConfig) { c.Mode = llm.Replay },
		"needs the id of a run":     func(c *llm.ClientConfig) { c.Mode = llm.Refresh },
		"-1 requests":               func(c *llm.ClientConfig) { c.RequestsPerMinute = -1 },
		"-2 tokens":                 func(c *llm.ClientConfig) { c.TokensPerMinute = -2 },
	} {
		cfg := good
		change(&cfg)
		if _, err := llm.NewClient(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	c := client(t, &scripted{name: "fake"}, nil)
	if _, err := c.Complete(t.Context(), llm.Request{Schema: json.RawMessage("{")}); !llm.IsKind(err, llm.KindRequest) {
		t.Errorf("a schema that is no JSON: %v", err)
	}
}

func readPrices(t testing.TB, yaml string) *llm.Prices {
	t.Helper()
	p, err := llm.ReadPrices(strings.NewReader(yaml), "test.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestNoCallIsPaidForOnceAReplyCannotBeKept has calls that wait while the disk fills up.
func TestNoCallIsPaidForOnceAReplyCannotBeKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "fake", f: func(ctx context.Context, n int, r llm.Request) (llm.Reply, error) {
			time.Sleep(time.Second)
			return echo(ctx, n, r)
		}}
		ledger := &memory{write: errors.New("the disk is full")}
		c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Ledger, cfg.Concurrency = ledger, 2 })
		var all sync.WaitGroup
		for _, text := range []string{"a", "b", "c", "d", "e"} {
			all.Go(func() {
				if _, err := c.Complete(t.Context(), ask(text)); !llm.IsKind(err, llm.KindLedger) {
					t.Errorf("%s: %v", text, err)
				}
			})
		}
		all.Wait()
		if n := p.count(); n != 2 {
			t.Errorf("%d calls were paid for: want the 2 in flight at the first failure", n)
		}
		// A server goes on once there is room.
		ledger.write = nil
		time.Sleep(10 * time.Second)
		must(t, c, ask("f"))
	})
}
