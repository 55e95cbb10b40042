// Package assaytest evaluates a RAG system within go test: a run is a call, a
// gate is an assertion.
//
//	func TestRetrieval(t *testing.T) {
//		r := assaytest.Run(t, assaytest.Config{
//			Target:  mySystem{},
//			Dataset: "testdata/gold.jsonl",
//			Metrics: []string{"hit@3", "mrr@10"},
//		})
//		assaytest.Gate(t, r, assaytest.Policy{
//			Rules:    []string{"hit@3.lower >= 0.8", "errors <= 0"},
//			Baseline: "testdata/baseline.json",
//		})
//	}
//
// The target is anything with an Ask method, or what a configuration file says:
// everything that assay run can evaluate. Paths are relative to the folder of the
// test, as go test sees it.
//
// A test means the same on every machine: settings in environment variables do
// not apply, there is no network unless the configuration asks for it, and the
// data base is one of the test's own. With a ledger of recorded calls a run that
// a model judges needs neither keys nor money:
//
//	assaytest.Config{File: "eval-config.yaml", Ledger: "testdata/calls.jsonl.gz", Replay: true}
//
// What was not measured never passes: a run in which every case failed ends the
// test, a rule about a metric that the run lacks fails, and so does a gate that
// has nothing to hold the run to.
package assaytest

import (
	"context"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

// Config says what is evaluated. The zero value of a field leaves to File and
// to the defaults of assay run what it would say.
type Config struct {
	// File is a configuration file such as eval-config.yaml. Its output is not
	// used: a test writes no reports unless Report says so.
	File string
	// Target is the system under test, in place of one that settings name. It is
	// asked from several goroutines if Set has a concurrency above 1.
	Target assay.Target
	// Dataset is the file of cases, Corpus a folder of documents for the built-in
	// pipeline.
	Dataset, Corpus string
	// Metrics are those that are computed; none means all that fit the labels.
	Metrics []string
	// Judge is who judges, as "PROVIDER:MODEL".
	Judge string
	// Set has any setting that assay run has, by its name in a configuration
	// file: {"retriever": "sparse", "thresholds.faithfulness": "0.85"}.
	Set map[string]string
	// Network allows the network. So does "offline: false" in File or Set.
	Network bool
	// Ledger is a file of calls to models that assay store export wrote. They
	// are there already when the run asks for them.
	Ledger string
	// Replay answers calls to models from the ledger alone; one that it lacks
	// ends the test.
	Replay bool
	// Store is the data base that keeps the run, "" for one that ends with the
	// test.
	Store string
	// Report is the base name of the report files, as in "results/eval"; "" for
	// none.
	Report string
}

// grace is what is left of the time before the test's deadline, to say how far
// the run came.
const grace = 5 * time.Second

// Run evaluates what c says and returns the report. What assay run would end
// with exit code 3 or 130 for ends the test: a mistake in the configuration, a
// target that fails every case, a run that does not get to its end. Whether what
// was measured is good enough is for [Gate] to say.
//
// The run stops in time to report before the test's deadline.
func Run(t testing.TB, c Config) *report.Report {
	t.Helper()
	ctx, cancel := t.Context(), context.CancelFunc(func() {})
	if d, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if at, ok := d.Deadline(); ok {
			// A test of a few seconds is not to end before it begins.
			left := time.Until(at)
			ctx, cancel = context.WithTimeout(ctx, max(left-grace, left/2))
		}
	}
	defer cancel()
	r, err := evaluate(ctx, c, t.TempDir())
	if r != nil && c.Report != "" {
		if err := write(r, c.Report); err != nil {
			t.Errorf("report %s: %v", c.Report, err)
		}
	}
	if err != nil {
		t.Fatalf("assay: %v", err)
	}
	for _, w := range r.Summary.Warnings {
		t.Logf("assay: warning: %s", w)
	}
	return r
}
