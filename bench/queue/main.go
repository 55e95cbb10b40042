//go:build unix

// Command queue measures runs over workers. It starts a PostgreSQL server, a stub that is the
// target and the judge, and processes of the program, and checks what they leave behind.
//
//	queue throughput   runs over 1, 2, 4 and 8 workers: cases a second, and what the database does for a case
//	queue judged       the same with a judge
//	queue chaos        workers and the server are killed at random during runs
//	queue budget       the same with a budget, which is not exceeded
//	queue operate      a large run is drained, cancelled and resumed as an operator does
//	queue idle         what workers and a run take of the database that wait
//	queue limits       how fast records can be stored, to one run and to several
//	queue smoke        small forms of all, which check and do not measure
//	queue stub         the stub
//
// With -keep DIR the figures are written there; docs/results/scale.md is made of those in
// bench/queue/measured.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"
)

type options struct {
	program, dir, keep    string
	latency, judgeLatency time.Duration
	concurrency           int
	workers               []int
	cases                 int
	rounds                int
	seed                  uint64
	budget                float64
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command(ctx, os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench/queue:", err)
		os.Exit(1)
	}
}

// command performs a subcommand.
func command(ctx context.Context, out io.Writer, args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		args = append([]string{"throughput"}, args...)
	}
	what := args[0]
	p, ok := parts[what]
	if !ok {
		return fmt.Errorf("%q: want throughput, judged, chaos, budget, operate, idle, limits or smoke", what)
	}
	o := options{}
	flags := flag.NewFlagSet("queue "+what, flag.ContinueOnError)
	flags.StringVar(&o.program, "assay", "", "the program to measure")
	flags.StringVar(&o.dir, "dir", os.TempDir(), "where the folder of the generated files is made, and removed")
	flags.StringVar(&o.keep, "keep", "", "folder that the figures are written to")
	flags.DurationVar(&o.latency, "latency", p.latency, "what the stub takes for a question")
	flags.DurationVar(&o.judgeLatency, "judge-latency", p.latency, "what the stub takes for a reply of the judge")
	flags.IntVar(&o.concurrency, "concurrency", p.concurrency, "questions at once of a batch; a worker has two batches")
	counts := flags.String("workers", "1,2,4,8", "numbers of workers, of throughput and judged")
	flags.IntVar(&o.cases, "cases", p.cases, "cases for each worker, of throughput and judged, or of a run")
	flags.IntVar(&o.rounds, "rounds", 10, "rounds of chaos")
	flags.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()%1e9), "seed of chaos")
	flags.Float64Var(&o.budget, "budget", 0, "most that a run of chaos may cost, in dollars; a reply costs 0.0011; 0 means no limit, or half of the calls for the part budget")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	for n := range strings.SplitSeq(*counts, ",") {
		v, err := strconv.Atoi(n)
		if err != nil || v < 1 {
			return fmt.Errorf("-workers %q: want numbers from 1 with commas between them", *counts)
		}
		o.workers = append(o.workers, v)
	}
	return p.perform(ctx, out, o)
}

// A part is a subcommand, with the defaults of its flags.
type part struct {
	perform            func(context.Context, io.Writer, options) error
	latency            time.Duration
	concurrency, cases int
}

// parts have latencies at which the stub is the limit and not the processors of a small machine,
// where throughput is measured.
var parts = map[string]part{
	"throughput": {throughputPart, time.Second, 4, 480},
	"judged":     {judgedPart, 2 * time.Second, 4, 240},
	"chaos":      {chaosPart, 300 * time.Millisecond, 4, 320},
	"budget":     {budgetPart, 300 * time.Millisecond, 4, 320},
	"operate":    {operatePart, 400 * time.Millisecond, 16, 20_000},
	"idle":       {idlePart, time.Second, 4, 1000},
	"limits":     {limitsPart, 10 * time.Millisecond, 64, 500},
	"smoke":      {smokePart, 50 * time.Millisecond, 4, 160},
	"stub":       {stubPart, 0, 0, 0},
}

func stubPart(_ context.Context, _ io.Writer, o options) error {
	return serveStub(o.latency, o.judgeLatency)
}

// in performs f in a lab.
func in(o options, f func(*lab) error) error {
	l, err := newLab(o.program, o.dir, o.latency, o.judgeLatency)
	if err != nil {
		return err
	}
	return errors.Join(f(l), l.close())
}

func throughputPart(_ context.Context, out io.Writer, o options) error {
	return o.scale(out, "throughput", form{Concurrency: o.concurrency})
}

func judgedPart(_ context.Context, out io.Writer, o options) error {
	return o.scale(out, "judged", form{Concurrency: o.concurrency, Judged: true})
}

// scale measures runs over several workers and keeps the figures.
func (o options) scale(out io.Writer, part string, f form) error {
	return in(o, func(l *lab) error {
		t, err := measureThroughput(l, out, o, f)
		if err != nil {
			return err
		}
		return o.save(part, t)
	})
}
