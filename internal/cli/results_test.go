//go:build results

package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/internal/requiretest"
)

var update = flag.Bool("update", false, "write docs/results/retrieval.md anew")

// expectation is what a run must reach, and where the figure was published.
type expectation struct {
	metric    string
	low, high float64
	published string
}

// results are the published figures that a run must reproduce. The bands are
// the goals of the project, not what happened to be measured.
var results = []struct {
	title, data string
	flags       string
	want        []expectation
}{
	{
		"SciFact, BM25", "scifact", "--split test --retriever sparse --generator none --top-k 100 --metrics ndcg@10,recall@100,mrr@10",
		[]expectation{
			{"ndcg@10", 0.679 - 0.005, 0.679 + 0.005, "0.6789 (Anserini, BM25 flat)"},
			{"recall@100", 0.925 - 0.005, 0.925 + 0.005, "0.9253 (Anserini, BM25 flat)"},
			{"mrr@10", 0, 1, ""},
		},
	},
	{
		"SciFact, all-MiniLM-L6-v2", "scifact", "--split test --retriever dense --generator none --top-k 100 --metrics " +
			"ndcg@10,recall@100,mrr@10",
		[]expectation{
			{"ndcg@10", 0.645 - 0.003, 0.645 + 0.003, "0.6451 (MTEB)"},
			{"recall@100", 0.92, 0.93, "0.9250 (MTEB)"},
			{"mrr@10", 0, 1, ""},
		},
	},
	{
		"SciFact, hybrid", "scifact", "--split test --retriever hybrid --generator none --top-k 100 --metrics ndcg@10,recall@100,mrr@10",
		[]expectation{
			{"ndcg@10", 0.684, 1, "none; must beat both"},
			{"recall@100", 0.93, 1, "none; must beat both"},
			{"mrr@10", 0, 1, ""},
		},
	},
	{
		"DRCD (Traditional Chinese), BM25", "drcd", "--split test --retriever sparse --generator none --top-k 100 --metrics " +
			"ndcg@10,recall@100,mrr@10",
		[]expectation{
			{"ndcg@10", 0.94, 1, "none; goal 0.94"},
			{"recall@100", 0, 1, ""},
			{"mrr@10", 0, 1, ""},
		},
	},
}

// TestResults runs the commands of docs/results/retrieval.md and compares their output
// with the published figures and with the page.
func TestResults(t *testing.T) {
	page := filepath.Join(requiretest.Root(), "docs", "results", "retrieval.md")
	text, err := os.ReadFile(page)
	if err != nil && !*update {
		t.Fatal(err)
	}
	cache := os.Getenv("CACHE")
	if cache == "" {
		cache = t.TempDir()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Retrieval: published figures reproduced\n\nThis page is written by the command at its end, which runs the commands "+
		"below and compares. "+
		"CI runs it too and fails when a figure leaves its band or differs from this page by more than 0.0005.\nThe data are described in the "+
		"shared folder that `ASSAY_SHARED` names. Last written %s.\n",
		time.Now().UTC().Format("2006-01-02"))
	dir := t.TempDir()
	for i, r := range results {
		data := requiretest.Shared(t, "data/retrieval/"+r.data)
		base := filepath.Join(dir, fmt.Sprint(i))
		args := append([]string{"run", "--adapter", "builtin", "--dataset", data, "--output", base, "--store", base + ".db", "--set",
			"cache=" + filepath.Join(cache, "index"), "--quiet"}, strings.Fields(r.flags)...)
		var stderr bytes.Buffer
		if code := cli.Main(context.Background(), &cli.Env{
			Stdin: strings.NewReader(""), Stdout: &stderr, Stderr: &stderr, Dir: dir, Getenv: func(string) string { return "" }, Now: time.Now,
			Version: "results",
		}, args); code != 0 {
			t.Fatalf("%s: exit code %d\n%s", r.title, code, &stderr)
		}
		rep := readJSON(t, base+".json")
		fmt.Fprintf(&b, "\n## %s\n\n```\nassay run --adapter builtin --dataset $ASSAY_SHARED/data/retrieval/%s %s\n```\n\nData `%s`, corpus "+
			"`%s`, %d questions.\n\n| metric | measured | 95 %% interval | published | band |\n|---|---|---|---|---|\n",
			r.title, r.data, r.flags, short(rep.Run.Dataset.Hash), short(rep.Run.Corpus.Hash), rep.Run.Dataset.Cases)
		for _, w := range r.want {
			m := rep.Summary[w.metric]
			if m.Mean < w.low || m.Mean > w.high {
				t.Errorf("%s: %s = %.4f, want %.4f to %.4f (published: %s)", r.title, w.metric, m.Mean, w.low, w.high, w.published)
			}
			band := fmt.Sprintf("%.3f…%.3f", w.low, w.high)
			if w.low == 0 && w.high == 1 {
				band = ""
			}
			fmt.Fprintf(&b, "| %s | %.4f | %.4f…%.4f | %s | %s |\n", w.metric, m.Mean, m.CI[0], m.CI[1], w.published, band)
			if !*update {
				onPage(t, string(text), r.title, w.metric, m.Mean)
			}
		}
	}
	fmt.Fprint(&b, "\n## Write this page again\n\n```\ngo test -tags results -run TestResults ./internal/cli -update\n```\n")
	if *update {
		if err := os.MkdirAll(filepath.Dir(page), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// onPage checks the figure that the page shows. Kernels for different
// processors add in different orders, so the last digit may differ.
func onPage(t *testing.T, page, title, metric string, got float64) {
	t.Helper()
	_, section, _ := strings.Cut(page, "## "+title+"\n")
	_, row, _ := strings.Cut(section, "| "+metric+" | ")
	var want float64
	if _, err := fmt.Sscanf(row, "%f", &want); err != nil {
		t.Errorf("the page has no %s under %q", metric, title)
	} else if math.Abs(want-got) > 0.0005 {
		t.Errorf("%s: the page says %s = %.4f, measured %.4f", title, metric, want, got)
	}
}

func short(hash string) string { return hash[:min(len(hash), len("sha256:")+12)] }

type jsonReport struct {
	Run struct {
		Dataset struct {
			Hash  string
			Cases int
		}
		Corpus struct{ Hash string }
	}
	Summary map[string]struct {
		Mean float64
		CI   [2]float64
	}
}

func readJSON(t *testing.T, path string) jsonReport {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var r jsonReport
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return r
}
