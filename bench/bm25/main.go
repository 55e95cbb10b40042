//go:build unix

// Command bm25 indexes and searches with rag/index and with bm25s, in turns, and prints
// the medians of wall and processor time and their ratios: SciFact on one thread and on
// all, and a large corpus drawn by Zipf's law on one thread. All begin with texts and
// queries as strings and end with the best 100 passages of each query; reading the data
// and starting Python are not counted, nor is numba's compilation.
//
// Goals: indexing 10 times as fast as bm25s, searching 1.5 times as fast as its numba
// backend, on one thread.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/assay-eval/assay/rag/index"
	"github.com/assay-eval/assay/rag/index/indextest"
)

const depth = 100

func main() {
	python := flag.String("python", "python3", "a Python that has bm25s, PyStemmer and numba")
	data := flag.String("data", "", "the folder of SciFact in BEIR's layout")
	rounds := flag.Int("rounds", 11, "how often each contender searches; it indexes SciFact as often, and the large corpus once")
	texts := flag.Int("texts", 200_000, "texts of the large corpus, 0 to leave it out")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/bm25: ")
	d, err := read(*data)
	if err != nil {
		log.Fatal(err)
	}
	all := []int{1, runtime.NumCPU()}
	if err := compare(*python, d, *rounds, *rounds, []string{"numpy", "numba"}, all); err != nil {
		log.Fatal(err)
	}
	if *texts == 0 {
		return
	}
	large := &dataset{name: "Zipf"}
	large.texts, large.queries = indextest.Zipf(*texts, 500)
	if err := compare(*python, large, 1, *rounds, []string{"numpy", "numba"}, []int{1}); err != nil {
		log.Fatal(err)
	}
}

// compare prints a table for one corpus.
func compare(python string, d *dataset, indexings, searches int, backends []string, threads []int) error {
	var contenders []*contender
	for _, n := range threads {
		contenders = append(contenders, ours(d, n))
	}
	versions := ""
	for _, backend := range backends {
		for _, n := range threads {
			c, err := bm25s(python, backend, n, d)
			if err != nil {
				return err
			}
			defer c.stop()
			contenders, versions = append(contenders, c), c.version
		}
	}
	for round := range max(indexings, searches) {
		for _, c := range contenders {
			if err := c.round(round < indexings, round < searches); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	fmt.Printf("%s: %d texts, %d queries, best %d of each; medians of %d indexings and %d searches in turns; %s, %s\n", d.name,
		len(d.texts), len(d.queries), depth, indexings, searches, runtime.Version(), versions)
	fmt.Printf("%-24s %20s %7s %20s %7s %20s %7s %20s %7s %8s\n", "", "index, wall", "ratio", "CPU", "ratio", "search, wall", "ratio", "CPU",
		"ratio", "nDCG@10")
	for _, c := range contenders {
		// The ratio is relative to our run on the same number of threads.
		base := contenders[slices.Index(threads, c.threads)]
		fmt.Printf("%-24s", c.name)
		for _, of := range []func(*contender) []float64{
			func(c *contender) []float64 { return c.index.wall }, func(c *contender) []float64 { return c.index.cpu },
			func(c *contender) []float64 { return c.search.wall }, func(c *contender) []float64 { return c.search.cpu },
		} {
			fmt.Printf(" %17.2f ms %6.2fx", 1e3*median(of(c)), median(of(c))/median(of(base)))
		}
		if d.grades != nil {
			fmt.Printf(" %8.4f", d.ndcg(c.top))
		}
		fmt.Println()
	}
	return nil
}

// A step is what a contender does: indexing or searching; times are in seconds.
type step struct{ wall, cpu []float64 }

type contender struct {
	name, version string
	threads       int
	// do indexes, or searches and returns the ten best of each query.
	do            func(step string) (result, error)
	stop          func()
	index, search step
	top           [][]int
}

// A result is what one step took, in seconds, and the ten best of each query.
type result struct {
	Seconds, CPU float64
	Top          [][]int
}

func (c *contender) round(index, search bool) error {
	if index {
		r, err := c.do("index")
		if err != nil {
			return err
		}
		c.index.wall, c.index.cpu = append(c.index.wall, r.Seconds), append(c.index.cpu, r.CPU)
	}
	if search {
		r, err := c.do("search")
		if err != nil {
			return err
		}
		c.search.wall, c.search.cpu = append(c.search.wall, r.Seconds), append(c.search.cpu, r.CPU)
		c.top = r.Top
	}
	return nil
}

func ours(d *dataset, threads int) *contender {
	var x *index.BM25
	return &contender{name: fmt.Sprintf("assay, %d thread(s)", threads), threads: threads, do: func(step string) (r result, err error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		// The garbage of the round before is not part of this one.
		runtime.GC()
		start, used := time.Now(), cpu()
		if step == "index" {
			x, err = index.BuildBM25(slices.Values(d.texts), index.DefaultBM25())
			return result{Seconds: time.Since(start).Seconds(), CPU: cpu() - used}, err
		}
		hits := make([][]index.Hit, len(d.queries))
		var next atomic.Int64
		var wait sync.WaitGroup
		for range threads {
			wait.Go(func() {
				for i := int(next.Add(1)) - 1; i < len(hits); i = int(next.Add(1)) - 1 {
					hits[i] = x.Search(d.queries[i], depth)
				}
			})
		}
		wait.Wait()
		r = result{Seconds: time.Since(start).Seconds(), CPU: cpu() - used}
		for _, list := range hits {
			var top []int
			for _, h := range list[:min(10, len(list))] {
				top = append(top, h.Passage)
			}
			r.Top = append(r.Top, top)
		}
		return r, nil
	}}
}

// cpu returns the processor time of this process in seconds.
func cpu() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return math.NaN()
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// bm25s starts a worker and waits until it has told its versions.
func bm25s(python, backend string, threads int, d *dataset) (*contender, error) {
	cmd := exec.Command(python, filepath.Join("bench", "bm25", "worker.py"), backend, strconv.Itoa(threads))
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
	lines := bufio.NewReader(out)
	version, err := lines.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("bm25s did not start: %w", err)
	}
	if err := json.NewEncoder(in).Encode(map[string][]string{"texts": d.texts, "queries": d.queries}); err != nil {
		return nil, err
	}
	c := &contender{name: fmt.Sprintf("bm25s %s, %d thread(s)", backend, threads), version: strings.TrimSpace(version), threads: threads}
	c.do = func(step string) (r result, err error) {
		if _, err := io.WriteString(in, step+"\n"); err != nil {
			return r, err
		}
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return r, err
		}
		return r, json.Unmarshal(line, &r)
	}
	c.stop = func() {
		_ = in.Close()
		_ = cmd.Wait()
	}
	return c, nil
}

