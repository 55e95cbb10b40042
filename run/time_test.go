package run_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/run"
)

// real returns a config that uses the clock, for use in a synctest bubble.
func real(t *testing.T, target assay.Target, cs []assay.Case) run.Config {
	cfg := config(t, target, cs)
	cfg.Now, cfg.Sleep = time.Now, nil
	return cfg
}

func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		target := &fake{ask: func(ctx context.Context, c *assay.Case, call int) (assay.Response, error) {
			switch {
			case c.ID == "c0" || call == 1: // honours its context, says something else
				<-ctx.Done()
				return assay.Response{}, errors.New("connection reset")
			case c.ID == "c1": // comes just before the end
				time.Sleep(30*time.Second - 1)
			}
			return echo(ctx, c, call)
		}}
		cfg := real(t, target, cases("c", 2))
		begin := time.Now()
		recs := sorted(must(t, cfg))
		r := recs[0]
		if r.Failure == nil || r.Failure.Kind != "timeout" || r.Failure.Message != "no response within 30s" || r.Attempts != 4 ||
			r.Response != nil || r.Scores["length"].State != assay.TargetError {
			t.Errorf("a target that hangs gives %+v after %d attempts", r.Failure, r.Attempts)
		}
		if r := recs[1]; r.Failure != nil || r.Attempts != 2 || r.Response.Latency != 30*time.Second-1 || !r.Slow {
			t.Errorf("a second attempt in time gives %+v", r)
		}
		// Four calls of 30 s and waits of about 1+2+4 s; then two calls and one.
		if d := time.Since(begin); d < 185*time.Second || d > 192*time.Second {
			t.Errorf("took %v", d)
		}
	})
}

// A target that ignores its context is given up a second after the timeout.
func TestIgnoresContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		target := &fake{ask: func(_ context.Context, c *assay.Case, _ int) (assay.Response, error) {
			time.Sleep(time.Hour)
			return assay.Response{}, nil
		}}
		cfg := real(t, target, cases("c", 1))
		cfg.Retries = 0
		begin := time.Now()
		r := must(t, cfg)[0]
		if d := time.Since(begin); r.Failure == nil || r.Failure.Kind != "timeout" || d != 31*time.Second {
			t.Errorf("%+v after %v: want a timeout after 31s", r.Failure, d)
		}
		// A response in the second after the timeout is too late, too.
		cfg.Target = &fake{ask: func(context.Context, *assay.Case, int) (assay.Response, error) {
			time.Sleep(30*time.Second + time.Millisecond)
			return assay.Response{}, nil
		}}
		if r := must(t, cfg)[0]; r.Failure == nil || r.Failure.Kind != "timeout" {
			t.Errorf("a late response gives %+v", r)
		}
		cfg.Timeout = 0
		if r := must(t, cfg)[0]; r.Failure != nil {
			t.Errorf("without a timeout: %+v", r.Failure)
		}
		time.Sleep(time.Hour) // until the calls that were given up have ended
	})
}

