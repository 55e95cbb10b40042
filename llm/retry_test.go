package llm_test

import (
	"context"
	"errors"
	"net"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assay-eval/assay/llm"
)

// failing fails so many times, then echoes.
func failing(times int, err error) *scripted {
	return &scripted{name: "fake", f: func(ctx context.Context, n int, r llm.Request) (llm.Reply, error) {
		if n < times {
			return llm.Reply{}, err
		}
		return echo(ctx, n, r)
	}}
}

// waits are the times between the attempts.
func (s *scripted) waits() []time.Duration {
	var out []time.Duration
	for i := 1; i < len(s.at); i++ {
		out = append(out, s.at[i].Sub(s.at[i-1]))
	}
	return out
}

func TestRetryWaits(t *testing.T) {
	t.Parallel()
	for _, kind := range []llm.Kind{llm.KindRate, llm.KindServer, llm.KindTimeout, llm.KindNetwork, llm.KindReply} {
		synctest.Test(t, func(t *testing.T) {
			p := failing(4, &llm.Error{Kind: kind, Message: "not now"})
			must(t, client(t, p, nil), ask("a"))
			for i, d := range p.waits() {
				// 1, 2, 4, 8 s and a quarter around them.
				base := time.Second << i
				if d < base*3/4 || d > base*5/4 || d == base {
					t.Errorf("%s: wait %d is %v, want about %v, with jitter", kind, i, d, base)
				}
			}
			if p.count() != 5 {
				t.Errorf("%s: %d attempts, want 5", kind, p.count())
			}
		})
	}
}

// Two calls that fail together do not come back together, and the same seed
// gives the same waits.
func TestRetryJitter(t *testing.T) {
	t.Parallel()
	wait := func(seed uint64, text string) (d time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			p := failing(1, &llm.Error{Kind: llm.KindServer})
			must(t, client(t, p, func(cfg *llm.ClientConfig) { cfg.Seed = seed }), ask(text))
			d = p.waits()[0]
		})
		return d
	}
	first, again := wait(1, "a"), wait(1, "a")
	if first != again || first == wait(1, "b") || first == wait(2, "a") {
		t.Error("the jitter depends on something else than the seed and the key")
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := failing(2, &llm.Error{Kind: llm.KindRate, Status: 429, Message: "slow down", After: 30 * time.Second})
		must(t, client(t, p, nil), ask("a"))
		for _, d := range p.waits() {
			if d < 30*time.Second || d > 34*time.Second {
				t.Errorf("waited %v, want 30 s or a little more", d)
			}
		}
		// A server that fails may ask as well.
		o := failing(1, &llm.Error{Kind: llm.KindServer, Status: 500, After: 20 * time.Second})
		must(t, client(t, o, nil), ask("a"))
		if d := o.waits()[0]; d < 20*time.Second || d > 22*time.Second {
			t.Errorf("waited %v, want 20 s or a little more", d)
		}
		// Shorter than the own wait: the longer holds.
		q := failing(3, &llm.Error{Kind: llm.KindServer, After: time.Second})
		must(t, client(t, q, nil), ask("a"))
		if d := q.waits()[2]; d < 3*time.Second {
			t.Errorf("the third wait is %v, want about 4 s", d)
		}
		// Longer than anybody would wait.
		long := failing(1, &llm.Error{Kind: llm.KindRate, Status: 429, Message: "slow down", After: time.Hour})
		_, err := client(t, long, nil).Complete(t.Context(), ask("a"))
		const want = "asks to wait 1h0m0s, more than the limit of 2m0s"
		if long.count() != 1 || !llm.IsKind(err, llm.KindRate) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v after %d attempts", err, long.count())
		}
	})
}

// What one call is told about waiting holds for the others: they would be
// refused too.
func TestRetryAfterHoldsOthersBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := failing(1, &llm.Error{Kind: llm.KindRate, Status: 429, After: 30 * time.Second})
		c := client(t, p, nil)
		begin := time.Now()
		done := make(chan struct{})
		go func() { must(t, c, ask("a")); close(done) }()
		time.Sleep(time.Second)
		must(t, c, ask("b"))
		if d := time.Since(begin); d < 30*time.Second {
			t.Errorf("another call was made after %v, want it after 30 s", d)
		}
		<-done
	})
}

