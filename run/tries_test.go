package run_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/run"
)

// Every attempt that failed is kept, with what came of it and the wait after.
func TestTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := real(t, &fake{ask: func(ctx context.Context, c *assay.Case, call int) (assay.Response, error) {
			switch call {
			case 1:
				time.Sleep(2 * time.Second)
				return assay.Response{}, callError{kind: "status", again: true, after: 10 * time.Second}
			case 2:
				return assay.Response{}, callError{kind: "error", again: true}
			}
			return echo(ctx, c, call)
		}}, cases("c", 1))
		r := must(t, cfg)[0]
		if r.Failure != nil || r.Attempts != 3 || len(r.Tries) != 2 {
			t.Fatalf("%d attempts, tries %+v, failure %+v: want a response after two tries", r.Attempts, r.Tries, r.Failure)
		}
		first, second := r.Tries[0], r.Tries[1]
		if first.Kind != "status" || first.Latency != 2*time.Second || first.Wait < 10*time.Second || second.Kind != "error" ||
			second.Wait < 1500*time.Millisecond {
			t.Errorf("tries %+v", r.Tries)
		}
	})
}

// The last try of a case that failed is its failure, and no wait follows it.
func TestTriesOfAFailure(t *testing.T) {
	t.Parallel()
	cfg := config(t, &fake{ask: func(context.Context, *assay.Case, int) (assay.Response, error) {
		return assay.Response{}, callError{kind: "status", again: true}
	}}, cases("c", 1))
	r := must(t, cfg)[0]
	if len(r.Tries) != r.Attempts || r.Attempts != 4 {
		t.Fatalf("%d tries of %d attempts", len(r.Tries), r.Attempts)
	}
	last := r.Tries[3]
	if last.Wait != 0 || last.Failure != *r.Failure {
		t.Errorf("last try %+v, failure %+v", last, r.Failure)
	}
}

// What a failed attempt consumed counts as what the case consumed.
func TestTriesConsume(t *testing.T) {
	t.Parallel()
	for last, want := range map[string]assay.Usage{"response": {InputTokens: 9, Cost: 11}, "failure": {InputTokens: 12, Cost: 12}} {
		cfg := real(t, &fake{ask: func(ctx context.Context, c *assay.Case, call int) (assay.Response, error) {
			used := assay.Response{Usage: assay.Usage{InputTokens: 4, Cost: 4}}
			if call < 3 || last == "failure" {
				return used, callError{kind: "reply", again: call < 3}
			}
			r, err := echo(ctx, c, call)
			r.Usage = assay.Usage{InputTokens: 1, Cost: 3}
			return r, err
		}}, cases("c", 1))
		cfg.Sleep = func(context.Context, time.Duration) error { return nil }
		if r := must(t, cfg)[0]; r.Usage() != want || (r.Response == nil) != (last == "failure") {
			t.Errorf("%s: %+v of %+v: want %+v", last, r.Usage(), r.Tries, want)
		}
	}
}

// once is an error that is worth two attempts.
type once struct{ callError }

func (once) MostAttempts() int { return 2 }

func TestMostAttempts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		errs     []error
		attempts int
	}{
		{"crashes only", []error{once{callError{kind: "crash", again: true}}}, 2},
		// Other failures between do not count against it.
		{"mixed", []error{callError{kind: "status", again: true}, once{callError{kind: "crash", again: true}},
			once{callError{kind: "crash", again: true}}}, 3},
	} {
		cfg := config(t, &fake{ask: func(_ context.Context, _ *assay.Case, call int) (assay.Response, error) {
			return assay.Response{}, test.errs[min(call, len(test.errs))-1]
		}}, cases("c", 1))
		cfg.Breaker = 0
		if r := must(t, cfg)[0]; r.Attempts != test.attempts || r.Failure.Kind != "crash" {
			t.Errorf("%s: %d attempts, %+v: want %d", test.name, r.Attempts, r.Failure, test.attempts)
		}
	}
}