func TestRetries(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		err      error
		attempts int
		kind     string
		low, up  []time.Duration // the waits, from and to
	}{
		{"any error", errors.New("no"), 4, "error", seconds(0.75, 1.5, 3), seconds(1.25, 2.5, 5)},
		{"wrapped", fmt.Errorf("ask: %w", callError{kind: "status", again: true}), 4, "status", seconds(0.75, 1.5, 3), seconds(1.25, 2.5, 5)},
		{"not again", callError{kind: "status"}, 1, "status", nil, nil},
		{"asks for less", callError{kind: "status", again: true, after: time.Second}, 4, "status", seconds(0.75, 1.5, 3), seconds(1.25, 2.5, 5)},
		{"asks for more", callError{kind: "status", again: true, after: 10 * time.Second}, 4, "status", seconds(10, 10, 10),
			seconds(10.25, 10.5, 11)},
		{"asks for too much", callError{kind: "status", again: true, after: 121 * time.Second}, 1, "status", nil, nil},
		{"no kind", callError{again: true}, 4, "error", seconds(0.75, 1.5, 3), seconds(1.25, 2.5, 5)},
		{"deadline of its own", fmt.Errorf("x: %w", context.DeadlineExceeded), 4, "timeout", seconds(0.75, 1.5, 3), seconds(1.25, 2.5, 5)},
		{"no such host", &net.DNSError{Err: "no such host"}, 4, "refused", seconds(0.75, 1.5, 3), seconds(1.25, 2.5, 5)},
		{"refused", fmt.Errorf("post: %w", &net.OpError{Op: "dial", Err: errors.New("refused")}), 4, "refused", seconds(0.75, 1.5, 3),
			seconds(1.25, 2.5, 5)},
		{"cut off", &net.OpError{Op: "read", Err: errors.New("reset")}, 4, "error", seconds(0.75, 1.5, 3), seconds(1.25, 2.5, 5)},
	} {
		var waits []time.Duration
		target := &fake{ask: func(context.Context, *assay.Case, int) (assay.Response, error) { return assay.Response{}, test.err }}
		cfg := config(t, target, cases("c", 1))
		cfg.Breaker = 0
		cfg.Sleep = func(_ context.Context, d time.Duration) error {
			waits = append(waits, d)
			return nil
		}
		r := must(t, cfg)[0]
		if r.Attempts != test.attempts || target.asked("c0") != test.attempts || r.Failure == nil || r.Failure.Kind != test.kind ||
			!strings.HasPrefix(test.err.Error(), "ask: ") && !strings.HasPrefix(r.Failure.Message, test.err.Error()) {
			t.Errorf("%s: %+v after %d attempts: want %q after %d", test.name, r.Failure, r.Attempts, test.kind, test.attempts)
		}
		if len(waits) != len(test.low) {
			t.Errorf("%s: waits %v: want %d", test.name, waits, len(test.low))
			continue
		}
		for i, w := range waits {
			if w < test.low[i] || w > test.up[i] {
				t.Errorf("%s: wait %d is %v: want %v to %v", test.name, i, w, test.low[i], test.up[i])
			}
		}
		before := slices.Clone(waits)
		waits = nil
		must(t, cfg)
		if !slices.Equal(before, waits) {
			t.Errorf("%s: waits %v, then %v with the same seed", test.name, before, waits)
		}
		waits, cfg.Seed = nil, 7
		must(t, cfg)
		if len(before) > 0 && slices.Equal(before, waits) {
			t.Errorf("%s: waits %v with another seed too", test.name, waits)
		}
	}
}

func seconds(s ...float64) (out []time.Duration) {
	for _, v := range s {
		out = append(out, time.Duration(v*float64(time.Second)))
	}
	return out
}

// The message of a failure is bounded and valid UTF-8.
func TestLongMessage(t *testing.T) {
	t.Parallel()
	cfg := config(t, &fake{ask: func(context.Context, *assay.Case, int) (assay.Response, error) {
		return assay.Response{}, errors.New("\xff" + strings.Repeat("é", 1<<20))
	}}, cases("c", 1))
	m := must(t, cfg)[0].Failure.Message
	if len(m) > 5000 || !strings.HasPrefix(m, "\uFFFDé") || !strings.HasSuffix(m, "é … (2097155 bytes in all)") {
		t.Errorf("message of %d bytes: %.10q…%q", len(m), m, m[len(m)-40:])
	}
}

// A stop starts no further case, records what is in flight, and does not wait
// for a retry.
func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		target := &fake{ask: func(ctx context.Context, c *assay.Case, call int) (assay.Response, error) {
			if c.ID == "c1" && call == 1 {
				return assay.Response{}, callError{kind: "status", again: true, after: time.Minute}
			}
			time.Sleep(10 * time.Second)
			return echo(ctx, c, call)
		}}
		stop := make(chan struct{})
		cfg := real(t, target, cases("c", 9))
		cfg.Concurrency, cfg.Stop = 4, stop // 2, 5, 8 and 0 start; then 1
		go func() {
			time.Sleep(15 * time.Second)
			close(stop)
		}()
		begin := time.Now()
		recs, err := collect(t.Context(), cfg)
		// At 10 s the first four end, and 1, 3, 4 and 6 start. 1 fails and
		// waits, so 7 follows at the same moment? No: its worker waits too.
		if !errors.Is(err, run.ErrStopped) || !slices.Equal(seqs(sorted(recs)), []int{0, 2, 3, 4, 5, 6, 8}) {
			t.Errorf("%v, %v: want all but 1 and 7", seqs(sorted(recs)), err)
		}
		if d := time.Since(begin); d != 20*time.Second || target.asked("c7") != 0 {
			t.Errorf("ended after %v: want 20s", d)
		}
	})
}

func TestStopBeforeAndAfter(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	close(stop)
	target := &fake{ask: echo}
	cfg := config(t, target, cases("c", 5))
	cfg.Stop = stop
	for range 2000 { // a select would choose at random
		if recs, err := collect(t.Context(), cfg); !errors.Is(err, run.ErrStopped) || len(recs) != 0 {
			t.Fatalf("stopped before: %d records, %v", len(recs), err)
		}
	}
	// A stop during the last case changes nothing: the run is complete.
	late := make(chan struct{})
	cfg.Stop, cfg.Target = late, &fake{ask: func(ctx context.Context, c *assay.Case, n int) (assay.Response, error) {
		if c.ID == "c4" {
			close(late)
		}
		return echo(ctx, c, n)
	}}
	if recs := must(t, cfg); len(recs) != 5 {
		t.Errorf("stopped in the last case: %d records", len(recs))
	}
}

