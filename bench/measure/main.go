//go:build unix

// Command measure scores a large run with assay measure and with pytrec_eval,
// in turns, each as a whole process over the same two files, and prints the
// median times, their ratio, the peak memory of both, and whether the numbers
// agree. Both compute trec_eval's official measures.
package main

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/assay-eval/assay/bench/internal/contest"
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
		&contest.Contender{Name: "assay measure", Args: []string{*assay, "measure", qrels, run, "--format", "trec", "-m", "official", "-c"}},
		&contest.Contender{Name: "pytrec_eval", Args: []string{*python, *script, qrels, run}},
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

// measures returns the official measures over all queries that a contender has printed.
func measures(c *contest.Contender) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(c.Output) {
		if f := strings.Fields(line); len(f) == 3 && f[1] == "all" {
			all[f[0]] = f[2]
		}
	}
	return all
}

func compare(rounds int, run string, ours, theirs *contest.Contender) error {
	if err := contest.Run(rounds, ours, theirs); err != nil {
		return err
	}
	size, err := os.Stat(run)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %.0f MB, %d rounds, %d cores\n", filepath.Base(run), float64(size.Size())/1e6, rounds, runtime.NumCPU())
	for _, c := range []*contest.Contender{ours, theirs} {
		c.Report(os.Stdout)
	}
	fmt.Printf("ratio %.1f\n", theirs.Wall().Seconds()/ours.Wall().Seconds())
	var same int
	mine := measures(ours)
	for name, want := range measures(theirs) {
		if strings.HasPrefix(name, "iprec_at_recall") {
			// pytrec_eval holds trec_eval 9; version 10, which assay follows,
			// rounds the recall points in another way.
			continue
		}
		if got := mine[name]; got != want {
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