// A dataset holds the corpus and the queries; grades go by query and by passage and are
// nil if there are no judgements.
type dataset struct {
	name           string
	texts, queries []string
	grades         []map[int]bool
}

func read(dir string) (*dataset, error) {
	type row struct {
		ID    string `json:"_id"`
		Title string `json:"title"`
		Text  string `json:"text"`
	}
	d := &dataset{name: "SciFact"}
	passages, queries := map[string]int{}, map[string]int{}
	err := eachLine(filepath.Join(dir, "corpus.jsonl"), func(line string) error {
		var r row
		err := json.Unmarshal([]byte(line), &r)
		passages[r.ID] = len(d.texts)
		d.texts = append(d.texts, r.Title+" "+r.Text)
		return err
	})
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	err = eachLine(filepath.Join(dir, "queries.jsonl"), func(line string) error {
		var r row
		err := json.Unmarshal([]byte(line), &r)
		texts[r.ID] = r.Text
		return err
	})
	if err != nil {
		return nil, err
	}
	return d, eachLine(filepath.Join(dir, "qrels", "test.tsv"), func(line string) error {
		f := strings.Split(line, "\t")
		if len(f) != 3 || f[2] == "score" || f[2] == "0" {
			return nil
		}
		q, ok := queries[f[0]]
		if !ok {
			q = len(d.queries)
			queries[f[0]] = q
			d.queries = append(d.queries, texts[f[0]])
			d.grades = append(d.grades, map[int]bool{})
		}
		d.grades[q][passages[f[1]]] = true
		return nil
	})
}

func eachLine(path string, f func(string) error) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(data)) {
		if err := f(strings.TrimRight(line, "\r\n")); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// ndcg returns the mean nDCG@10. Every relevance grade of SciFact is 1.
func (d *dataset) ndcg(top [][]int) float64 {
	var sum float64
	for q, list := range top {
		var gain, ideal float64
		for rank := range min(10, max(len(list), len(d.grades[q]))) {
			if rank < len(list) && d.grades[q][list[rank]] {
				gain += 1 / math.Log2(float64(rank+2))
			}
			if rank < len(d.grades[q]) {
				ideal += 1 / math.Log2(float64(rank+2))
			}
		}
		sum += gain / ideal
	}
	return sum / float64(len(top))
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}