// An abort cancels the calls in flight and drops their cases, but keeps a
// response that comes all the same.
func TestAbort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		target := &fake{ask: func(ctx context.Context, c *assay.Case, call int) (assay.Response, error) {
			switch c.ID {
			case "c2":
				<-ctx.Done()
				return echo(ctx, c, call)
			case "c5":
				<-ctx.Done()
				return assay.Response{}, ctx.Err()
			case "c8":
				time.Sleep(time.Hour) // ignores its context
			}
			return echo(ctx, c, call)
		}}
		ctx, cancel := context.WithCancel(t.Context())
		kept := &shelf{}
		cfg := real(t, target, cases("c", 9))
		cfg.Concurrency, cfg.Recorder, cfg.Timeout = 4, kept, 0
		go func() {
			time.Sleep(time.Minute)
			cancel()
		}()
		begin := time.Now()
		recs, err := collect(ctx, cfg)
		if want := []int{0, 1, 2, 3, 4, 6, 7}; !errors.Is(err, context.Canceled) || !slices.Equal(seqs(sorted(recs)), want) ||
			len(kept.recs) != 7 {
			t.Errorf("%v, %v: want %v", seqs(sorted(recs)), err, want)
		}
		if d := time.Since(begin); d != 61*time.Second {
			t.Errorf("ended after %v: want 61s", d)
		}
		time.Sleep(time.Hour) // until the call that was given up has ended
	})
}

// A metric that fails because of the abort does not make a final record.
func TestAbortWhileScoring(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := real(t, &fake{ask: echo}, cases("c", 3))
		cfg.Metrics, cfg.Scorers = metrics(t, "length", "embeds"), 3
		cfg.Embedder = embedder{wait: func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		recs, err := collect(ctx, cfg)
		if len(recs) != 0 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%d records, %v", len(recs), err)
		}
	})
}

func TestConcurrencyIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		target := &fake{ask: func(ctx context.Context, c *assay.Case, n int) (assay.Response, error) {
			time.Sleep(time.Second)
			return echo(ctx, c, n)
		}}
		for concurrency, want := range map[int]time.Duration{0: 20, 1: 20, 4: 5, 16: 2, 100: 1} {
			cfg := real(t, target, cases("c", 20))
			cfg.Concurrency = concurrency
			begin := time.Now()
			must(t, cfg)
			if d := time.Since(begin); d != want*time.Second {
				t.Errorf("20 cases of 1s, %d at once, took %v: want %ds", concurrency, d, want)
			}
		}
	})
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	down := &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	// up lists the cases that are answered.
	target := func(up ...string) *fake {
		return &fake{ask: func(ctx context.Context, c *assay.Case, n int) (assay.Response, error) {
			if slices.Contains(up, c.ID) {
				return echo(ctx, c, n)
			}
			return assay.Response{}, down
		}}
	}
	// The order is 2 5 8 0 1 3 4 6 7 9.
	for _, test := range []struct {
		name    string
		n       int
		up      []string
		done    []int
		breaker int
		tripped int // cases that the error counts; 0 means no error
		records int
	}{
		{"all", 10, nil, nil, 5, 5, 0},
		{"the fifth answers", 10, []string{"c1"}, nil, 5, 0, 10},
		{"the sixth answers", 10, []string{"c3"}, nil, 5, 5, 0},
		{"the first answers", 10, []string{"c2"}, nil, 5, 0, 10},
		{"fewer than five", 3, nil, nil, 5, 3, 0},
		{"one", 1, nil, nil, 5, 1, 0},
		{"switched off", 10, nil, nil, 0, 0, 10},
		{"the rest of a run", 10, nil, []int{0, 1, 2, 3, 4, 5, 6}, 5, 0, 3},
		{"a run resumed too early", 10, nil, []int{0, 1}, 5, 5, 0},
	} {
		kept := &shelf{}
		asked := target(test.up...)
		cfg := config(t, asked, cases("c", test.n))
		cfg.Breaker, cfg.Recorder = test.breaker, kept
		var earlier []assay.Record
		for _, i := range test.done {
			earlier = append(earlier, assay.Record{Seq: i, Case: cfg.Cases.At(i), Scores: map[string]assay.Score{"length": {}, "passages": {}}})
		}
		cfg.Done = done(earlier...)
		recs, err := collect(t.Context(), cfg)
		var e *run.UnreachableError
		if errors.As(err, &e) != (test.tripped > 0) || e != nil && e.Cases != test.tripped {
			t.Errorf("%s: %v: want %d cases", test.name, err, test.tripped)
		}
		if err != nil && !strings.Contains(err.Error(), "connection refused") {
			t.Errorf("%s: %v", test.name, err)
		}
		if n := asked.asked("c9"); test.tripped > 0 && n > 0 {
			t.Errorf("%s: the last case was asked %d times, after the end", test.name, n)
		}
		if len(recs) != test.records || len(kept.recs) != test.records {
			t.Errorf("%s: %d records, %d kept: want %d", test.name, len(recs), len(kept.recs), test.records)
		}
	}
}

