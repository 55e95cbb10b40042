// Command permutation prints how long a comparison of 10 metrics over 10,000
// cases takes, each tested with 100,000 sign patterns and with its interval from
// the same patterns, beside the plain way to do the test alone: one sign at a
// time, for each metric anew, on one thread. Both take turns. Goal: under 3 s on
// 2 cores. It fails when the p-values of the two are further apart than chance.
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/assay-eval/assay/stats"
)

// patterns is the number of sign patterns that stats draws.
const patterns = 100_000

func main() {
	cases := flag.Int("cases", 10_000, "paired cases")
	metrics := flag.Int("metrics", 10, "metrics")
	rounds := flag.Int("rounds", 5, "how often each of the two runs")
	share := flag.Int("share", 50, "the plain way draws one in so many patterns, and its time is multiplied")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/permutation: ")
	if *cases < 21 || *metrics < 1 || *rounds < 1 || *share < 1 || *share > 1000 {
		log.Fatal("want -cases of 21 or more (fewer are enumerated), -metrics and -rounds of 1 or more, and -share in 1…1000")
	}
	if err := measure(*cases, *metrics, *rounds, *share); err != nil {
		log.Fatal(err)
	}
}

func measure(cases, metrics, rounds, share int) error {
	all := scores(cases, metrics)
	var fast, plain []time.Duration
	var got []stats.Comparison
	want := make([]float64, metrics)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range rounds {
		start := time.Now()
		got = stats.CompareAll(all, stats.DefaultLevel, 1)
		fast = append(fast, time.Since(start))
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
		// Five standard errors of the smaller number of patterns.
		if d, room := math.Abs(c.P-want[i]), 5*math.Sqrt(c.P*(1-c.P)/float64(patterns/share))+float64(share)/patterns; d > room {
			return fmt.Errorf("metric %d: p = %v, and %v one sign at a time: want them within %v", i, c.P, want[i], room)
		}
	}
	a, b := median(fast), median(plain)
	fmt.Printf("%d permutations × %d cases × %d metrics, %d threads; medians of %d rounds in turns\n", patterns, cases, metrics,
		runtime.GOMAXPROCS(0), rounds)
	fmt.Printf("one sign at a time  %8.2f s   test only, one thread (from one pattern in %d)\n", b.Seconds(), share)
	fmt.Printf("CompareAll          %8.2f s   with intervals; goal: under 3 s on 2 cores\n", a.Seconds())
	fmt.Printf("ratio               %8.1f\n", b.Seconds()/a.Seconds())
	fmt.Printf("allocated           %8.1f MB a comparison\n", float64(after.TotalAlloc-before.TotalAlloc)/1e6/float64(rounds))
	return nil
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
