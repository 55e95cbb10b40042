package assaytest_test

import (
	"testing"

	"github.com/assay-eval/assay/assaytest"
)

// A test of a configuration file, with another retriever, held to a committed
// baseline. The folder examples/gotest holds one that can be run.
func ExampleRun() {
	_ = func(t *testing.T) {
		r := assaytest.Run(t, assaytest.Config{
			File: "eval-config.yaml",
			Set:  map[string]string{"retriever": "sparse"},
		})
		assaytest.Gate(t, r, assaytest.Policy{
			Rules:    []string{"hit@3.lower >= 0.8", "errors <= 1%"},
			Baseline: "testdata/baseline.json",
		})
	}
}

// A test of a judged run that needs no keys: the calls of an earlier run are in a
// file that assay store export wrote.
func ExampleRun_replay() {
	_ = func(t *testing.T) {
		r := assaytest.Run(t, assaytest.Config{
			File:   "eval-config.yaml",
			Judge:  "openai:gpt-4.1-mini",
			Ledger: "testdata/calls.jsonl.gz",
			Replay: true,
		})
		assaytest.Gate(t, r, assaytest.Policy{Rules: []string{"faithfulness >= 0.85"}})
	}
}
