//go:build unix

// Command permutation prints how long a comparison of 10 metrics over 10,000
// cases takes, each tested with 100,000 sign patterns and with its interval from
// the same patterns, beside scipy's test of one metric and the plain way to do the
// test alone: one sign at a time, for each metric anew, on one thread. All take turns.
// Goal: under 3 s on 2 cores. It fails when the p-values are further apart than chance.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/assay-eval/assay/bench/internal/speed"
	"github.com/assay-eval/assay/stats"
)

// patterns is the number of sign patterns that stats draws.
const patterns = 100_000

func main() {
	cases := flag.Int("cases", 10_000, "paired cases")
	metrics := flag.Int("metrics", 10, "metrics")
	rounds := flag.Int("rounds", 5, "how often each of the two runs")
	share := flag.Int("share", 50, "the plain way draws one in so many patterns, and its time is multiplied")
	python := flag.String("python", "python3", "a Python that has scipy")
	sheet := speed.Flag()
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/permutation: ")
	if *cases < 21 || *metrics < 1 || *rounds < 1 || *share < 1 || *share > 1000 {
		log.Fatal("want -cases of 21 or more (fewer are enumerated), -metrics and -rounds of 1 or more, and -share in 1…1000")
	}
	if err := measure(sheet, *python, *cases, *metrics, *rounds, *share); err != nil {
		log.Fatal(err)
	}
	if err := sheet.Write(); err != nil {
		log.Fatal(err)
	}
}

func measure(sheet *speed.Sheet, python string, cases, metrics, rounds, share int) error {
	all := scores(cases, metrics)
	scipy, err := startScipy(python, patterns/share)
	if err != nil {
		return err
	}
	defer scipy.stop()
	var fast, plain, cpu, theirs, theirCPU []time.Duration
	var got []stats.Comparison
	want := make([]float64, metrics)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range rounds {
		start, used := time.Now(), processor()
		got = stats.CompareAll(all, stats.DefaultLevel, 1)
		fast, cpu = append(fast, time.Since(start)), append(cpu, processor()-used)
		said, err := scipy.test(all[0])
		if err != nil {
			return err
		}
		if d, room := math.Abs(got[0].P-said.P), apart(got[0].P, patterns/share); d > room {
			return fmt.Errorf("p = %v, by scipy %v: want them within %v", got[0].P, said.P, room)
		}
		// One metric and one pattern in share.
		theirs = append(theirs, time.Duration(said.Seconds*float64(share*metrics)*1e9))
		theirCPU = append(theirCPU, time.Duration(said.CPU*float64(share*metrics)*1e9))
		start = time.Now()
		for i, pairs := range all {
			want[i] = oneByOne(pairs, patterns/share)
		}
		plain = append(plain, time.Since(start)*time.Duration(share))
	}
	runtime.ReadMemStats(&after)
	for i, c := range got {
		if c.CI == nil {
			return fmt.Errorf("metric %d has no interval", i)
		}
		if d, room := math.Abs(c.P-want[i]), apart(c.P, patterns/share); d > room {
			return fmt.Errorf("metric %d: p = %v, and %v one sign at a time: want them within %v", i, c.P, want[i], room)
		}
	}
	a, b := median(fast), median(plain)
	fmt.Printf("%d permutations × %d cases × %d metrics, %d threads; medians of %d rounds in turns\n", patterns, cases, metrics,
		runtime.GOMAXPROCS(0), rounds)
	fmt.Printf("one sign at a time  %8.2f s   test only, one thread (from one pattern in %d)\n", b.Seconds(), share)
	fmt.Printf("%-18s  %8.2f s   test only (one metric, one pattern in %d)\n", scipy.version, median(theirs).Seconds(), share)
	sheet.Add(speed.Row{Work: fmt.Sprintf("permutation test, %d patterns × %d cases × %d metrics", patterns, cases, metrics), Command: "bash bench/permutation/run.sh",
		Peer: scipy.version, Ours: speed.Cost{CPU: median(cpu).Seconds(), Wall: a.Seconds()},
		Theirs: speed.Cost{CPU: median(theirCPU).Seconds(), Wall: median(theirs).Seconds()}, Rounds: rounds, Goal: speed.Goal{Ratio: 10},
		Note: fmt.Sprintf("The peer does the test of one metric and one pattern in %d, without an interval, and its times are multiplied.", share)})
	fmt.Printf("CompareAll          %8.2f s   with intervals; goal: under 3 s on 2 cores\n", a.Seconds())
	fmt.Printf("ratio               %8.1f\n", b.Seconds()/a.Seconds())
	fmt.Printf("allocated           %8.1f MB a comparison\n", float64(after.TotalAlloc-before.TotalAlloc)/1e6/float64(rounds))
	return nil
}

// apart bounds the difference of two p-values by five standard errors of so many patterns.
func apart(p float64, patterns int) float64 {
	return 5*math.Sqrt(p*(1-p)/float64(patterns)) + 1/float64(patterns)
}

// processor returns the time of processors of this process.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A worker is a Python process that tests with scipy.
type worker struct {
	version string
	in      *json.Encoder
	out     *bufio.Reader
	stop    func()
}

func startScipy(python string, patterns int) (*worker, error) {
	cmd := exec.Command(python, filepath.Join("bench", "permutation", "worker.py"), strconv.Itoa(patterns))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w := &worker{in: json.NewEncoder(in), out: bufio.NewReader(out), stop: func() {
		_ = in.Close()
		_ = cmd.Wait()
	}}
	if w.version, err = w.out.ReadString('\n'); err != nil {
		return nil, fmt.Errorf("scipy did not start: %w", err)
	}
	w.version = strings.TrimSpace(w.version)
	return w, nil
}

// A test is its p-value and what it took, in seconds.
type test struct{ P, Seconds, CPU float64 }

func (w *worker) test(pairs []stats.Pair) (t test, err error) {
	differences := make([]float64, len(pairs))
	for i, p := range pairs {
		differences[i] = p.New - p.Old
	}
	if err := w.in.Encode(differences); err != nil {
		return t, err
	}
	line, err := w.out.ReadBytes('\n')
	if err != nil {
		return t, err
	}
	return t, json.Unmarshal(line, &t)
}

// scores returns the scores of two systems that hardly differ, with many ties.
func scores(cases, metrics int) [][]stats.Pair {
	rng := rand.New(rand.NewPCG(1, 2))
	out := make([][]stats.Pair, metrics)
	for m := range out {
		out[m] = make([]stats.Pair, cases)
		for i := range out[m] {
			p := &out[m][i]
			p.Old = rng.Float64()
			p.New = p.Old
			if rng.IntN(2) == 0 {
				p.New = min(1, max(0, p.Old+0.25*rng.NormFloat64()))
			}
		}
	}
	return out
}

// oneByOne is the same two-sided test without optimizations.
func oneByOne(pairs []stats.Pair, draws int) float64 {
	rng := rand.New(rand.NewPCG(3, 4))
	diffs := make([]float64, len(pairs))
	total := 0.0
	for i, p := range pairs {
		diffs[i] = p.New - p.Old
		total += diffs[i]
	}
	hits := 0
	for range draws {
		var sum float64
		var word uint64
		for j, d := range diffs {
			if j%64 == 0 {
				word = rng.Uint64()
			}
			sum += float64(int64(word&1)<<1-1) * d
			word >>= 1
		}
		if math.Abs(sum) >= math.Abs(total)-1e-9 {
			hits++
		}
	}
	return float64(1+hits) / float64(1+draws)
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}
