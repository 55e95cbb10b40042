package gotest_test

import (
	"os"
	"testing"

	"github.com/assay-eval/assay/assaytest"
	"github.com/assay-eval/assay/examples/gotest"
)

// The search as it is in code is held to rules and to the committed baseline:
//
//	go test ./examples/gotest -v
//
// Where a change of the baseline is wanted, the failure of a test without the
// file names the command that makes a new one.
func TestSearch(t *testing.T) {
	t.Parallel()
	search, err := gotest.Open(os.DirFS("testdata/docs"))
	if err != nil {
		t.Fatal(err)
	}
	r := assaytest.Run(t, assaytest.Config{
		Target:  search,
		Dataset: "testdata/gold.jsonl",
		Metrics: []string{"hit@3", "mrr", "precision@5", "ndcg@5"},
	})
	assaytest.Gate(t, r, assaytest.Policy{
		Rules:    []string{"hit@3 >= 0.9", "errors <= 0"},
		Baseline: "testdata/baseline.json",
	})
}

// The built-in pipeline over the same notes, as a configuration file says, which
// holds the thresholds too.
func TestPipeline(t *testing.T) {
	t.Parallel()
	r := assaytest.Run(t, assaytest.Config{File: "testdata/eval-config.yaml"})
	assaytest.Gate(t, r)
}
