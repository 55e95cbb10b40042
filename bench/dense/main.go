// Command dense prints how long an exact search takes over a matrix that fits
// no cache, beside how long it takes to read the matrix once: to sum it up with
// vector loads, on as many threads, in the same pieces. Both take turns. Goal:
// at most 1.3 times.
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assay-eval/assay/internal/simd"
	"github.com/assay-eval/assay/rag/index"
)

// piece is how many numbers a thread reads at a time.
const piece = 1 << 18

func main() {
	rows := flag.Int("rows", 200_000, "vectors")
	dim := flag.Int("dim", 384, "numbers in each, a multiple of 64")
	rounds := flag.Int("rounds", 101, "how often each of the two runs")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/dense: ")
	if *dim%64 != 0 || *dim < 64 {
		log.Fatalf("-dim %d: want a multiple of 64", *dim)
	}
	if err := compare(*rows, *dim, *rounds); err != nil {
		log.Fatal(err)
	}
}

func compare(rows, dim, rounds int) error {
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]float32, rows*dim)
	for i := range data {
		data[i] = r.Float32() - 0.5
	}
	d, err := index.NewDense(dim, data)
	if err != nil {
		return err
	}
	query := data[:dim]
	var read, search []time.Duration
	var total float32
	for range rounds {
		start := time.Now()
		total += readOnce(data)
		read = append(read, time.Since(start))
		start = time.Now()
		hits, err := d.Search(query, 10)
		if err != nil || hits[0].Passage != 0 {
			return fmt.Errorf("found %v, %v: want passage 0 first", hits, err)
		}
		search = append(search, time.Since(start))
	}
	a, b := median(read), median(search)
	fmt.Printf("%d × %d, %d threads, %s; medians of %d rounds in turns (sum %g)\n", rows, dim, runtime.GOMAXPROCS(0), simd.Best(), rounds,
		total)
	fmt.Printf("read once  %8.2f ms  %5.1f GB/s\n", ms(a), float64(4*len(data))/float64(a))
	fmt.Printf("search     %8.2f ms  %5.1f GB/s\n", ms(b), float64(4*len(data))/float64(b))
	fmt.Printf("ratio      %8.2f     goal: at most 1.3\n", float64(b)/float64(a))
	return open(d)
}

// open prints the time to load the vectors from a file.
func open(d *index.Dense) error {
	dir, err := os.MkdirTemp("", "dense")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "vectors")
	if err := d.WriteFile(path); err != nil {
		return err
	}
	start := time.Now()
	e, err := index.OpenDense(path)
	if err != nil {
		return err
	}
	opened := time.Now()
	if _, err := e.Search(d.Vector(0), 10); err != nil {
		return err
	}
	fmt.Printf("open       %8.2f ms, first search after it %.2f ms\n", ms(opened.Sub(start)), ms(time.Since(opened)))
	return e.Close()
}

// readOnce sums up the data on all threads.
func readOnce(data []float32) float32 {
	threads := runtime.GOMAXPROCS(0)
	sums := make([]float32, threads)
	var next atomic.Int64
	var wait sync.WaitGroup
	for t := range threads {
		wait.Go(func() {
			for {
				end := int(next.Add(piece))
				if end-piece >= len(data) {
					return
				}
				sums[t] += sum(data[end-piece : min(end, len(data))])
			}
		})
	}
	wait.Wait()
	var total float32
	for _, s := range sums {
		total += s
	}
	return total
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

func median(v []time.Duration) time.Duration {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}
