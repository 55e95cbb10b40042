package run_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/run"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(victimEnv); path != "" {
		fmt.Fprintln(os.Stderr, victim(path))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("database/sql.(*DB).connectionOpener"))
}

func TestOneRecord(t *testing.T) {
	t.Parallel()
	target := &fake{ask: echo}
	c := assay.Case{ID: "a", Question: "qqq", Want: assay.Want{Documents: map[string]int{"d": 3}}}
	got := must(t, config(t, target, []assay.Case{c}))
	want := []assay.Record{{
		Seq: 0, Case: c, Attempts: 1, Started: start,
		Response: &assay.Response{Answer: "qqq", Passages: []assay.Passage{{Document: "a"}}},
		Scores: map[string]assay.Score{
			"length": {State: assay.Scored, Value: 3.0 / 7, Num: 3, Den: 7, Lower: 3.0 / 7, Upper: 3.0 / 7},
			// One passage, and the highest grade is 3: 1/(1+1+3).
			"passages": {State: assay.Scored, Value: 0.2, Lower: 0.2, Upper: 0.2},
		},
		// No label says what a right answer is.
		Answer:    assay.AnswerUnknown,
		Retrieved: &assay.Retrieved{Of: 1, Missed: 1},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestCriticalFirst(t *testing.T) {
	t.Parallel()
	target := &fake{ask: echo}
	cfg := config(t, target, cases("c", 7)) // 2 and 5 are critical
	cfg.Scorers = 1                         // with more, completion is in any order
	recs := must(t, cfg)
	if want := []int{2, 5, 0, 1, 3, 4, 6}; !slices.Equal(seqs(recs), want) {
		t.Errorf("records come as %v, want %v", seqs(recs), want)
	}
	if want := []string{"c2", "c5", "c0", "c1", "c3", "c4", "c6"}; !slices.Equal(target.order, want) {
		t.Errorf("asked as %v, want %v", target.order, want)
	}
}

// Every case is asked, also when no metric applies or there is none.
func TestNothingToScore(t *testing.T) {
	t.Parallel()
	cfg := config(t, &fake{ask: echo}, cases("c", 4))
	cfg.Metrics = nil
	for _, r := range must(t, cfg) {
		if r.Response == nil || r.Scores == nil || len(r.Scores) != 0 {
			t.Errorf("record %+v: want a response and no scores", r)
		}
	}
	cfg.Metrics = metrics(t, "passages")
	recs := sorted(must(t, cfg))
	if s := recs[1].Scores["passages"]; recs[1].Response == nil || s.State != assay.NotApplicable || s.Reason == "" {
		t.Errorf("a case without labels has %+v", s)
	}
	cfg.Cases = nil
	if recs := must(t, cfg); len(recs) != 0 {
		t.Errorf("no cases give %d records", len(recs))
	}
}

func TestEmbedder(t *testing.T) {
	t.Parallel()
	cfg := config(t, &fake{ask: echo}, cases("c", 1))
	cfg.Metrics = metrics(t, "embeds", "length")
	if s := must(t, cfg)[0].Scores["embeds"]; s.State != assay.JudgeError || !strings.Contains(s.Reason, "no embedder") {
		t.Errorf("without an embedder: %+v", s)
	}
	cfg.Embedder = embedder{}
	if s := must(t, cfg)[0].Scores["embeds"]; s.State != assay.Scored || s.Value != float64(float32(roll("q", 100))/100) {
		t.Errorf("with an embedder: %+v", s)
	}
}

// Property: what the records hold depends on neither the concurrency nor the
// order of completion, and a run that is resumed after any part of it ends with
// the records of an undisturbed one and asks no finished case.
func TestAnyInterleaving(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		cs := cases(rapid.StringMatching(`[a-z]{1,4}`).Draw(rt, "id"), rapid.IntRange(1, 40).Draw(rt, "cases"))
		setUp := func() (run.Config, *fake) {
			target := &fake{ask: moody}
			cfg := config(t, target, cs)
			cfg.Metrics, cfg.Embedder = metrics(t, "length", "passages", "fragile", "embeds"), embedder{}
			return cfg, target
		}
		calm, _ := setUp()
		calm.Seed = rapid.Uint64().Draw(rt, "seed")
		want := sorted(must(t, calm))

		shuffled, target := setUp()
		shuffled.Seed = calm.Seed
		target.delay = func(id string, call int) { // mixes up the order
			for range roll(id+fmt.Sprint(call), 40) {
				runtime.Gosched()
			}
		}
		shuffled.Concurrency = rapid.IntRange(1, 16).Draw(rt, "concurrency")
		shuffled.Scorers = rapid.IntRange(1, 8).Draw(rt, "scorers")
		var earlier []assay.Record
		for _, r := range want {
			if rapid.Bool().Draw(rt, "done") {
				earlier = append(earlier, r)
			}
		}
		shuffled.Done = done(earlier...)
		kept := &shelf{}
		shuffled.Recorder = kept
		got := must(t, shuffled)
		if !slices.Equal(seqs(got), seqs(kept.recs)) {
			rt.Fatalf("yielded %v, recorded %v", seqs(got), seqs(kept.recs))
		}
		if d := cmp.Diff(want, sorted(slices.Concat(got, earlier))); d != "" {
			rt.Fatalf("(-want +got):\n%s", d)
		}
		for _, r := range earlier {
			if n := target.asked(r.Case.ID); n != 0 {
				rt.Fatalf("finished case %q was asked %d times", r.Case.ID, n)
			}
		}
	})
}

func TestPanics(t *testing.T) {
	t.Parallel()
	asked := cases("c", 3)
	for roll("fragile "+asked[2].ID, 5) != 0 {
		asked[2].ID += "x" // until it is one on which the metric panics
	}
	cfg := config(t, &fake{ask: func(ctx context.Context, c *assay.Case, _ int) (assay.Response, error) {
		switch c.ID {
		case "c0":
			var none *assay.Case
			return assay.Response{Answer: none.ID}, nil
		case "c1":
			new(testing.T).FailNow() // runtime.Goexit
		}
		return echo(ctx, c, 0)
	}}, asked)
	cfg.Metrics = metrics(t, "length", "fragile")
	recs := sorted(must(t, cfg))
	if f := recs[0].Failure; f == nil || f.Kind != "crash" || !strings.Contains(f.Message, "nil pointer") ||
		!strings.Contains(f.Message, "run_test.go:") || strings.Contains(f.Message, "0x") || recs[0].Attempts != 1 {
		t.Errorf("a nil pointer gives %+v after %d attempts", f, recs[0].Attempts)
	}
	if s := recs[0].Scores["length"]; s.State != assay.TargetError || s.Value != 0 {
		t.Errorf("a crashed case scores %+v", s)
	}
	if f := recs[1].Failure; f == nil || f.Kind != "crash" || !strings.Contains(f.Message, "Goexit") {
		t.Errorf("an ended goroutine gives %+v", f)
	}
	s := recs[2].Scores["fragile"]
	if s.State != assay.JudgeError || !strings.Contains(s.Reason, "metric fragile: panic: metric: "+recs[2].Case.ID+" [run_test.") ||
		!strings.Contains(s.Reason, "fake_test.go:") || strings.Contains(s.Reason, "/") {
		t.Errorf("a metric that panics gives %+v", s)
	}
	if recs[2].Scores["length"].State != assay.Scored {
		t.Error("a metric that panics took another one with it")
	}
}

// A metric that ends its goroutine loses its case, which the run says.
func TestMetricExits(t *testing.T) {
	t.Parallel()
	cfg := config(t, &fake{ask: echo}, cases("c", 3))
	cfg.Metrics, cfg.Scorers = metrics(t, "exits"), 3
	recs, err := collect(t.Context(), cfg)
	if len(recs) != 0 || err == nil || !strings.Contains(err.Error(), "3 cases ended without a record") {
		t.Errorf("%d records, %v", len(recs), err)
	}
}

// The target gets a copy of its case.
func TestTargetChangesCase(t *testing.T) {
	t.Parallel()
	cfg := config(t, &fake{ask: func(_ context.Context, c *assay.Case, _ int) (assay.Response, error) {
		c.ID, c.Want = "changed", assay.Want{}
		return assay.Response{}, nil
	}}, cases("c", 1))
	r := must(t, cfg)[0]
	if r.Case.ID != "c0" || r.Case.Want.Documents == nil || cfg.Cases.At(0).ID != "c0" {
		t.Errorf("the record's case is %+v", r.Case)
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	passages := []assay.Passage{{Text: "fine", Score: 1}, {Text: "\xff", Score: math.Inf(1)}, {Text: "fine", Score: 1}}
	cfg := config(t, &fake{ask: func(context.Context, *assay.Case, int) (assay.Response, error) {
		return assay.Response{
			Answer: "a\xffb", Passages: passages, Latency: -5, Warnings: []string{"w\xff"},
			Trace: &assay.Trace{Stages: []assay.Stage{{Name: "n", Input: []byte("{"), Output: []byte("\"\xff\"")}}},
		}, nil
	}}, cases("c", 1))
	want := &assay.Response{
		Answer:   "a\uFFFDb",
		Passages: []assay.Passage{{Text: "fine", Score: 1}, {Text: "\uFFFD"}, {Text: "fine", Score: 1}},
		Trace:    &assay.Trace{Stages: []assay.Stage{{Name: "n", Input: []byte(`"{"`), Output: []byte("\"\uFFFD\"")}}},
		Warnings: []string{
			"w\uFFFD", "answer: invalid UTF-8 replaced", "passages[1].text: invalid UTF-8 replaced", "passages[1].score: +Inf replaced by 0",
			"trace.stages[0].input: not JSON, kept as text", "trace.stages[0].output: invalid UTF-8 replaced", "latency: -5ns replaced by 0",
		},
	}
	if d := cmp.Diff(want, must(t, cfg)[0].Response); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if passages[1].Text != "\xff" || !math.IsInf(passages[1].Score, 1) {
		t.Error("the target's own passages were changed")
	}
	for _, p := range [][]assay.Passage{nil, {}} {
		cfg.Target = &fake{ask: func(context.Context, *assay.Case, int) (assay.Response, error) {
			return assay.Response{Passages: p}, nil
		}}
		if r := must(t, cfg)[0].Response; (r.Passages == nil) != (p == nil) || r.Warnings != nil {
			t.Errorf("passages %#v became %#v with %q", p, r.Passages, r.Warnings)
		}
	}
}

// replay tells its latency itself.
type replay struct{ fake }

func (*replay) ReportsLatency() bool { return true }

func TestLatency(t *testing.T) {
	t.Parallel()
	given := map[string]time.Duration{"c0": 0, "c1": 7 * time.Second, "c2": 5 * time.Second}
	ask := func(_ context.Context, c *assay.Case, _ int) (assay.Response, error) {
		return assay.Response{Latency: given[c.ID]}, nil
	}
	cs := cases("c", 3)
	for _, test := range []struct {
		target assay.Target
		want   []time.Duration
	}{
		// The clock moves on by 6 s each time it is read.
		{&fake{ask: ask}, []time.Duration{6 * time.Second, 7 * time.Second, 5 * time.Second}},
		{&replay{fake{ask: ask}}, []time.Duration{0, 7 * time.Second, 5 * time.Second}},
	} {
		cfg := config(t, test.target, cs)
		now := start
		cfg.Now = func() time.Time {
			now = now.Add(6 * time.Second)
			return now
		}
		for i, r := range sorted(must(t, cfg)) {
			// Slow is above 5 s, not at it.
			if r.Response.Latency != test.want[i] || r.Slow != (test.want[i] > 5*time.Second) {
				t.Errorf("%T case %d: latency %v, slow %v: want %v", test.target, i, r.Response.Latency, r.Slow, test.want[i])
			}
		}
	}
}

func TestConfigErrors(t *testing.T) {
	t.Parallel()
	ok := func() run.Config { return config(t, &fake{ask: echo}, cases("c", 3)) }
	rec := sorted(must(t, ok()))[2]
	for _, test := range []struct {
		change func(*run.Config)
		want   string
	}{
		{func(c *run.Config) { c.Target = nil }, "no target"},
		{func(c *run.Config) { c.Now = nil }, "no clock"},
		{func(c *run.Config) { c.Retries = -1 }, "retries -1"},
		{func(c *run.Config) { c.Timeout = -1 }, "timeout -1ns"},
		{func(c *run.Config) { c.Done = done(rec, rec) }, `contains case "c2" twice`},
		{func(c *run.Config) { c.Done = done(rec); c.Cases = c.Cases.Where(func(i int) bool { return i < 2 }) }, `the dataset now has 2 cases`},
		{func(c *run.Config) {
			c.Done = done(rec)
			c.Cases = c.Cases.Change(func(_ int, c *assay.Case) { c.ID = strings.Replace(c.ID, "c2", "new", 1) })
		}, `case 2 was "c2" and is now "new"`},
		{func(c *run.Config) {
			c.Done = done(rec)
			c.Metrics = metrics(t, "length", "passages", "embeds")
		}, `no score of "embeds"`},
		{func(c *run.Config) { c.Done = done(rec); c.Metrics = metrics(t, "length") }, `has a score of "passages"`},
		{func(c *run.Config) { c.Done = done(assay.Record{Seq: -1}) }, "the run has a case -1"},
	} {
		cfg := ok()
		test.change(&cfg)
		if recs, err := collect(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), test.want) || len(recs) != 0 {
			t.Errorf("%d records, %v: want %q", len(recs), err, test.want)
		}
	}
}

func TestRecorder(t *testing.T) {
	t.Parallel()
	kept := &shelf{}
	cfg := config(t, &fake{ask: echo}, cases("c", 600))
	cfg.Recorder, cfg.Concurrency = kept, 4
	n := 0
	for r, err := range run.Run(t.Context(), cfg) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n > len(kept.recs) || kept.recs[n-1].Seq != r.Seq {
			t.Fatalf("record %d is yielded before it is kept", r.Seq)
		}
	}
	if n != 600 || slices.Max(kept.batches) > 256 {
		t.Errorf("%d records, batches %v: want 600 in batches up to 256", n, kept.batches)
	}

	full := errors.New("disk full")
	cfg.Recorder = &shelf{fail: full, failAt: 50}
	cfg.Target = &fake{ask: echo}
	recs, err := collect(t.Context(), cfg)
	if !errors.Is(err, full) || !strings.Contains(err.Error(), "recording") || len(recs) > 50 {
		t.Errorf("%d records, %v", len(recs), err)
	}
}

