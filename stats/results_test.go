//go:build results

package stats_test

import (
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
)

var update = flag.Bool("update", false, "write the pages of docs/results and testdata/scifact.csv anew")

// TestResults simulates how often the tests and gates err, and compares with
// docs/results/statistics.md. Every draw has its own seed, so that the page is
// the same each time.
func TestResults(t *testing.T) {
	p := &page{t: t, scifact: readScores(t)}
	for _, section := range []func(){p.alarms, p.families, p.skewed, p.gates, p.coverage, p.looks, p.foot} {
		section()
	}
	got := p.head() + p.String()
	// p-values on the edge move by a case or so.
	requiretest.ResultsPage(t, "statistics.md", got, *update, number, 0.4)
}

// A page is docs/results/statistics.md as it is simulated.
type page struct {
	strings.Builder
	t       *testing.T
	scifact scores
	// What the summary repeats, in shares.
	alarm, familywise, simultaneous, worse, losses, sequence []float64
}

// share is hits as a part of trials.
func share(hits, trials int) float64 { return float64(hits) / float64(trials) }

// span is the range of shares in percent.
func span(shares []float64) string {
	return fmt.Sprintf("%.1f to %.1f %%", 100*slices.Min(shares), 100*slices.Max(shares))
}

func (p *page) say(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// goal fails the test when a share lies outside the band that is the goal.
func (p *page) goal(what string, hits, trials int, low, high float64) {
	if share := float64(hits) / float64(trials); share < low || share > high {
		p.t.Errorf("%s: %d of %d, want %.3f to %.3f", what, hits, trials, low, high)
	}
}

// percent is a share of trials in percent.
func percent(hits, trials int) string {
	return fmt.Sprintf("%.1f", 100*float64(hits)/float64(trials))
}

// exact is the 95 % interval of a share in percent.
func exact(hits, trials int) string {
	ci := stats.ClopperPearson(hits, trials, 0.95)
	return fmt.Sprintf("%.1f…%.1f", 100*ci.Lo, 100*ci.Hi)
}

// scores holds the scores of two systems by metric, query by query.
type scores map[string][]stats.Pair

const scoresFile = "testdata/scifact.csv"

// readScores reads what two runs of assay scored; see TestResultsScores.
func readScores(t *testing.T) scores {
	f, err := os.Open(scoresFile)
	must(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	must(t, err)
	out := scores{}
	for _, row := range rows[1:] {
		for i := 1; i < len(row); i += 2 {
			old, err := strconv.ParseFloat(row[i], 64)
			must(t, err)
			new, err := strconv.ParseFloat(row[i+1], 64)
			must(t, err)
			metric := strings.TrimSuffix(rows[0][i], " sparse")
			out[metric] = append(out[metric], stats.Pair{Old: old, New: new})
		}
	}
	if len(out["ndcg@10"]) != 300 {
		t.Fatalf("%s has %d queries, want 300", scoresFile, len(out["ndcg@10"]))
	}
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// parallel does n things on all processors, in any order.
func parallel(n int, do func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}

// count is how many of n things are so.
func count(n int, so func(i int) bool) int {
	var hits atomic.Int64
	parallel(n, func(i int) {
		if so(i) {
			hits.Add(1)
		}
	})
	return int(hits.Load())
}

var number = regexp.MustCompile(`-?\d+(\.\d+)?`)
