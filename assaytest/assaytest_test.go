package assaytest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/assaytest"
	"github.com/assay-eval/assay/report"
)

// A recorder is a test that keeps what it is told and never fails the real one.
type recorder struct {
	testing.TB
	errors, logs []string
	// fatal is set when the test was ended.
	fatal    bool
	deadline time.Time
}

func (r *recorder) Helper() {}
func (r *recorder) Logf(format string, args ...any) {
	r.logs = append(r.logs, fmt.Sprintf(format, args...))
}
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}
func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	r.fatal = true
	runtime.Goexit()
}
func (r *recorder) Deadline() (time.Time, bool) { return r.deadline, !r.deadline.IsZero() }

// record runs a test and gives what it said.
func record(t *testing.T, test func(testing.TB)) *recorder {
	t.Helper()
	return recordWith(&recorder{TB: t}, test)
}

func recordWith(r *recorder, test func(testing.TB)) *recorder {
	done := make(chan struct{})
	go func() {
		defer close(done)
		test(r)
	}()
	<-done
	return r
}

func (r *recorder) all() string { return strings.Join(r.errors, "\n") }

// shelf is a target that finds the documents it has for a question, best first;
// it fails a question that it does not know.
type shelf map[string][]string

func (s shelf) Ask(_ context.Context, c *assay.Case) (assay.Response, error) {
	names, ok := s[c.ID]
	if !ok {
		return assay.Response{}, errors.New("connection refused")
	}
	r := assay.Response{NoAnswer: true, Passages: []assay.Passage{}}
	for _, n := range names {
		r.Passages = append(r.Passages, assay.Passage{Document: n, Text: "text of " + n})
	}
	return r, nil
}

const gold = `{"test_cases": [
  {"id": "a", "question": "Where is the pier?", "expected_contexts": ["pier.md"]},
  {"id": "b", "question": "What does a ticket cost?", "expected_contexts": ["fares.md"]},
  {"id": "c", "question": "When does it close?", "expected_contexts": ["hours.md"], "critical": true},
  {"id": "d", "question": "Who built it?", "expected_contexts": ["history.md"]}
]}
`

// right answers every question of gold.
var right = shelf{"a": {"pier.md"}, "b": {"fares.md"}, "c": {"hours.md"}, "d": {"history.md"}}

// with gives right with other documents for one question.
func with(id string, names ...string) shelf {
	s := shelf{}
	for k, v := range right {
		s[k] = v
	}
	s[id] = names
	return s
}

func file(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatalf("%v", err)
	}
	return path
}

// measure runs a target on gold.
func measure(t *testing.T, target assay.Target, set map[string]string) *report.Report {
	t.Helper()
	return assaytest.Run(t, assaytest.Config{Target: target, Dataset: file(t, "gold.json", gold), Metrics: []string{"hit@3", "mrr@10"},
		Set: set})
}

func TestRun(t *testing.T) {
	t.Parallel()
	base := filepath.Join(t.TempDir(), "results", "eval")
	r := assaytest.Run(t, assaytest.Config{Target: with("b", "pier.md", "fares.md"), Dataset: file(t, "gold.json", gold),
		Metrics: []string{"hit@3", "mrr@10"}, Report: base})
	if r.Summary.Cases != 4 || len(r.Summary.Metrics) != 2 {
		t.Fatalf("%+v", r.Summary)
	}
	// (1 + 1/2 + 1 + 1)/4
	if hit, mrr := r.Summary.Metrics[0].Mean, r.Summary.Metrics[1].Mean; hit != 1 || mrr != 0.875 {
		t.Errorf("hit@3 %v, mrr@10 %v; want 1 and 0.875", hit, mrr)
	}
	if h := r.Header; h.Target.Adapter != "code" || h.Target.Endpoint != "assaytest_test.shelf" {
		t.Errorf("target %+v", h.Target)
	}
	for _, ext := range []string{".md", ".json", ".html"} {
		if _, err := os.Stat(base + ext); err != nil {
			t.Error(err)
		}
	}
}

