// Package assaytest evaluates a RAG system within go test: a run is a call, a gate is
// an assertion.
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
// The target is anything with an Ask method, or the target of a configuration file:
// everything that assay run can evaluate. Paths are relative to the test's folder, as
// usual in go test.
//
// A test gives the same result on every machine: settings in environment variables are
// ignored, the network is disabled unless the configuration enables it, and the
// database is temporary. With a ledger of recorded calls, a judged run needs neither
// keys nor money:
//
//	assaytest.Config{File: "eval-config.yaml", Ledger: "testdata/calls.jsonl.gz", Replay: true}
//
// What was not measured never passes: a run in which every case failed ends the test, a
// rule about a metric that the run lacks fails, and so does a gate without any rule.
package assaytest

import (
	"context"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

// Config describes the evaluation. A zero field takes its value from File, or else the
// default of assay run.
type Config struct {
	// File is a configuration file such as eval-config.yaml. Its output settings are
	// ignored: a test writes reports only if Report says so.
	File string
	// Target is the system under test, instead of one from the settings. It is called
	// concurrently if Set has a concurrency above 1.
	Target assay.Target
	// Dataset is the file of cases, Corpus a folder of documents for the built-in
	// pipeline.
	Dataset, Corpus string
	// Metrics lists the metrics to compute; empty means all that fit the labels.
	Metrics []string
	// Judge is the judge, as "PROVIDER:MODEL".
	Judge string
	// Set holds settings of assay run, by their names in a configuration file:
	// {"retriever": "sparse", "thresholds.faithfulness": "0.85"}.
	Set map[string]string
	// Network allows network access, as does "offline: false" in File or Set.
	Network bool
	// Ledger is a file of model calls written by assay store export. They are added to
	// the ledger before the run.
	Ledger string
	// Replay answers model calls only from the ledger; a missing call ends the test.
	Replay bool
	// Store is the database that stores the run, "" for a temporary one.
	Store string
	// Report is the base name of the report files, such as "results/eval"; "" for none.
	Report string
}

// A T is a test: a *testing.T, or an equivalent in another test framework or in a
// program. Fatalf must not return to its caller.
type T interface {
	Helper()
	Context() context.Context
	TempDir() string
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// grace is the time reserved before the test's deadline to report partial results.
const grace = 5 * time.Second

// Run evaluates the configuration and returns the report. Whatever would end assay run
// with exit code 3 or 130 ends the test: a mistake in the configuration, a target that
// fails every case, an interrupted run. Use [Gate] to decide whether the results are
// good enough.
//
// The run stops in time to report before the test's deadline.
func Run(t T, c Config) *report.Report {
	t.Helper()
	ctx, cancel := t.Context(), context.CancelFunc(func() {})
	if d, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if at, ok := d.Deadline(); ok {
			// Reserve at most half of a short deadline.
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