func TestFixedBackoff(t *testing.T) {
	t.Parallel()
	cfg := config(t, &fake{ask: func(context.Context, *assay.Case, int) (assay.Response, error) {
		return assay.Response{}, callError{kind: "status", again: true}
	}}, cases("c", 1))
	cfg.Backoff = run.Fixed
	for _, try := range must(t, cfg)[0].Tries[:3] {
		if try.Wait < 750*time.Millisecond || try.Wait > 1250*time.Millisecond {
			t.Errorf("wait %v: want a second, give or take a quarter", try.Wait)
		}
	}
}

// Calls begin no faster than the rate allows, however many workers there are,
// and retries count.
func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var began []time.Duration
		start := time.Now()
		cfg := real(t, nil, cases("c", 6))
		cfg.Target = &fake{ask: func(ctx context.Context, c *assay.Case, call int) (assay.Response, error) {
			began = append(began, time.Since(start))
			time.Sleep(time.Millisecond)
			return echo(ctx, c, call)
		}}
		cfg.Concurrency, cfg.Rate = 4, 2
		must(t, cfg)
		want := []time.Duration{0, 500 * time.Millisecond, time.Second, 1500 * time.Millisecond, 2 * time.Second, 2500 * time.Millisecond}
		if d := cmp.Diff(want, began); d != "" {
			t.Errorf("calls began (-want +got):\n%s", d)
		}
	})
}

// A run that waits for its turn ends at once when it is stopped.
func TestRateStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := real(t, &fake{ask: echo}, cases("c", 3))
		stop := make(chan struct{})
		cfg.Rate, cfg.Stop = 0.001, stop
		time.AfterFunc(time.Second, func() { close(stop) })
		begin := time.Now()
		got := 0
		for _, err := range run.Run(t.Context(), cfg) {
			if err == nil {
				got++
			}
		}
		if d := time.Since(begin); d != time.Second || got != 1 {
			t.Errorf("%d records after %v: want one, and the end with the stop", got, d)
		}
	})
}

func TestComposite(t *testing.T) {
	t.Parallel()
	cfg := config(t, &fake{ask: echo}, cases("c", 2))
	cfg.Metrics = metrics(t, "passages", "fragile")
	var err error
	if cfg.Composite, err = metric.NewComposite(cfg.Metrics, map[string]float64{"passages": 1, "fragile": 1}); err != nil {
		t.Fatal(err)
	}
	recs := sorted(must(t, cfg))
	for _, r := range recs {
		want := cfg.Composite.Score(map[string]assay.Score{"passages": r.Scores["passages"], "fragile": r.Scores["fragile"]})
		if d := cmp.Diff(want, r.Scores[assay.CompositeName]); d != "" {
			t.Errorf("case %q (-want +got):\n%s", r.Case.ID, d)
		}
	}
	// A run is resumed only with the composite it began with.
	cfg.Done, cfg.Composite = done(recs[:1]...), metric.Composite{}
	for _, err := range run.Run(t.Context(), cfg) {
		if err == nil {
			t.Error("records with a composite are resumed without one")
		}
	}
}

// lost is an error after which no case could be asked.
type lost struct{ callError }

func (lost) Fatal() bool { return true }

// What the target needs of the evaluator and cannot have ends the run; the case
// is not the target's failure, and is asked again when the run is resumed.
func TestFinalError(t *testing.T) {
	t.Parallel()
	target := &fake{ask: func(ctx context.Context, c *assay.Case, call int) (assay.Response, error) {
		if c.ID == "c1" {
			return assay.Response{}, fmt.Errorf("sampling: %w", lost{callError{kind: "error", again: true}})
		}
		return echo(ctx, c, call)
	}}
	cfg := config(t, target, cases("c", 4))
	kept := &shelf{}
	cfg.Recorder = kept
	var ended error
	for _, err := range run.Run(t.Context(), cfg) {
		ended = err
	}
	// The critical c2 and c0 come before c1, and c3 after it.
	if !errors.As(ended, new(lost)) || len(kept.recs) != 2 || target.asked("c1") != 1 || target.asked("c3") != 0 {
		t.Errorf("ended with %v after %d records: want the error after two", ended, len(kept.recs))
	}
}