func TestGatePasses(t *testing.T) {
	t.Parallel()
	r := measure(t, right, nil)
	rec := record(t, func(t testing.TB) {
		assaytest.Gate(t, r, assaytest.Policy{Rules: []string{"hit@3 >= 0.9", "errors <= 0"}}, assaytest.Policy{Rules: []string{"mrr >= 0.9"}})
	})
	if rec.errors != nil || len(rec.logs) < 3 {
		t.Errorf("errors %q, logs %q", rec.errors, rec.logs)
	}
}

func TestGateFails(t *testing.T) {
	t.Parallel()
	whole := measure(t, right, nil)
	half := measure(t, with("b", "pier.md"), nil)
	for name, test := range map[string]struct {
		r      *report.Report
		policy []assaytest.Policy
		fatal  bool
		says   []string
	}{
		"a rule": {half, []assaytest.Policy{{Rules: []string{"hit@3 >= 0.9", "errors <= 0"}}}, false,
			[]string{"hit@3 >= 0.9", "0.75"}},
		"the second policy": {half, []assaytest.Policy{{Rules: []string{"errors <= 0"}}, {Rules: []string{"hit@3 >= 0.9"}}}, false,
			[]string{"hit@3 >= 0.9"}},
		"a critical case": {measure(t, with("c", "pier.md"), map[string]string{"thresholds.hit@3": "0.5"}), nil, false,
			[]string{"critical case c: When does it close?"}},
		"a threshold": {measure(t, with("b", "pier.md"), map[string]string{"thresholds.hit@3": "0.8"}), nil, false,
			[]string{"hit@3", "0.8"}},
		"nothing to hold to":             {whole, nil, true, []string{"the gate has no rules"}},
		"a policy of nothing":            {whole, []assaytest.Policy{{}}, true, []string{"the policy is empty"}},
		"a metric that was not measured": {whole, []assaytest.Policy{{Rules: []string{"ndcg@10 >= 0"}}}, true, []string{"ndcg@10"}},
		"a rule that cannot be read":     {whole, []assaytest.Policy{{Rules: []string{"hit@3 is fine"}}}, true, []string{"hit@3 is fine"}},
		"tolerances of nothing": {whole, []assaytest.Policy{{Rules: []string{"errors <= 0"},
			Tolerances: map[string]float64{"hit@3": 0}}}, true, []string{"expected Policy.Baseline"}},
		"a baseline that is not there": {whole, []assaytest.Policy{{Baseline: "no/baseline.json"}}, true, []string{"no/baseline.json",
			"assay baseline save ", "-o "}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rec := record(t, func(t testing.TB) { assaytest.Gate(t, test.r, test.policy...) })
			if kept := regexp.MustCompile(`save (\S+)/report.json`).FindStringSubmatch(rec.all()); kept != nil {
				if err := os.RemoveAll(kept[1]); err != nil {
					t.Error(err)
				}
			}
			if len(rec.errors) == 0 || rec.fatal != test.fatal {
				t.Fatalf("fatal %v, errors %q", rec.fatal, rec.errors)
			}
			for _, part := range test.says {
				if !strings.Contains(rec.all(), part) {
					t.Errorf("%q does not say %q", rec.errors, part)
				}
			}
		})
	}
}

// One error a rule, and only for those that failed.
func TestGateSaysEachRule(t *testing.T) {
	t.Parallel()
	r := measure(t, with("b", "pier.md"), nil)
	rec := record(t, func(t testing.TB) {
		assaytest.Gate(t, r, assaytest.Policy{Rules: []string{"hit@3 >= 0.9", "mrr@10 >= 0.8", "errors <= 0"}})
	})
	if len(rec.errors) != 2 {
		t.Errorf("%d errors: %q", len(rec.errors), rec.errors)
	}
}

