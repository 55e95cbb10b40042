// Command targets measures a whole run over HTTP: the engine, the http adapter,
// two metrics and a store, against a stub in a process of its own that takes a
// fixed time for every question. It prints the throughput beside the ideal,
// which is concurrency divided by latency, and how the heap grows.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric/catalog"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/reply"
)

type options struct {
	cases, concurrency, rounds, size int
	latency                          time.Duration
	profile                          string
	least                            float64
}

func main() {
	var o options
	flag.IntVar(&o.cases, "cases", 10000, "cases of a run")
	flag.IntVar(&o.concurrency, "concurrency", 200, "questions at once")
	flag.IntVar(&o.rounds, "rounds", 3, "rounds")
	flag.IntVar(&o.size, "passage", 400, "bytes of each of the ten passages of a reply")
	flag.DurationVar(&o.latency, "latency", 50*time.Millisecond, "what the stub takes")
	flag.StringVar(&o.profile, "profile", "", "write a profile of the processor's time to this file")
	flag.Float64Var(&o.least, "least", 0, "fail when the best round is below this share of the ideal")
	stub := flag.Bool("stub", false, "be the stub: print the address, end with standard input")
	flag.Parse()
	err := error(nil)
	if *stub {
		err = serve(o)
	} else {
		err = measure(o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "targets:", err)
		os.Exit(1)
	}
}

func measure(o options) error {
	address, end, err := startStub(o)
	if err != nil {
		return err
	}
	// Ending twice is harmless.
	defer end()
	if o.profile != "" {
		f, err := os.Create(o.profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	ideal := float64(o.concurrency) / o.latency.Seconds()
	fmt.Printf("%d cases, %d at once, stub of %v: ideal %.0f cases/s; %d processors\n", o.cases, o.concurrency, o.latency, ideal, runtime.GOMAXPROCS(0))
	var shares []float64
	for range o.rounds {
		r, err := round(o, address)
		if err != nil {
			return err
		}
		share := float64(o.cases) / r.took.Seconds() / ideal
		shares = append(shares, share)
		fmt.Printf("%6.0f cases/s, %5.1f %% of the ideal; %.0f µs of processor a case; median latency %v; load %s\n",
			share*ideal, 100*share, r.cpu.Seconds()/float64(o.cases)*1e6, r.latency.Round(100*time.Microsecond), load())
		fmt.Printf("       heap in use after %d cases %.1f MB, after %d %.1f MB: %+.0f bytes a case; peak %.1f MB\n",
			o.cases/5, mega(r.early), o.cases, mega(r.late), (float64(r.late)-float64(r.early))/float64(o.cases-o.cases/5), mega(r.peak))
	}
	fmt.Printf("the stub took %.0f µs of processor a case\n", end().Seconds()/float64(o.cases*o.rounds)*1e6)
	slices.Sort(shares)
	best := shares[len(shares)-1]
	fmt.Printf("best %.1f %%, median %.1f %% of the ideal; goal 95 %%\n", 100*best, 100*shares[len(shares)/2])
	if best < o.least {
		return fmt.Errorf("%.1f %% of the ideal: want %.1f %%", 100*best, 100*o.least)
	}
	return nil
}

type result struct {
	took, cpu, latency time.Duration
	// early and late are the live heap after a fifth of the cases and at the end,
	// peak the most that was in use.
	early, late, peak uint64
}

func round(o options, address string) (r result, err error) {
	dir, err := os.MkdirTemp("", "assay-bench")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	s, err := store.Open(ctx, filepath.Join(dir, "assay.db"))
	if err != nil {
		return r, err
	}
	defer s.Close()
	if err := s.CreateRun(ctx, assay.Header{ID: "bench"}); err != nil {
		return r, err
	}
	m, err := reply.NewMapping(map[string]string{reply.Answer: "answer", reply.Passages: "passages[]", reply.Document: "document", reply.Text: "text", reply.Score: "score"})
	if err != nil {
		return r, err
	}
	h, err := target.NewHTTP(target.HTTPConfig{
		Endpoint: address, Read: m, Proxy: "none", Now: time.Now,
		Send: map[string]any{"question": "{{question}}", "top_k": "{{top_k}}"}, TopK: 10,
	})
	if err != nil {
		return r, err
	}
	defer h.Close()

	cfg := run.Defaults()
	if cfg.Metrics, err = catalog.All().ParseAll([]string{"recall@10", "ndcg@10"}); err != nil {
		return r, err
	}
	for i := range o.cases {
		cfg.Cases = append(cfg.Cases, assay.Case{ID: fmt.Sprint("c", i), Question: "Which document is the first?", Want: assay.Want{Documents: map[string]int{"d0": 1, "d99": 1}}})
	}
	cfg.Target, cfg.Now, cfg.Concurrency, cfg.Recorder = h, time.Now, o.concurrency, s.Recorder("bench")

	peak := watchHeap()
	latencies := make([]time.Duration, 0, o.cases)
	cpu, begin := processor(), time.Now()
	for rec, err := range run.Run(ctx, cfg) {
		if err != nil {
			peak()
			return r, err
		}
		if rec.Failure != nil {
			peak()
			return r, fmt.Errorf("case %s: %s", rec.Case.ID, rec.Failure.Message)
		}
		latencies = append(latencies, rec.Response.Latency)
		if len(latencies) == o.cases/5 {
			// Costs what it costs: a collection is part of the time measured.
			r.early = live()
		}
	}
	r.took, r.cpu = time.Since(begin), processor()-cpu
	r.peak, r.late = peak(), live()
	if len(latencies) != o.cases {
		return r, fmt.Errorf("%d records of %d cases", len(latencies), o.cases)
	}
	slices.Sort(latencies)
	r.latency = latencies[len(latencies)/2]
	return r, nil
}

// live is what a collection leaves on the heap.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// watchHeap looks at the heap every 20 ms until the function that it returns is
// called, which gives the most that was seen.
func watchHeap() func() uint64 {
	stop := make(chan struct{})
	var peak uint64
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		for {
			metrics.Read(sample)
			peak = max(peak, sample[0].Value.Uint64())
			select {
			case <-stop:
				return
			case <-tick.C:
			}
		}
	})
	return func() uint64 {
		close(stop)
		wg.Wait()
		return peak
	}
}

// processor is the processor time that this process has used.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// load is the machine's load average over a minute, where it tells.
func load() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(b), " ")
	return first
}

func mega(bytes uint64) float64 { return float64(bytes) / 1e6 }
