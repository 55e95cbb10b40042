//go:build unix

// Command measure scores a large run with assay measure and with pytrec_eval,
// in turns, each as a whole process over the same two files, and prints the
// median times, their ratio, the peak memory of both, and whether the numbers
// agree. Both compute trec_eval's official measures.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	assay := flag.String("assay", "", "the program to measure")
	python := flag.String("python", "python3", "a Python that has pytrec_eval")
	script := flag.String("script", "bench/measure/reference.py", "what the Python runs")
	cache := flag.String("cache", os.TempDir(), "the folder for the generated files")
	queries := flag.Int("queries", 6980, "queries of the run")
	results := flag.Int("results", 1000, "results of each query")
	rounds := flag.Int("rounds", 5, "how often each contender runs")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bench/measure: ")
	qrels, run, err := generate(*cache, *queries, *results)
	if err != nil {
		log.Fatal(err)
	}
	if err := compare(*rounds, run,
		&contender{name: "assay measure", args: []string{*assay, "measure", qrels, run, "--format", "trec", "-m", "official", "-c"}},
		&contender{name: "pytrec_eval", args: []string{*python, *script, qrels, run}},
	); err != nil {
		log.Fatal(err)
	}
}

// seed makes every run of this program measure the same files.
const seed = 6980

// generate writes judgments and a run like those of MS MARCO's development
// set, unless they are there: mostly one relevant document for each query, at
// some rank or not found; scores with six decimals, sorted.
func generate(dir string, queries, results int) (qrels, run string, err error) {
	base := filepath.Join(dir, fmt.Sprintf("measure-%d-%d-%d", seed, queries, results))
	qrels, run = base+".qrels", base+".run"
	if _, err := os.Stat(run); err == nil {
		return qrels, run, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", "", err
	}
	judged, err := os.Create(qrels)
	if err != nil {
		return "", "", err
	}
	defer judged.Close()
	ranked, err := os.Create(run + ".part")
	if err != nil {
		return "", "", err
	}
	defer ranked.Close()
	write(bufio.NewWriter(judged), bufio.NewWriterSize(ranked, 1<<20), queries, results)
	return qrels, run, os.Rename(run+".part", run)
}

const collection = 8_841_823

func write(qrels, run *bufio.Writer, queries, results int) {
	r := rand.New(rand.NewPCG(seed, 0))
	defer qrels.Flush()
	defer run.Flush()
	for _, q := range r.Perm(1_100_000)[:queries] {
		docs := map[int]bool{}
		score := 20 + r.Float64()*10
		relevant := r.IntN(2 * results)
		for i := range results {
			doc := r.IntN(collection)
			for docs[doc] {
				doc = r.IntN(collection)
			}
			docs[doc] = true
			score -= r.Float64() * 0.02
			fmt.Fprintf(run, "%d Q0 %d %d %.6f bm25\n", q, doc, i+1, score)
			if i == relevant || i == 2*relevant && relevant%16 == 0 {
				fmt.Fprintf(qrels, "%d 0 %d 1\n", q, doc)
			}
		}
		if relevant >= results {
			fmt.Fprintf(qrels, "%d 0 %d 1\n", q, collection+1)
		}
	}
}

// A contender is a process to time.
type contender struct {
	name    string
	args    []string
	times   []time.Duration
	maxRSS  int64
	measure map[string]string
}

func (c *contender) run() error {
	cmd := exec.Command(c.args[0], c.args[1:]...)
	var out, msgs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msgs
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", c.name, err, msgs.String())
	}
	c.times = append(c.times, time.Since(start))
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.maxRSS = max(c.maxRSS, usage.Maxrss)
	}
	c.measure = map[string]string{}
	for line := range strings.Lines(out.String()) {
		if f := strings.Fields(line); len(f) == 3 && f[1] == "all" {
			c.measure[f[0]] = f[2]
		}
	}
	return nil
}

func (c *contender) median() time.Duration {
	sorted := slices.Sorted(slices.Values(c.times))
	return sorted[len(sorted)/2]
}

func compare(rounds int, run string, ours, theirs *contender) error {
	for range rounds {
		for _, c := range []*contender{ours, theirs} {
			if err := c.run(); err != nil {
				return err
			}
		}
	}
	size, err := os.Stat(run)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %.0f MB, %d rounds, %d cores\n", filepath.Base(run), float64(size.Size())/1e6, rounds, runtime.NumCPU())
	for _, c := range []*contender{ours, theirs} {
		fmt.Printf("%-14s  median %7.3f s  (%.3f … %.3f)  peak memory %5d MB\n", c.name, c.median().Seconds(),
			slices.Min(c.times).Seconds(), slices.Max(c.times).Seconds(), c.maxRSS>>10)
	}
	fmt.Printf("ratio %.1f\n", theirs.median().Seconds()/ours.median().Seconds())
	var same int
	for name, want := range theirs.measure {
		if strings.HasPrefix(name, "iprec_at_recall") {
			// pytrec_eval holds trec_eval 9; version 10, which assay follows,
			// rounds the recall points in another way.
			continue
		}
		if got := ours.measure[name]; got != want {
			return fmt.Errorf("%s: assay says %s, pytrec_eval %s", name, cmp.Or(got, "nothing"), want)
		}
		same++
	}
	fmt.Printf("%d measures agree to the last digit\n", same)
	if same == 0 {
		return fmt.Errorf("nothing was compared")
	}
	return nil
}