// A server that is closed for longer than anybody waits ends the run at once:
// later calls would each be refused, and their cases would be lost for a reason
// that has nothing to do with them.
func TestRetryGivesAClosedServerUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := failing(100, &llm.Error{Kind: llm.KindRate, Status: 429, Message: "quota used up", After: time.Hour})
		c := client(t, p, nil)
		begin := time.Now()
		for _, text := range []string{"a", "b"} {
			_, err := c.Complete(t.Context(), ask(text))
			var e *llm.Error
			if !errors.As(err, &e) || !e.Fatal() || e.Temporary() || e.Attempts != 1 {
				t.Errorf("%s: %+v: want a fatal error after one attempt", text, e)
			}
		}
		if d := time.Since(begin); d != 0 {
			t.Errorf("two calls took %v: want none to wait for a server that is closed", d)
		}
	})
}

// A server that dies in the middle of a run ends it, so that what is left can be
// asked when it is back; now and then a call may fail.
func TestRetryNoticesAnOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dead := false
		p := &scripted{name: "fake", f: func(ctx context.Context, n int, r llm.Request) (llm.Reply, error) {
			if dead {
				return llm.Reply{}, &llm.Error{Kind: llm.KindNetwork, Message: "connection refused"}
			}
			return echo(ctx, n, r)
		}}
		c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Concurrency, cfg.Retries = 1, -1 })
		for i := range 20 {
			// One reply, and the count begins again.
			dead = i != 9
			fatal := i == 19
			_, err := c.Complete(t.Context(), ask(strconv.Itoa(i)))
			var e *llm.Error
			if errors.As(err, &e) != dead || dead && e.Fatal() != fatal {
				t.Errorf("call %d: %v: want an error %t, that is fatal %t", i, err, dead, fatal)
			}
			if fatal && !strings.Contains(err.Error(), "connection refused; the last 10 calls all failed") {
				t.Errorf("call %d: %v", i, err)
			}
		}
	})
}

// Who stops a run does not want to wait for a server that asks to be left alone.
func TestStopEndsWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stop := make(chan struct{})
		p := failing(100, &llm.Error{Kind: llm.KindRate, Status: 429, Message: "slow down", After: time.Minute})
		c := client(t, p, func(cfg *llm.ClientConfig) { cfg.Stop = stop })
		time.AfterFunc(5*time.Second, func() { close(stop) })
		begin := time.Now()
		errs := make(chan error)
		for _, text := range []string{"a", "b"} {
			go func() {
				if text == "b" { // held back by what a was told
					time.Sleep(time.Second)
				}
				_, err := c.Complete(t.Context(), ask(text))
				errs <- err
			}()
		}
		for range 2 {
			var e *llm.Error
			if err := <-errs; !errors.As(err, &e) || !e.Fatal() || !errors.Is(err, llm.ErrStopped) {
				t.Errorf("%v: want an error that is final and says that the user stopped", err)
			}
		}
		if d := time.Since(begin); d != 5*time.Second || p.count() != 1 {
			t.Errorf("%d calls ended after %v: want one, and the end when it was wanted", p.count(), d)
		}
	})
}

func TestRetryEnds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err      error
		retries  int
		attempts int
		kind     llm.Kind
	}{
		{&llm.Error{Kind: llm.KindServer, Message: "down"}, 0, 5, llm.KindServer},
		{&llm.Error{Kind: llm.KindServer, Message: "down"}, 2, 3, llm.KindServer},
		{&llm.Error{Kind: llm.KindServer, Message: "down"}, -1, 1, llm.KindServer},
		{&llm.Error{Kind: llm.KindAuth, Message: "who?"}, 0, 1, llm.KindAuth},
		{&llm.Error{Kind: llm.KindModel, Message: "which?"}, 0, 1, llm.KindModel},
		{&llm.Error{Kind: llm.KindRequest, Message: "what?"}, 0, 1, llm.KindRequest},
		{&llm.Error{Kind: llm.KindTooLong, Message: "more?"}, 0, 1, llm.KindTooLong},
		{&llm.Error{Kind: llm.KindRefused, Message: "no"}, 0, 1, llm.KindRefused},
		{errors.New("not of its kind"), 1, 2, llm.KindNetwork},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := failing(100, test.err)
			_, err := client(t, p, func(cfg *llm.ClientConfig) { cfg.Retries = test.retries }).Complete(t.Context(), ask("a"))
			var e *llm.Error
			if !errors.As(err,
				&e) || e.Kind != test.kind || e.Attempts != test.attempts || p.count() != test.attempts || e.Provider != "fake" || e.Model != "m" {
				t.Errorf("%v: got %+v after %d calls: want kind %s, %d attempts", test.err, e, p.count(), test.kind, test.attempts)
			}
		})
	}
}

