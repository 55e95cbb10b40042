package run_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/run"
)

// start is when every test begins: the clock that the engine is given stands
// still unless a test moves it.
var start = time.Date(2026, 11, 21, 13, 34, 9, 0, time.UTC)

// A fake is a target made of a function; it counts the calls for each case.
type fake struct {
	ask   func(ctx context.Context, c *assay.Case, call int) (assay.Response, error)
	delay func(id string, call int)
	mu    sync.Mutex
	calls map[string]int
	order []string
}

func (f *fake) Ask(ctx context.Context, c *assay.Case) (assay.Response, error) {
	f.mu.Lock()
	if f.calls == nil {
		f.calls = map[string]int{}
	}
	f.calls[c.ID]++
	n := f.calls[c.ID]
	f.order = append(f.order, c.ID)
	f.mu.Unlock()
	if f.delay != nil {
		f.delay(c.ID, n)
	}
	return f.ask(ctx, c, n)
}

func (f *fake) asked(id string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[id]
}

// echo answers with the question.
func echo(_ context.Context, c *assay.Case, _ int) (assay.Response, error) {
	return assay.Response{Answer: c.Question, Passages: []assay.Passage{{Document: c.ID}}}, nil
}

// A callError is what an adapter returns.
type callError struct {
	kind  string
	again bool
	after time.Duration
}

func (e callError) Error() string                { return "because of " + e.kind }
func (e callError) Failure() assay.Failure       { return assay.Failure{Kind: e.kind, Message: e.Error()} }
func (e callError) Retry() (time.Duration, bool) { return e.after, e.again }

