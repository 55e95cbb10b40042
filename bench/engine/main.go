// Command engine measures what the engine and the store cost for each case,
// with a target that answers at once: the upper limit of every run. It prints
// records per second for each setting, several rounds of all of them in turn,
// so that what else the machine does falls on each alike, and the medians.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/store"
)

func main() {
	n := flag.Int("cases", 5000, "cases of a run")
	rounds := flag.Int("rounds", 5, "rounds")
	size := flag.Int("passage", 400, "bytes of each of the ten passages of a response")
	flag.Parse()
	if err := measure(*n, *rounds, *size); err != nil {
		fmt.Fprintln(os.Stderr, "engine:", err)
		os.Exit(1)
	}
}

// A setting is one way to keep the records.
type setting struct {
	name string
	run  func(ctx context.Context, dir string, cfg run.Config) error
}

var settings = []setting{
	{"engine alone", func(ctx context.Context, _ string, cfg run.Config) error { return drain(ctx, cfg) }},
	{"engine and store, 1 at once", func(ctx context.Context, dir string, cfg run.Config) error { return stored(ctx, dir, cfg, nil) }},
	{"engine and store, 8 at once", func(ctx context.Context, dir string, cfg run.Config) error {
		cfg.Concurrency = 8
		return stored(ctx, dir, cfg, nil)
	}},
	{"engine and store, one commit a record", func(ctx context.Context, dir string, cfg run.Config) error {
		return stored(ctx, dir, cfg, func(r run.Recorder) run.Recorder { return single{r} })
	}},
	{"bare inserts of as many bytes, NORMAL", func(ctx context.Context, dir string, cfg run.Config) error {
		return bare(ctx, dir, cfg, "NORMAL")
	}},
	{"bare inserts of as many bytes, FULL", func(ctx context.Context, dir string, cfg run.Config) error {
		return bare(ctx, dir, cfg, "FULL")
	}},
}

func measure(n, rounds, size int) error {
	took := map[string][]float64{}
	for range rounds {
		for _, s := range settings {
			dir, err := os.MkdirTemp("", "assay-bench")
			if err != nil {
				return err
			}
			begin := time.Now()
			err = s.run(context.Background(), dir, config(n, size))
			rate := float64(n) / time.Since(begin).Seconds()
			if err := os.RemoveAll(dir); err != nil {
				return err
			}
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			took[s.name] = append(took[s.name], rate)
		}
	}
	fmt.Printf("%d cases, 10 passages of %d bytes, %d rounds\n", n, size, rounds)
	for _, s := range settings {
		slices.Sort(took[s.name])
		m := took[s.name][rounds/2]
		fmt.Printf("%-40s %9.0f records/s  %7.1f µs a record  (%.0f to %.0f)\n", s.name, m, 1e6/m, took[s.name][0], took[s.name][rounds-1])
	}
	return nil
}

// instant answers every case with the same ten passages.
type instant struct{ response assay.Response }

func (t instant) Ask(context.Context, *assay.Case) (assay.Response, error) { return t.response, nil }

func config(n, size int) run.Config {
	var set metric.Set
	set.Define(metric.Def{
		Name: "first", Title: "First", Group: metric.Retrieval, Doc: "-", Formula: "-", Edges: "-", Source: "-", Version: 1,
		Range: [2]float64{0, 1},
		New: func(metric.Params) metric.Func {
			return func(_ context.Context, in metric.Input) (assay.Score, error) {
				return assay.Value(float64(in.Case.Want.Documents[in.Response.Passages[0].Document])), nil
			}
		},
	})
	first, err := metric.NewCatalog(set.Defs()...).Parse("first")
	if err != nil {
		panic(err) // the definition above is wrong
	}
	var r assay.Response
	for i := range 10 {
		r.Passages = append(r.Passages, assay.Passage{Document: fmt.Sprint("d", i), Text: strings.Repeat("x", size), Score: 1 / float64(i+1)})
	}
	cfg := run.Defaults()
	for i := range n {
		cfg.Cases.Add(&assay.Case{ID: fmt.Sprint("c", i), Question: "Which document is first?",
			Want: assay.Want{Documents: map[string]int{"d0": 1}}})
	}
	cfg.Target, cfg.Metrics, cfg.Now = instant{r}, []metric.Metric{first}, time.Now
	return cfg
}

func drain(ctx context.Context, cfg run.Config) error {
	n := 0
	for _, err := range run.Run(ctx, cfg) {
		if err != nil {
			return err
		}
		n++
	}
	if n != cfg.Cases.Len() {
		return fmt.Errorf("%d records of %d cases", n, cfg.Cases.Len())
	}
	return nil
}

// single keeps each record in a commit of its own.
type single struct{ run.Recorder }

func (s single) Put(ctx context.Context, recs ...assay.Record) error {
	for _, r := range recs {
		if err := s.Recorder.Put(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

func stored(ctx context.Context, dir string, cfg run.Config, wrap func(run.Recorder) run.Recorder) error {
	s, err := store.Open(ctx, filepath.Join(dir, "assay.db"))
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.CreateRun(ctx, assay.Header{ID: "bench"}); err != nil {
		return err
	}
	cfg.Recorder = run.Keep(s, "bench")
	if wrap != nil {
		cfg.Recorder = wrap(cfg.Recorder)
	}
	return drain(ctx, cfg)
}

// bare inserts a text as long as a record, one commit each: what SQLite can do.
func bare(ctx context.Context, dir string, cfg run.Config, synchronous string) error {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "bare.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous("+synchronous+")")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, `CREATE TABLE t (seq integer PRIMARY KEY, record text)`); err != nil {
		return err
	}
	c := cfg.Cases.At(0)
	r, err := cfg.Target.Ask(ctx, &c)
	if err != nil {
		return err
	}
	text, err := json.Marshal(assay.Record{Case: c, Response: &r})
	if err != nil {
		return err
	}
	for i := range cfg.Cases.Len() {
		if _, err := db.ExecContext(ctx, `INSERT INTO t VALUES ($1, $2)`, i, string(text)); err != nil {
			return err
		}
	}
	return nil
}