func TestRetryStops(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := failing(100, &llm.Error{Kind: llm.KindServer})
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		begin := time.Now()
		_, err := client(t, p, nil).Complete(ctx, ask("a"))
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != 2*time.Second {
			t.Errorf("got %v after %v, want the end of the context, at once", err, time.Since(begin))
		}
	})
}

// A hang is cut and counts as one attempt.
func TestTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{name: "fake", f: func(ctx context.Context, n int, r llm.Request) (llm.Reply, error) {
			if n == 2 {
				return echo(ctx, n, r)
			}
			<-ctx.Done()
			return llm.Reply{}, &llm.Error{Kind: llm.KindNetwork, Message: "connection closed", Err: ctx.Err()}
		}}
		must(t, client(t, p, nil), ask("a"))
		if d := p.waits()[0]; d < 2*time.Minute || d > 2*time.Minute+2*time.Second {
			t.Errorf("the second attempt came after %v, want 2 min and about 1 s", d)
		}
		_, err := client(t, &scripted{name: "fake", f: func(ctx context.Context, _ int, _ llm.Request) (llm.Reply, error) {
			<-ctx.Done()
			return llm.Reply{}, ctx.Err()
		}}, func(cfg *llm.ClientConfig) { cfg.Timeout, cfg.Retries = 5*time.Second, 1 }).Complete(t.Context(), ask("a"))
		if !llm.IsKind(err, llm.KindTimeout) || !strings.Contains(err.Error(), "no complete reply within 5s (after 2 attempts)") {
			t.Errorf("got %v", err)
		}
	})
}

// A budget is charged for what the provider may bill.
func TestChargedFailures(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err     error
		charged bool
	}{
		{&llm.Error{Kind: llm.KindTimeout}, true},
		{&llm.Error{Kind: llm.KindReply}, true},
		{&llm.Error{Kind: llm.KindRefused}, true},
		{&llm.Error{Kind: llm.KindNetwork, Err: errors.New("reset")}, true},
		{&llm.Error{Kind: llm.KindNetwork, Err: &net.OpError{Op: "read"}}, true},
		{&llm.Error{Kind: llm.KindNetwork, Err: &net.OpError{Op: "dial"}}, false},
		{&llm.Error{Kind: llm.KindNetwork, Err: &net.DNSError{}}, false},
		{&llm.Error{Kind: llm.KindRate}, false},
		{&llm.Error{Kind: llm.KindServer}, false},
		{&llm.Error{Kind: llm.KindAuth}, false},
	} {
		b := llm.NewBudget(1_000_000, 0)
		prices := readPrices(t, `prices: [{provider: fake, model: m, input: 1, output: 1}]`)
		c := client(t, failing(1, test.err), func(cfg *llm.ClientConfig) { cfg.Budget, cfg.Prices, cfg.Retries = b, prices, -1 })
		if _, err := c.Complete(t.Context(), ask("a")); err == nil {
			t.Fatal("no error")
		}
		if got := b.Spent() > 0; got != test.charged {
			t.Errorf("%v (%T): %d micro-dollars charged", test.err, errors.Unwrap(test.err), b.Spent())
		}
	}
}

// Who stops a run does not pay for calls that wait for their minute.
func TestStopEndsWaitsForTheRate(t *testing.T) {
	t.Parallel()
	for name, stopped := range map[string]func(*llm.ClientConfig, context.Context, chan struct{}) context.Context{
		"the run": func(cfg *llm.ClientConfig, ctx context.Context, stop chan struct{}) context.Context {
			cfg.Stop = stop
			return ctx
		},
		"a caller": func(_ *llm.ClientConfig, ctx context.Context, stop chan struct{}) context.Context {
			return llm.WithCaller(ctx, &llm.Caller{Run: "a", Stop: stop})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				stop := make(chan struct{})
				ctx := t.Context()
				p := &scripted{name: "p", f: echo}
				c := client(t, p, func(cfg *llm.ClientConfig) {
					cfg.RequestsPerMinute, cfg.Concurrency = 2, 5
					ctx = stopped(cfg, ctx, stop)
				})
				begin := time.Now()
				time.AfterFunc(5*time.Second, func() { close(stop) })
				errs := make(chan error)
				for i := range 5 {
					go func() {
						_, err := c.Complete(ctx, ask(string(rune(0x61+i))))
						errs <- err
					}()
				}
				ended := 0
				for range 5 {
					if err := <-errs; errors.Is(err, llm.ErrStopped) {
						ended++
					}
				}
				if d := time.Since(begin); ended != 3 || p.count() != 2 || d != 5*time.Second {
					t.Errorf("%d calls made, %d ended, after %v: want 2 and 3, and the end at the stop", p.count(), ended, d)
				}
			})
		})
	}
}
