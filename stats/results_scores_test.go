//go:build results

package stats_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
)

const (
	scoresCommand = "run --adapter builtin --split test --generator none --top-k 100 --metrics ndcg@10,recall@5,hit@3"
	scoresMetrics = "ndcg@10 recall@5 hit@3"
)

// TestResultsScores runs the two retrievers on SciFact and wants the scores that
// the simulations draw from; with -update it writes them. Without an index in
// $CACHE or in the user's cache it embeds the corpus, which takes minutes.
func TestResultsScores(t *testing.T) {
	data := requiretest.Shared(t, "data/retrieval/scifact")
	index := requiretest.IndexCache(t)
	sparse, ids := runScores(t, data, index, "sparse")
	dense, _ := runScores(t, data, index, "dense")
	metrics := strings.Fields(scoresMetrics)
	if *update {
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		head := []string{"query"}
		for _, m := range metrics {
			head = append(head, m+" sparse", m+" dense")
		}
		must(t, w.Write(head))
		for _, id := range ids {
			row := []string{id}
			for _, m := range metrics {
				row = append(row, decimal(sparse[id][m]), decimal(dense[id][m]))
			}
			must(t, w.Write(row))
		}
		w.Flush()
		must(t, os.MkdirAll(filepath.Dir(scoresFile), 0o755))
		must(t, os.WriteFile(scoresFile, b.Bytes(), 0o644))
		return
	}
	stored := readScores(t)
	for _, m := range metrics {
		var now []stats.Pair
		for _, id := range ids {
			now = append(now, stats.Pair{Old: sparse[id][m], New: dense[id][m]})
		}
		if len(now) != len(stored[m]) {
			t.Fatalf("%s: %d queries, stored are %d", m, len(now), len(stored[m]))
		}
		// Sparse scores are sums of few numbers; embeddings are rounded in the
		// order of the processor's vectors, which may swap two passages.
		var mean float64
		for i, pair := range now {
			near(t, m+" sparse", pair.Old, stored[m][i].Old, 1e-9)
			mean += (pair.New - stored[m][i].New) / float64(len(now))
		}
		near(t, m+" dense, mean of the change", mean, 0, 0.0005)
		if math.IsNaN(mean) {
			t.Errorf("%s: no number", m)
		}
	}
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// runScores runs one retriever and gives the scores of each query by metric.
func runScores(t *testing.T, data, index, retriever string) (byQuery map[string]map[string]float64, ids []string) {
	t.Helper()
	dir := t.TempDir()
	base := filepath.Join(dir, retriever)
	args := append(strings.Fields(scoresCommand), "--dataset", data, "--retriever", retriever, "--output", base, "--store",
		base+".db", "--set", "cache="+index, "--quiet")
	var out bytes.Buffer
	code := cli.Main(context.Background(), &cli.Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Dir: dir, Getenv: func(string) string { return "" }, Now: time.Now, Version: "results",
	}, args)
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, &out)
	}
	b, err := os.ReadFile(base + ".json")
	must(t, err)
	var report struct {
		Cases []struct {
			ID     string
			Scores map[string]struct {
				State string
				Value float64
			}
		}
	}
	must(t, json.Unmarshal(b, &report))
	byQuery = map[string]map[string]float64{}
	for _, c := range report.Cases {
		ids = append(ids, c.ID)
		byQuery[c.ID] = map[string]float64{}
		for m, s := range c.Scores {
			if s.State != "scored" {
				t.Fatalf("%s %s: %s", c.ID, m, s.State)
			}
			byQuery[c.ID][m] = s.Value
		}
	}
	return byQuery, ids
}