// A run ends if the code of the target raises the same at the same place in the first ten cases.
func TestRunStopsAfterTenFailuresAlike(t *testing.T) {
	raised := func(text, place string) error {
		return &failing{kind: "exception", message: "KeyError: " + text + " (rag.py:" + place + " in rag)"}
	}
	for name, test := range map[string]struct {
		cases, done int
		fail        func(id string) error
		stops       bool
		records     int
	}{
		"alike, though the text names the question": {30, 0, func(id string) error { return raised(id, "7") }, true, 0},
		"another place in one":                      {30, 0, func(id string) error { return raised(id, strings.TrimLeft(id, "c01234678")) }, false, 30},
		"an answer in one": {30, 0, func(id string) error {
			if id == "c5" {
				return nil
			}
			return raised(id, "7")
		}, false, 30},
		"no more than ten cases":    {10, 0, func(id string) error { return raised(id, "7") }, false, 10},
		"the rest of a run":         {30, 1, func(id string) error { return raised(id, "7") }, false, 29},
		"a failure of another kind": {30, 0, func(id string) error { return &failing{kind: "status", message: "status 404"} }, false, 30},
	} {
		asked := &fake{ask: func(ctx context.Context, c *assay.Case, n int) (assay.Response, error) {
			if err := test.fail(c.ID); err != nil {
				return assay.Response{}, err
			}
			return echo(ctx, c, n)
		}}
		cfg := config(t, asked, cases("c", test.cases))
		cfg.Breaker, cfg.Retries = 5, 3
		for i := range test.done {
			cfg.Done = done(assay.Record{Seq: i, Case: cfg.Cases.At(i), Scores: map[string]assay.Score{"length": {}, "passages": {}}})
		}
		recs, err := collect(t.Context(), cfg)
		if (err != nil) != test.stops || len(recs) != test.records {
			t.Errorf("%s: %d records, %v", name, len(recs), err)
		}
		if err != nil && !strings.Contains(err.Error(), "stopped after 10 cases, which all failed alike: KeyError: c") {
			t.Errorf("%s: %v", name, err)
		}
		if n := asked.asked("c27"); test.stops && n > 0 || asked.asked("c1") > 1 {
			t.Errorf("%s: the last case was asked %d times, the second %d times", name, n, asked.asked("c1"))
		}
	}
}

// A failing is an error that is not retried.
type failing struct{ kind, message string }

func (f *failing) Error() string                { return f.message }
func (f *failing) Failure() assay.Failure       { return assay.Failure{Kind: f.kind, Message: f.message} }
func (f *failing) Retry() (time.Duration, bool) { return 0, false }

// The time runs out while connecting: that is no target, not a slow one.
func TestDialTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		target := &fake{ask: func(ctx context.Context, _ *assay.Case, _ int) (assay.Response, error) {
			<-ctx.Done()
			return assay.Response{}, &net.OpError{Op: "dial", Err: ctx.Err()}
		}}
		cfg := real(t, target, cases("c", 9))
		_, err := collect(t.Context(), cfg)
		var e *run.UnreachableError
		if !errors.As(err, &e) || e.Last.Kind != "refused" {
			t.Errorf("%v", err)
		}
	})
}

// A batch fills for 10 ms: of cases that end after 3, 6, … 30 ms those up to 13,
// from 15 to 25, and from 27. Nobody waits behind the last.
func TestBatchesFill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kept := &shelf{}
		cfg := real(t, &fake{ask: func(ctx context.Context, c *assay.Case, n int) (assay.Response, error) {
			time.Sleep(3 * time.Millisecond)
			return echo(ctx, c, n)
		}}, cases("c", 10))
		cfg.Recorder = kept
		begin := time.Now()
		must(t, cfg)
		if took := time.Since(begin); !slices.Equal(kept.batches, []int{4, 4, 2}) || took != 30*time.Millisecond {
			t.Errorf("batches %v in %v: want 4, 4 and 2 in 30 ms", kept.batches, took)
		}
	})
}
