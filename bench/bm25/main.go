// Command bm25 indexes and searches SciFact with rag/index and with bm25s, in
// turns, and prints the medians and their ratios. Both begin with texts and
// queries as strings and end with the best 100 passages of each query; reading
// the data and starting Python are not counted, nor is numba's compilation.
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
	"time"

	"github.com/assay-eval/assay/rag/index"
)

const depth = 100

func main() {
	python := flag.String("python", "python3", "a Python that has bm25s, PyStemmer and numba")
	data := flag.String("data", "", "the folder of SciFact in BEIR's layout")
	rounds := flag.Int("rounds", 11, "how often each contender runs")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/bm25: ")
	if err := compare(*python, *data, *rounds); err != nil {
		log.Fatal(err)
	}
}

func compare(python, dir string, rounds int) error {
	d, err := read(dir)
	if err != nil {
		return err
	}
	all := runtime.NumCPU()
	contenders := []*contender{ours(d, 1), ours(d, all)}
	for _, backend := range []string{"numpy", "numba"} {
		for _, threads := range []int{1, all} {
			c, err := bm25s(python, backend, threads, d)
			if err != nil {
				return err
			}
			defer c.stop()
			contenders = append(contenders, c)
		}
	}
	for range rounds {
		for _, c := range contenders {
			r, err := c.run()
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			c.index, c.search, c.top = append(c.index, r.Index), append(c.search, r.Search), r.Top
		}
	}
	fmt.Printf("SciFact: %d texts, %d queries, best %d of each; medians of %d rounds in turns\n", len(d.texts), len(d.queries), depth, rounds)
	fmt.Printf("%-24s %10s %8s %10s %8s %9s\n", "", "index", "ratio", "search", "ratio", "nDCG@10")
	for _, c := range contenders {
		// The ratio is relative to our run on the same number of threads.
		base := contenders[0]
		if c.threads != 1 {
			base = contenders[1]
		}
		fmt.Printf("%-24s %7.1f ms %7.1fx %7.2f ms %7.1fx %9.4f\n", c.name, 1e3*median(c.index), median(c.index)/median(base.index),
			1e3*median(c.search), median(c.search)/median(base.search), d.ndcg(c.top))
	}
	return nil
}

// A result is one run: seconds, and the ten best of each query.
type result struct {
	Index, Search float64
	Top           [][]int
}

type contender struct {
	name          string
	threads       int
	run           func() (result, error)
	stop          func()
	index, search []float64
	top           [][]int
}

func ours(d *dataset, threads int) *contender {
	return &contender{name: fmt.Sprintf("assay, %d thread(s)", threads), threads: threads, run: func() (result, error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		start := time.Now()
		x, err := index.BuildBM25(slices.Values(d.texts), index.DefaultBM25())
		if err != nil {
			return result{}, err
		}
		indexed := time.Now()
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
		r := result{Index: indexed.Sub(start).Seconds(), Search: time.Since(indexed).Seconds()}
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

// bm25s starts a worker and waits until it is ready.
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
	if err := json.NewEncoder(in).Encode(map[string][]string{"texts": d.texts, "queries": d.queries}); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); err != nil || line != "ready\n" {
		return nil, fmt.Errorf("bm25s did not start: %q, %v", line, err)
	}
	c := &contender{name: fmt.Sprintf("bm25s %s, %d thread(s)", backend, threads), threads: threads}
	c.run = func() (r result, err error) {
		if _, err := io.WriteString(in, "\n"); err != nil {
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

// A dataset holds the corpus and the judged queries; grades go by query and by
// passage.
type dataset struct {
	texts, queries []string
	grades         []map[int]bool
}

func read(dir string) (*dataset, error) {
	type row struct {
		ID    string `json:"_id"`
		Title string `json:"title"`
		Text  string `json:"text"`
	}
	d := &dataset{}
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