// done are the records of earlier sessions.
func done(recs ...assay.Record) iter.Seq2[assay.Record, error] {
	return func(yield func(assay.Record, error) bool) {
		for _, r := range recs {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// roll gives the same number in 0…n-1 for the same text.
func roll(s string, n int) int {
	h := fnv.New32a()
	h.Write([]byte(s))
	return int(h.Sum32() % uint32(n))
}

// moody does with a case what the case's id decides: it answers, fails at
// first, fails for good, or panics.
func moody(ctx context.Context, c *assay.Case, call int) (assay.Response, error) {
	switch roll(c.ID, 8) {
	case 0:
		return assay.Response{}, callError{kind: "status"}
	case 1:
		if call < 3 {
			return assay.Response{}, callError{kind: "status", again: true, after: time.Second}
		}
	case 2:
		panic("target: " + c.ID)
	case 3:
		return assay.Response{Answer: "bad \xff", Passages: []assay.Passage{{Text: "x", Score: math.NaN()}}}, nil
	case 4:
		return assay.Response{Answer: c.Question}, nil // no passages reported
	}
	return echo(ctx, c, call)
}

// The metrics of the tests.
var set metric.Set

func define(name string, d metric.Def, f metric.Func) *metric.Def {
	d.Name, d.Title, d.Group, d.Doc, d.Formula, d.Edges, d.Source = name, name, metric.Answer, "x", "x", "x", "x"
	d.Version, d.Range = 1, [2]float64{0, 1}
	d.New = func(metric.Params) metric.Func { return f }
	return set.Define(d)
}

var (
	_ = define("length", metric.Def{Reads: metric.ReadAnswer}, func(_ context.Context, in metric.Input) (assay.Score, error) {
		if in.Embedder != nil {
			return assay.Score{}, errors.New("an embedder for a metric that does not embed")
		}
		return assay.Ratio(float64(len(in.Response.Answer)%7), 7), nil
	})
	_ = define("passages", metric.Def{Reads: metric.ReadPassages, Needs: metric.NeedDocuments},
		func(_ context.Context, in metric.Input) (assay.Score, error) {
			return assay.Value(1 / float64(1+len(in.Response.Passages)+in.MaxGrade)), nil
		})
	_ = define("fragile", metric.Def{}, func(_ context.Context, in metric.Input) (assay.Score, error) {
		switch roll("fragile "+in.Case.ID, 5) {
		case 0:
			panic(errors.New("metric: " + in.Case.ID))
		case 1:
			return assay.Score{}, errors.New("cannot")
		}
		return assay.Value(0.5), nil
	})
	_ = define("embeds", metric.Def{Embeds: true}, func(ctx context.Context, in metric.Input) (assay.Score, error) {
		v, err := in.Embedder.Embed(ctx, []string{in.Response.Answer})
		if err != nil {
			return assay.Score{}, err
		}
		return assay.Value(float64(v[0][0])), nil
	})
	_ = define("exits", metric.Def{}, func(context.Context, metric.Input) (assay.Score, error) {
		runtime.Goexit()
		return assay.Value(1), nil
	})
)

func metrics(t testing.TB, names ...string) []metric.Metric {
	t.Helper()
	ms, err := metric.NewCatalog(set.Defs()...).ParseAll(names)
	if err != nil {
		t.Fatal(err)
	}
	return ms
}

// embedder gives vectors of one number, which only the text decides.
type embedder struct{ wait func(context.Context) error }

func (e embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if e.wait != nil {
		if err := e.wait(ctx); err != nil {
			return nil, err
		}
	}
	var out [][]float32
	for _, s := range texts {
		out = append(out, []float32{float32(roll(s, 100)) / 100})
	}
	return out, nil
}
func (embedder) Dimensions() int  { return 1 }
func (embedder) Identity() string { return "test" }

// cases returns n cases, every third of them critical; id seeds the ids.
func cases(id string, n int) []assay.Case {
	var out []assay.Case
	for i := range n {
		c := assay.Case{ID: fmt.Sprintf("%s%d", id, i), Question: strings.Repeat("q", i+1), Critical: i%3 == 2}
		if i%2 == 0 {
			c.Want.Documents = map[string]int{"d": i % 4}
		}
		out = append(out, c)
	}
	return out
}

// config returns a config over a clock that stands still and waits that take
// no time.
func config(t testing.TB, target assay.Target, cs []assay.Case) run.Config {
	cfg := run.Defaults()
	cfg.Cases, cfg.Target, cfg.Metrics = assay.CasesOf(cs...), target, metrics(t, "length", "passages")
	cfg.Now = func() time.Time { return start }
	cfg.Sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	return cfg
}

// collect runs to the end and returns the records in the order of completion.
func collect(ctx context.Context, cfg run.Config) (recs []assay.Record, err error) {
	for r, e := range run.Run(ctx, cfg) {
		if e != nil {
			if err != nil {
				panic("two errors")
			}
			err = e
			continue
		}
		if err != nil {
			panic("a record after the error")
		}
		recs = append(recs, r)
	}
	return recs, err
}

func must(t testing.TB, cfg run.Config) []assay.Record {
	t.Helper()
	recs, err := collect(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return recs
}

func sorted(recs []assay.Record) []assay.Record {
	out := slices.Clone(recs)
	slices.SortFunc(out, func(a, b assay.Record) int { return a.Seq - b.Seq })
	return out
}

func seqs(recs []assay.Record) []int {
	var out []int
	for _, r := range recs {
		out = append(out, r.Seq)
	}
	return out
}

// A shelf is a recorder in memory.
type shelf struct {
	recs    []assay.Record
	batches []int
	fail    error // returned once failAt records are there
	failAt  int
	onPut   func()
}

func (s *shelf) Put(ctx context.Context, recs ...assay.Record) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if s.onPut != nil {
		s.onPut()
	}
	if s.fail != nil && len(s.recs)+len(recs) > s.failAt {
		return s.fail
	}
	for _, r := range recs {
		if slices.Contains(seqs(s.recs), r.Seq) {
			return fmt.Errorf("case %d is recorded twice", r.Seq)
		}
	}
	s.recs, s.batches = append(s.recs, recs...), append(s.batches, len(recs))
	return nil
}
