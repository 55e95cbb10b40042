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

	"github.com/assay-eval/assay/bench/internal/speed"
	"github.com/assay-eval/assay/rag/index"
	"github.com/assay-eval/assay/rag/index/indextest"
)

const depth = 100

func main() {
	python := flag.String("python", "python3", "a Python that has bm25s, PyStemmer and numba")
	data := flag.String("data", "", "the folder of SciFact in BEIR's layout")
	rounds := flag.Int("rounds", 11, "how often each contender searches; it indexes SciFact as often, and the large corpus once")
	texts := flag.Int("texts", 200_000, "texts of the large corpus, 0 to leave it out")
	backends := flag.String("backends", "numpy,numba", "backends of bm25s")
	sheet := speed.Flag()
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/bm25: ")
	d, err := read(*data)
	if err != nil {
		log.Fatal(err)
	}
	all := []int{1, runtime.NumCPU()}
	if err := compare(sheet, *python, d, *rounds, *rounds, strings.Split(*backends, ","), all); err != nil {
		log.Fatal(err)
	}
	if *texts > 0 {
		if err := compareLarge(sheet, *python, *texts, *rounds, strings.Split(*backends, ",")); err != nil {
			log.Fatal(err)
		}
	}
	if err := sheet.Write(); err != nil {
		log.Fatal(err)
	}
}

// compareLarge measures a corpus of so many texts, on one thread.
func compareLarge(sheet *speed.Sheet, python string, texts, rounds int, backends []string) error {
	large := &dataset{name: "Zipf"}
	var common []string
	large.texts, common = indextest.Zipf(texts, 300)
	large.queries = []querySet{
		{"search, five words, common ones too", common},
		{"search, five words, none common", indextest.Content(300, 5)},
		{"search, two words, none common", indextest.Content(300, 2)},
	}
	return compare(sheet, python, large, 1, rounds, backends, []int{1})
}

// compare prints a table for one corpus.
func compare(sheet *speed.Sheet, python string, d *dataset, indexings, searches int, backends []string, threads []int) error {
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
	steps := []string{indexing}
	for _, q := range d.queries {
		steps = append(steps, q.name)
	}
	for round := range max(indexings, searches) {
		for _, step := range steps {
			for _, c := range contenders {
				if step == indexing && round >= indexings || step != indexing && round >= searches {
					continue
				}
				r, err := c.do(step)
				if err != nil {
					return fmt.Errorf("%s: %s: %w", c.name, step, err)
				}
				t := c.took[step]
				c.took[step] = times{append(t.wall, r.Seconds), append(t.cpu, r.CPU)}
				if c.top = r.Top; c.top != nil && d.grades != nil && math.Abs(d.ndcg(c.top)-d.ndcg(contenders[0].top)) > mostApart {
					return fmt.Errorf("%s: nDCG@10 is %.4f, that of assay %.4f: want them within %g", c.name, d.ndcg(c.top), d.ndcg(contenders[0].top), mostApart)
				}
			}
		}
	}
	fmt.Printf("\n%s: %d texts, best %d of each query; medians of %d indexings and %d searches in turns; %s, %s\n", d.name, len(d.texts), depth,
		indexings, searches, runtime.Version(), versions)
	for i, step := range steps {
		if i > 0 {
			fmt.Printf("%s: %d queries\n", step, len(d.queries[i-1].queries))
		} else {
			fmt.Println(step)
		}
		for _, c := range contenders {
			// The ratio is relative to our run on the same number of threads.
			base, t := contenders[slices.Index(threads, c.threads)].took[step], c.took[step]
			fmt.Printf("  %-24s wall %9.2f ms %6.2fx  CPU %9.2f ms %6.2fx", c.name, 1e3*median(t.wall), median(t.wall)/median(base.wall),
				1e3*median(t.cpu), median(t.cpu)/median(base.cpu))
			if i > 0 && d.grades != nil {
				fmt.Printf("  nDCG@10 %.4f", d.ndcg(c.top))
			}
			fmt.Println()
			if c.threads == 1 && strings.HasPrefix(c.name, "bm25s "+backends[len(backends)-1]) {
				row := speed.Row{Work: fmt.Sprintf("BM25, %s, %d texts: %s", d.name, len(d.texts), step), Command: "bash bench/bm25/run.sh", Rounds: searches,
					Peer: versions + ", " + backends[len(backends)-1], Ours: speed.Cost{CPU: median(base.cpu), Wall: median(base.wall)},
					Theirs: speed.Cost{CPU: median(t.cpu), Wall: median(t.wall)}, Goal: speed.Goal{Ratio: 1.5}}
				if step == indexing {
					row.Rounds, row.Goal.Ratio = indexings, 10
				}
				sheet.Add(row)
			}
		}
	}
	return nil
}