// A rule only counts the cases without a response; why there is none is said.
func TestGateSaysWhyThereIsNoResponse(t *testing.T) {
	t.Parallel()
	r := measure(t, shelf{"a": {"pier.md"}}, map[string]string{"retries": "0"})
	rec := record(t, func(t testing.TB) { assaytest.Gate(t, r, assaytest.Policy{Rules: []string{"errors <= 0"}}) })
	logs := strings.Join(rec.logs, "\n")
	if !strings.Contains(logs, "no response to b: What does a ticket cost? – ") || !strings.Contains(logs, "connection refused") ||
		strings.Contains(logs, "no response to a") {
		t.Errorf("logs %q", logs)
	}
}

// The command that the error names makes a baseline; the next run that is worse
// fails against it, and the file stays as it was.
func TestBaseline(t *testing.T) {
	t.Parallel()
	path := file(t, "baseline.json", "")
	r := measure(t, right, nil)
	saveBaseline(t, r, path)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	policy := assaytest.Policy{Baseline: path}
	if rec := record(t, func(t testing.TB) { assaytest.Gate(t, measureIn(t, path, right), policy) }); rec.errors != nil {
		t.Errorf("the same again: %q", rec.errors)
	}
	rec := record(t, func(t testing.TB) { assaytest.Gate(t, measureIn(t, path, with("b", "pier.md")), policy) })
	if len(rec.errors) == 0 || !strings.Contains(rec.all(), "hit@3") || !strings.Contains(rec.all(),
		"b (1 → 0): What does a ticket cost?") {
		t.Errorf("a hit was lost: %q", rec.errors)
	}
	smaller := assaytest.Run(t, assaytest.Config{Target: right, Dataset: file(t, "gold.json", gold), Metrics: []string{"hit@3", "mrr@10"},
		Set: map[string]string{"limit": "3"}})
	if rec := record(t, func(t testing.TB) { assaytest.Gate(t, smaller, policy) }); !strings.Contains(rec.all(),
		"no comparison with the baseline") {
		t.Errorf("fewer cases: %q", rec.errors)
	}
	if rec := record(t, func(t testing.TB) { assaytest.Gate(t, r, assaytest.Policy{Baseline: file(t, "broken.json", "{")}) }); !rec.fatal {
		t.Errorf("a broken baseline: %q", rec.errors)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the baseline was changed: %v", err)
	}
}

// measureIn runs a target on gold, which lies beside another file.
func measureIn(t testing.TB, beside string, target assay.Target) *report.Report {
	t.Helper()
	path := filepath.Join(filepath.Dir(beside), "gold.json")
	if err := os.WriteFile(path, []byte(gold), 0o644); err != nil {
		t.Fatalf("%v", err)
	}
	return assaytest.Run(t, assaytest.Config{Target: target, Dataset: path, Metrics: []string{"hit@3", "mrr@10"}})
}

func TestRunEndsTheTest(t *testing.T) {
	t.Parallel()
	data := file(t, "gold.json", gold)
	quick := map[string]string{"retries": "0"}
	for name, test := range map[string]struct {
		c    assaytest.Config
		says string
	}{
		"every case failed":   {assaytest.Config{Target: shelf{}, Dataset: data, Set: quick}, "the target failed all 4 cases"},
		"no dataset":          {assaytest.Config{Target: right}, "expected Config.Dataset"},
		"no such dataset":     {assaytest.Config{Target: right, Dataset: "none.jsonl"}, "none.jsonl"},
		"no such metric":      {assaytest.Config{Target: right, Dataset: data, Metrics: []string{"hitt@3"}}, "hitt@3"},
		"no such setting":     {assaytest.Config{Target: right, Dataset: data, Set: map[string]string{"retrieverr": "sparse"}}, "retrieverr"},
		"no such file":        {assaytest.Config{File: "none.yaml"}, "none.yaml"},
		"a mistake in a file": {assaytest.Config{File: file(t, "eval-config.yaml", "top_kk: 3\n")}, "eval-config.yaml:1"},
		"two targets": {assaytest.Config{Target: right, Dataset: data, Set: map[string]string{"adapter": "http"}},
			"expected one of the two"},
		"another machine": {assaytest.Config{Dataset: data, Set: map[string]string{"adapter": "http", "endpoint": "http://192.0.2.1/"}},
			"another machine"},
		"a model": {assaytest.Config{Target: right, Dataset: data, Metrics: []string{"context_relevance"}, Judge: "openai:m"},
			"offline"},
		"no such ledger": {assaytest.Config{Target: right, Dataset: data, Metrics: []string{"hit@3"}, Ledger: "none.jsonl"}, "none.jsonl"},
		"a ledger that is none": {assaytest.Config{Target: right, Dataset: data, Metrics: []string{"hit@3"}, Ledger: file(t, "calls.jsonl",
			"{}\n")}, "calls.jsonl"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rec := record(t, func(t testing.TB) { assaytest.Run(t, test.c) })
			if !rec.fatal || !strings.Contains(rec.all(), test.says) {
				t.Errorf("fatal %v: %q; want %q", rec.fatal, rec.errors, test.says)
			}
		})
	}
}

