//go:build unix

// Command dense prints how long exact searches take over a matrix that fits no cache.
//
// One query is measured beside reading the matrix once: summing it up with vector loads,
// on as many threads, in the same pieces. Goal: at most 1.3 times.
//
// All take turns; medians of wall and processor time are printed.
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/assay-eval/assay/bench/internal/speed"
	"github.com/assay-eval/assay/internal/simd"
	"github.com/assay-eval/assay/rag/index"
)

// piece is how many numbers a thread reads at a time.
const piece = 1 << 18

// depth is how many passages a search finds.
const depth = 10

func main() {
	python := flag.String("python", "python3", "a Python that has numpy")
	rows := flag.Int("rows", 200_000, "vectors")
	dim := flag.Int("dim", 384, "numbers in each, a multiple of 64")
	rounds := flag.Int("rounds", 101, "how often the query runs")
	threads := flag.Int("threads", runtime.NumCPU(), "threads of each contender")
	sheet := speed.Flag()
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/dense: ")
	if *dim%64 != 0 || *dim < 64 {
		log.Fatalf("-dim %d: want a multiple of 64", *dim)
	}
	runtime.GOMAXPROCS(*threads)
	if err := compare(sheet, *python, *rows, *dim, *rounds); err != nil {
		log.Fatal(err)
	}
	if err := sheet.Write(); err != nil {
		log.Fatal(err)
	}
}

func compare(sheet *speed.Sheet, python string, rows, dim, rounds int) error {
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]float32, rows*dim)
	for i := range data {
		data[i] = r.Float32() - 0.5
	}
	d, err := index.NewDense(dim, data)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "dense")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	numpy, err := start(python, dir, data, dim, 1)
	if err != nil {
		return err
	}
	defer numpy.stop()
	fmt.Printf("%d × %d, %d threads, %s, %s, %s; medians of rounds in turns\n", rows, dim, runtime.GOMAXPROCS(0), simd.Best(), runtime.Version(),
		numpy.version)
	if err := one(sheet, d, data, numpy, rounds); err != nil {
		return err
	}
	return nil
}

// one compares the search for one query.
func one(sheet *speed.Sheet, d *index.Dense, data []float32, numpy *worker, rounds int) error {
	var read, search, product, chosen times
	var total float32
	for range rounds {
		t := begin()
		total += readOnce(data)
		read.add(t)
		t = begin()
		hits, err := d.Search(d.Vector(0), depth)
		if err != nil || hits[0].Passage != 0 {
			return fmt.Errorf("found %v, %v: want passage 0 first", hits, err)
		}
		search.add(t)
		if _, err := numpy.run("one", &product, &chosen); err != nil {
			return err
		}
	}
	fmt.Printf("\none query, %d rounds (sum %g)\n", rounds, total)
	print(search, []row{{"assay", search}, {"read once", read}, {"numpy, product alone", product}, {"numpy, with the best", chosen}}, 1)
	fmt.Printf("assay takes %.2f times as long as reading once: goal at most 1.3\n", median(search.wall)/median(read.wall))
	sheet.Add(rowOf(fmt.Sprintf("dense search, %d × %d, one query", len(data)/len(d.Vector(0)), len(d.Vector(0))), numpy, search, chosen, rounds, 1))
	return nil
}

// rowOf is a row of results: seconds a query.
func rowOf(work string, numpy *worker, ours, theirs times, rounds, queries int) speed.Row {
	each := func(t times) speed.Cost {
		return speed.Cost{CPU: median(t.cpu) / float64(queries), Wall: median(t.wall) / float64(queries)}
	}
	return speed.Row{Work: work, Command: "bash bench/dense/run.sh", Peer: numpy.version, Ours: each(ours), Theirs: each(theirs), Rounds: rounds,
		Goal: speed.Goal{Ratio: 1}}
}

type row struct {
	name string
	times
}

// print prints times a query and their ratios to those of base.
func print(base times, rows []row, queries int) {
	fmt.Printf("%-22s %13s %7s %13s %7s\n", "", "wall", "ratio", "CPU", "ratio")
	for _, r := range rows {
		wall, cpu := median(r.wall), median(r.cpu)
		fmt.Printf("%-22s %10.2f ms %6.2fx %10.2f ms %6.2fx\n", r.name, 1e3*wall/float64(queries), wall/median(base.wall),
			1e3*cpu/float64(queries), cpu/median(base.cpu))
	}
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

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}