// mostApart bounds the difference of the nDCG@10 of contenders: their tokens differ.
const mostApart = 0.01

// indexing is the name of the first step of a contender; the others are the names of
// sets of queries.
const indexing = "index"

// times holds the wall and processor times of a step in seconds, one of each a round.
type times struct{ wall, cpu []float64 }

type contender struct {
	name, version string
	threads       int
	// do indexes, or searches for a set of queries.
	do   func(step string) (result, error)
	stop func()
	took map[string]times
	// top holds the ten best of each query of the last step.
	top [][]int
}

// A result is what one step took, in seconds, and the ten best of each query.
type result struct {
	Seconds, CPU float64
	Top          [][]int
}

func ours(d *dataset, threads int) *contender {
	var x *index.BM25
	c := &contender{name: fmt.Sprintf("assay, %d thread(s)", threads), threads: threads, took: map[string]times{}}
	c.do = func(step string) (r result, err error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		// The garbage of the step before is not part of this one.
		runtime.GC()
		start, used := time.Now(), cpu()
		if step == indexing {
			x, err = index.BuildBM25(slices.Values(d.texts), index.DefaultBM25())
			return result{Seconds: time.Since(start).Seconds(), CPU: cpu() - used}, err
		}
		queries := d.queries[slices.IndexFunc(d.queries, func(q querySet) bool { return q.name == step })].queries
		hits := make([][]index.Hit, len(queries))
		var next atomic.Int64
		var wait sync.WaitGroup
		for range threads {
			wait.Go(func() {
				for i := int(next.Add(1)) - 1; i < len(hits); i = int(next.Add(1)) - 1 {
					hits[i] = x.Search(queries[i], depth)
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
	}
	return c
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
	queries := map[string][]string{}
	for _, q := range d.queries {
		queries[q.name] = q.queries
	}
	if err := json.NewEncoder(in).Encode(map[string]any{"texts": d.texts, "queries": queries}); err != nil {
		return nil, err
	}
	c := &contender{name: fmt.Sprintf("bm25s %s, %d thread(s)", backend, threads), version: strings.TrimSpace(version), threads: threads,
		took: map[string]times{}}
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
	name    string
	texts   []string
	queries []querySet
	grades  []map[int]bool
}

type querySet struct {
	name    string
	queries []string
}

func read(dir string) (*dataset, error) {
	type row struct {
		ID    string `json:"_id"`
		Title string `json:"title"`
		Text  string `json:"text"`
	}
	d := &dataset{name: "SciFact"}
	var asked []string
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
	err = eachLine(filepath.Join(dir, "qrels", "test.tsv"), func(line string) error {
		f := strings.Split(line, "\t")
		if len(f) != 3 || f[2] == "score" || f[2] == "0" {
			return nil
		}
		q, ok := queries[f[0]]
		if !ok {
			q = len(asked)
			queries[f[0]] = q
			asked = append(asked, texts[f[0]])
			d.grades = append(d.grades, map[int]bool{})
		}
		d.grades[q][passages[f[1]]] = true
		return nil
	})
	d.queries = []querySet{{"search", asked}}
	return d, err
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
