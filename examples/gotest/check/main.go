// Command check holds the search to the same rules as the tests do, without go
// test: for a release script, or a program that must not start with a search that
// got worse. It exits with 1 when the gate fails. Run it in examples/gotest.
package main

import (
	"context"
	"log"
	"os"

	"github.com/assay-eval/assay/assaytest"
	"github.com/assay-eval/assay/examples/gotest"
)

// A checker stands for the test: it logs, and remembers whether anything failed.
type checker struct {
	dir    string
	failed bool
}

func (*checker) Helper()                         {}
func (*checker) Context() context.Context        { return context.Background() }
func (c *checker) TempDir() string               { return c.dir }
func (*checker) Logf(format string, args ...any) { log.Printf(format, args...) }

func (c *checker) Errorf(format string, args ...any) {
	c.failed = true
	log.Printf(format, args...)
}

func (*checker) Fatalf(format string, args ...any) { log.Fatalf(format, args...) }

func main() {
	log.SetFlags(0)
	dir, err := os.MkdirTemp("", "check")
	if err != nil {
		log.Fatal(err)
	}
	search, err := gotest.Open(os.DirFS("testdata/docs"))
	if err != nil {
		log.Fatal(err)
	}
	c := &checker{dir: dir}
	r := assaytest.Run(c, assaytest.Config{
		Target: search, Dataset: "testdata/gold.jsonl", Metrics: []string{"hit@3", "mrr", "precision@5", "ndcg@5"},
	})
	assaytest.Gate(c, r, assaytest.Policy{Rules: []string{"hit@3 >= 0.9", "errors <= 0"}, Baseline: "testdata/baseline.json"})
	if err := os.RemoveAll(dir); err != nil {
		log.Print(err)
	}
	if c.failed {
		os.Exit(1)
	}
	log.Printf("%d cases: the search is as good as its baseline", r.Cases.Len())
}