// slow never answers.
type slow struct{}

func (slow) Ask(ctx context.Context, _ *assay.Case) (assay.Response, error) {
	<-ctx.Done()
	return assay.Response{}, ctx.Err()
}

func TestRunEndsBeforeTheDeadline(t *testing.T) {
	t.Parallel()
	data := file(t, "gold.json", gold)
	deadline := time.Now().Add(3 * time.Second)
	rec := recordWith(&recorder{TB: t, deadline: deadline}, func(t testing.TB) {
		assaytest.Run(t, assaytest.Config{Target: slow{}, Dataset: data, Metrics: []string{"hit@3"}})
	})
	if late := time.Since(deadline); !rec.fatal || late > 5*time.Second ||
		!strings.Contains(rec.all(), "the test's deadline passed after 0 of 4 cases") {
		t.Errorf("fatal %v, %v late: %q", rec.fatal, late, rec.errors)
	}
}

// A run that a model judged is repeated from its ledger: with the calls it gives
// the same, without them it ends the test.
func TestReplay(t *testing.T) {
	t.Parallel()
	data := file(t, "gold.json", gold)
	db := filepath.Join(t.TempDir(), "first.db")
	c := assaytest.Config{Target: right, Dataset: data, Metrics: []string{"context_relevance"}, Judge: "fake:", Store: db}
	first := assaytest.Run(t, c)
	ledger := export(t, db)
	c.Store, c.Ledger, c.Replay = "", ledger, true
	again := assaytest.Run(t, c)
	if a, b := first.Summary.Metrics[0].Mean, again.Summary.Metrics[0].Mean; a != b ||
		again.Summary.Judging.Cached != again.Summary.Judging.Calls || again.Summary.Judging.Calls == 0 {
		t.Errorf("%v became %v; %+v", a, b, again.Summary.Judging)
	}
	c.Target = with("a", "other.md")
	if rec := record(t, func(t testing.TB) { assaytest.Run(t, c) }); !rec.fatal || !strings.Contains(rec.all(), "ledger") {
		t.Errorf("a call that was not recorded: %q", rec.errors)
	}
}

// A file says what is evaluated as it does for the program; Set and the fields
// are stronger.
func TestRunOfAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"gold.jsonl":    `{"id": "a", "question": "Where is the pier?", "expected_sources": ["pier.md"]}` + "\n",
		"docs/pier.md":  "The pier is at the end of the road.",
		"docs/fares.md": "A ticket costs four dollars.",
		"eval-config.yaml": fmt.Sprintf("dataset: %s/gold.jsonl\ncorpus: %s/docs\nretriever: dense\nmetrics: hit@1\nstore: "+
			"%s/kept.db\nthresholds:\n  hit@1: 1\n", dir, dir, dir),
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := assaytest.Run(t, assaytest.Config{File: filepath.Join(dir, "eval-config.yaml"), Set: map[string]string{"retriever": "sparse",
		"cache": "off"}})
	assaytest.Gate(t, r)
	if r.Header.Config["retriever"] != "sparse" || r.Header.Config["offline"] != "true" {
		t.Errorf("%v", r.Header.Config)
	}
	if _, err := os.Stat(filepath.Join(dir, "kept.db")); err == nil {
		t.Error("the database of the file was written")
	}
}
