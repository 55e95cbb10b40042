//go:build unix

// Command targets measures a whole run over HTTP: the engine, the http adapter,
// two metrics and a store, against a stub in a process of its own that takes a
// fixed time for every question. It prints the throughput beside the ideal,
// which is concurrency divided by latency, and how the heap grows. Each round is
// preceded by one of the bare client of net/http, which reads the same replies
// and does nothing with them: what the machine can do at the moment.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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
	profile, allocs                  string
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
	flag.StringVar(&o.allocs, "allocs", "", "write a profile of what was allocated to this file")
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
	// Stopping it twice is harmless.
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
	if o.allocs != "" {
		f, err := os.Create(o.allocs)
		if err != nil {
			return err
		}
		defer f.Close()
		defer func() {
			if err := pprof.Lookup("allocs").WriteTo(f, 0); err != nil {
				fmt.Fprintln(os.Stderr, "targets:", err)
			}
		}()
	}
	ideal := float64(o.concurrency) / o.latency.Seconds()
	fmt.Printf("%d cases, %d at once, stub of %v: ideal %.0f cases/s; %d processors\n", o.cases, o.concurrency, o.latency, ideal,
		runtime.GOMAXPROCS(0))
	var shares, ratios []float64
	for range o.rounds {
		b, err := bare(o, address)
		if err != nil {
			return err
		}
		if b.stub, err = stubTook(address); err != nil {
			return err
		}
		bareShare := o.show("client", b, ideal)
		r, err := round(o, address)
		if err != nil {
			return err
		}
		if r.stub, err = stubTook(address); err != nil {
			return err
		}
		share := o.show("run", r, ideal)
		shares, ratios = append(shares, share), append(ratios, share/bareShare)
		fmt.Printf("       heap in use after %d cases %.1f MB, after %d %.1f MB: %+.0f bytes a case; peak %.1f MB\n",
			o.cases/5, mega(r.early), o.cases, mega(r.late), (float64(r.late)-float64(r.early))/float64(o.cases-o.cases/5), mega(r.peak))
	}
	fmt.Printf("the stub took %.0f µs of processor a question\n", end().Seconds()/float64(2*o.cases*o.rounds)*1e6)
	slices.Sort(shares)
	slices.Sort(ratios)
	best := shares[len(shares)-1]
	fmt.Printf("best %.1f %%, median %.1f %% of the ideal; median %.1f %% of the bare client; goal 95 %% of the ideal\n",
		100*best, 100*shares[len(shares)/2], 100*ratios[len(ratios)/2])
	if best < o.least {
		return fmt.Errorf("%.1f %% of the ideal: want %.1f %%", 100*best, 100*o.least)
	}
	return nil
}

// show prints a line about a round and returns its share of the ideal.
func (o options) show(what string, r result, ideal float64) float64 {
	share := float64(o.cases) / r.took.Seconds() / ideal
	slices.Sort(r.latencies)
	at := func(q float64) float64 {
		return float64(r.latencies[int(q*float64(len(r.latencies)-1))].Microseconds()) / 1e3
	}
	fmt.Printf("%-6s %5.0f cases/s, %5.1f %% of the ideal, %5.1f %% of that of the %.1f ms which the stub took in the mean; %.0f µs of "+
		"processor a case; latency in ms: least %.1f, 10 %% %.1f, median %.1f, 90 %% %.1f, most %.1f; load %s\n",
		what, share*ideal, 100*share, 100*share*float64(r.stub)/float64(o.latency), r.stub.Seconds()*1e3, r.cpu.Seconds()/float64(o.cases)*1e6,
		at(0), at(0.1), at(0.5), at(0.9), at(1), load())
	return share
}

type result struct {
	took, cpu time.Duration
	// stub is the mean time that the stub took for a request.
	stub      time.Duration
	latencies []time.Duration
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
	m, err := reply.NewMapping(map[string]string{reply.Answer: "answer", reply.Passages: "passages[]", reply.Document: "document",
		reply.Text: "text", reply.Score: "score"})
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
		cfg.Cases.Add(&assay.Case{ID: fmt.Sprint("c", i), Question: "Which document is the first?",
			Want: assay.Want{Documents: map[string]int{"d0": 1, "d99": 1}}})
	}
	cfg.Target, cfg.Now, cfg.Concurrency, cfg.Recorder = h, time.Now, o.concurrency, run.Keep(s, "bench")

	peak := watchHeap()
	r.latencies = make([]time.Duration, 0, o.cases)
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
		r.latencies = append(r.latencies, rec.Response.Latency)
		if len(r.latencies) == o.cases/5 {
			// Costs what it costs: a collection is part of the time measured.
			r.early = live()
		}
	}
	r.took, r.cpu = time.Since(begin), processor()-cpu
	r.peak, r.late = peak(), live()
	if len(r.latencies) != o.cases {
		return r, fmt.Errorf("%d records of %d cases", len(r.latencies), o.cases)
	}
	return r, nil
}

// bare makes the same number of requests with the same concurrency, and discards the
// replies.
func bare(o options, address string) (r result, err error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: o.concurrency}}
	defer client.CloseIdleConnections()
	r.latencies = make([]time.Duration, o.cases)
	errs := make([]error, o.concurrency)
	var next atomic.Int64
	var asking sync.WaitGroup
	cpu, begin := processor(), time.Now()
	for worker := range o.concurrency {
		asking.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= o.cases {
					return
				}
				asked := time.Now()
				resp, err := client.Post(address, "application/json", strings.NewReader(`{"question":"Which document is the first?","top_k":10}`))
				if err != nil {
					errs[worker] = err
					return
				}
				_, err = io.Copy(io.Discard, resp.Body)
				if err := errors.Join(err, resp.Body.Close()); err != nil {
					errs[worker] = err
					return
				}
				r.latencies[i] = time.Since(asked)
			}
		})
	}
	asking.Wait()
	r.took, r.cpu = time.Since(begin), processor()-cpu
	return r, errors.Join(errs...)
}

// live returns the size of the heap after a garbage collection.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// watchHeap samples the heap every 20 ms until the function that it returns is called,
// which returns the maximum.
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

// processor returns the processor time that this process has used.
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