// Leaving the loop aborts what is in flight and leaks nothing (see TestMain).
func TestConsumerLeaves(t *testing.T) {
	t.Parallel()
	for _, after := range []int{1, 10, 49} {
		kept := &shelf{}
		target := &fake{ask: func(ctx context.Context, c *assay.Case, n int) (assay.Response, error) {
			if c.ID == "c49" {
				<-ctx.Done()
				return assay.Response{}, ctx.Err()
			}
			return echo(ctx, c, n)
		}}
		cfg := config(t, target, cases("c", 50))
		cfg.Concurrency, cfg.Recorder = 4, kept
		n := 0
		for range run.Run(t.Context(), cfg) {
			if n++; n == after {
				break
			}
		}
		if len(kept.recs) < after || slices.Contains(seqs(kept.recs), 49) {
			t.Errorf("left after %d: kept %v", after, seqs(kept.recs))
		}
	}
	// Also when the recorder fails once nobody listens.
	kept := &shelf{fail: errors.New("full"), failAt: 1}
	cfg := config(t, &fake{ask: echo}, cases("c", 50))
	cfg.Recorder = kept
	for range run.Run(t.Context(), cfg) {
		break
	}
}

// What the target answered is scored as it is; what is stored, yielded or judged has no secret.
func TestHide(t *testing.T) {
	t.Parallel()
	target := &fake{ask: func(_ context.Context, c *assay.Case, _ int) (assay.Response, error) {
		if c.ID == "a1" {
			return assay.Response{}, errors.New("no planted-key")
		}
		return assay.Response{Answer: "say planted-key", Passages: []assay.Passage{{Document: "planted-key.md"}}}, nil
	}}
	cs := cases("a", 2)
	cs[0].Question = "What is planted-key?"
	cfg := config(t, target, cs)
	plain, err := collect(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Hide = secret.Set{secret.New("planted-key")}.Hide
	var stored recorded
	cfg.Recorder = &stored
	got, err := collect(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, recs := range [][]assay.Record{plain, got, stored} {
		slices.SortFunc(recs, func(a, b assay.Record) int { return a.Seq - b.Seq })
	}
	if d := cmp.Diff(plain[0].Scores, got[0].Scores); d != "" {
		t.Errorf("scores (-want +got):\n%s", d)
	}
	if r := got[0].Response; r.Answer != "say [secret]" || r.Passages[0].Document != "[secret].md" || got[0].Case.Question != cs[0].Question {
		t.Errorf("%+v of %+v", r, got[0].Case)
	}
	if f := got[1].Failure; f == nil || strings.Contains(f.Message, "planted-key") {
		t.Errorf("failure %+v", f)
	}
	if d := cmp.Diff(got, []assay.Record(stored)); d != "" {
		t.Errorf("stored (-yielded +stored):\n%s", d)
	}
}

type recorded []assay.Record

func (r *recorded) Put(_ context.Context, recs ...assay.Record) error {
	*r = append(*r, recs...)
	return nil
}
