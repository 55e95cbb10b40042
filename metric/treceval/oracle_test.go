package treceval_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/dataset/trec"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/metric/treceval"
)

const oracles = "data/oracles/trec_eval"

// TestTrecEval reproduces every row of the table in the oracles' README.
func TestTrecEval(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want, qrels, run string
		measures         []string
		perQuery         bool
		level, depth     int
	}{
		{want: "out.test", qrels: "qrels.test", run: "results.test", measures: []string{"official"}},
		{want: "out.test", qrels: "qrels.test.with-comments", run: "results.test", measures: []string{"official"}},
		{want: "out.test.a", qrels: "qrels.test", run: "results.test", measures: []string{"all_trec"}},
		{want: "out.test.aq", qrels: "qrels.test", run: "results.test", measures: []string{"all_trec"}, perQuery: true},
		{want: "out.test.aqc", qrels: "qrels.test", run: "results.trunc", measures: []string{"all_trec"}, perQuery: true},
		{want: "out.test.aqcM", qrels: "qrels.test", run: "results.trunc", measures: []string{"all_trec"}, perQuery: true, depth: 100},
		{want: "out.test.aql", qrels: "qrels.rel_level", run: "results.test", measures: []string{"all_trec", "relstring.20"}, perQuery: true,
			level: 2},
		{want: "out.test.meas_params", qrels: "qrels.test", run: "results.test", perQuery: true, measures: []string{
			"iprec_at_recall..10,.20,.25,.75,.50", "P.5,7,3", "recall.20,2000", "Rprec_mult.5.0,0.2,0.35", "utility.2,-1,0,0",
			"11pt_avg..25,.5,.75", "ndcg.1=3,2=9,4=4.5", "ndcg_cut.10,20,23.4", "success.2,5,20"}},
		{want: "scifact.trec_eval.all_trec.q.c.txt", qrels: "scifact.qrels", run: "scifact.bm25.k100.run", measures: []string{"all_trec"},
			perQuery: true},
		{want: "scifact.trec_eval.summary.txt", qrels: "scifact.qrels", run: "scifact.bm25.k100.run", measures: summaryMeasures},
	} {
		for _, workers := range []int{1, 4} {
			t.Run(c.want+" of "+c.qrels, func(t *testing.T) {
				t.Parallel()
				folder := requiretest.Shared(t, oracles)
				want, err := os.ReadFile(filepath.Join(folder, c.want))
				if err != nil {
					t.Fatal(err)
				}
				j := judgments(t, open(t, filepath.Join(folder, c.qrels)))
				r, err := treceval.Score(j, file(filepath.Join(folder, c.run)), treceval.Options{
					Measures: parse(t, max(c.level, 1), c.measures...), Depth: c.depth, Workers: workers, Answered: c.level > 1,
				})
				if err != nil {
					t.Fatal(err)
				}
				var got bytes.Buffer
				if err := r.WriteTREC(&got, c.perQuery); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); d != "" {
					t.Error(d)
				}
			})
		}
	}
}

// summaryMeasures are those of the oracle that holds a selection.
var summaryMeasures = []string{"official", "recall", "utility", "ndcg_cut", "success", "set_P", "set_relative_P", "set_recall", "set_map",
	"set_F"}

// TestTrecEval9 has what trec_eval 9.0.8 printed of small inputs.
func TestTrecEval9(t *testing.T) {
	t.Parallel()
	forty := ""
	for i := range 40 {
		forty += fmt.Sprintf("1 0 d%d 1\n", i)
	}
	const (
		four  = "1 0 a 1\n2 0 a 1\n3 0 a 1\n4 0 b 1\n"
		three = "1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n3 Q0 x 1 2 t\n"
	)
	for _, c := range []struct {
		what, qrels, run, measure, want string
		level                           int
		answered                        bool
	}{
		{"without -c", four, three, "map", "0.6667", 1, true},
		{"with -c", four, three, "map", "0.5000", 1, false},
		{"num_q without -c", four, three, "num_q", "3", 1, true},
		{"num_q with -c", four, three, "num_q", "4", 1, false},
		{"gm_map without -c", four, three, "gm_map", "0.0215", 1, true},
		{"gm_map with -c", four, three, "gm_map", "0.0032", 1, false},
		{"num_rel at -l 2 without -c", "1 0 a 1\n1 0 b 2\n", three, "num_rel", "1", 2, true},
		{"num_rel at -l 2 with -c", "1 0 a 1\n1 0 b 2\n", three, "num_rel", "2", 2, false},
		{"set_map divides once", forty, "1 Q0 d0 1 4 t\n1 Q0 d1 1 3 t\n1 Q0 d2 1 2 t\n1 Q0 x 1 1 t\n", "set_map", "0.0563", 1, false},
	} {
		r, err := treceval.Score(judgments(t, strings.NewReader(c.qrels)), text(c.run), treceval.Options{
			Measures: parse(t, c.level, c.measure), Answered: c.answered,
		})
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := r.WriteTREC(&got, false); err != nil {
			t.Fatal(err)
		}
		if f := strings.Fields(got.String()); len(f) != 3 || f[2] != c.want {
			t.Errorf("%s: %q, want %s", c.what, got.String(), c.want)
		}
	}
}

// BEIR's evaluation drops a result with the id of its query.
func TestOwnDocumentsAreDropped(t *testing.T) {
	t.Parallel()
	j := judgments(t, strings.NewReader("q1 0 d1 1\nq2 0 q2 1\n"))
	run := text("q1 Q0 q1 1 9 t\nq1 Q0 d1 2 8 t\nq2 Q0 q2 1 9 t\n")
	for drop, want := range map[bool][]float64{true: {1, 1}, false: {0.5, 1}} {
		r, err := treceval.Score(j, run, treceval.Options{Measures: parse(t, 1, "recip_rank"), DropOwn: drop})
		if err != nil {
			t.Fatal(err)
		}
		for q := range want {
			if v, _ := r.Value(q, 0); v != want[q] {
				t.Errorf("dropped %v: %v for query %d, want %v", drop, v, q+1, want[q])
			}
		}
		note := strings.Join((&treceval.Report{Results: []*treceval.Result{r}}).Notes(), "\n")
		if drop != strings.Contains(note, "evaluation: 1.") {
			t.Errorf("dropped %v: %q", drop, note)
		}
	}
}

// A run of distances is read as trec_eval reads it, and says so.
func TestRisingScoresAreNoted(t *testing.T) {
	t.Parallel()
	j := judgments(t, strings.NewReader("q1 0 d1 1\nq2 0 d2 1\nq3 0 d3 1\n"))
	for run, want := range map[string]string{
		"q1 Q0 d1 1 .1 t\nq1 Q0 x 2 .2 t\nq2 Q0 d2 1 .1 t\nq2 Q0 x 2 .1 t\nq2 Q0 y 3 .3 t\n": "rise from line to line in 2 of 2 queries",
		"q1 Q0 d1 1 .1 t\nq1 Q0 x 2 .2 t\nq2 Q0 d2 1 .1 t\nq3 Q0 d3 1 .1 t\n":                "",
		"q1 Q0 d1 1 .2 t\nq1 Q0 x 2 .1 t\nq2 Q0 d2 1 .1 t\nq2 Q0 x 2 .1 t\n":                 "",
	} {
		r, err := treceval.Score(j, text(run), treceval.Options{Measures: parse(t, 1, "recip_rank")})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join((&treceval.Report{Results: []*treceval.Result{r}}).Notes(), "\n"); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, want %q", run, got, want)
		}
	}
}

// TestMeansOverQueries is the worked case about queries that a run lacks and
// queries without a relevant document.
func TestMeansOverQueries(t *testing.T) {
	t.Parallel()
	var in any
	var want map[string]float64
	requiretest.Worked(t, "agg_missing_query", &in, &want)
	// q1 has AP 0.375 as in the case: 8 relevant, of which those at ranks 1 and
	// 2 are found, and one more at rank 3: (1 + 1 + 1)/8.
	j := judgments(t, strings.NewReader(`q1 0 a 1
q1 0 b 1
q1 0 c 1
q1 0 d 1
q1 0 e 1
q1 0 f 1
q1 0 g 1
q1 0 h 1
q2 0 a 1
q3 0 a 1
q4 0 a 0
`))
	run := text("q1 Q0 a 1 3 t\nq1 Q0 b 1 2 t\nq1 Q0 c 1 1 t\nq2 Q0 x 1 1 t\nq4 Q0 a 1 1 t\n")
	r := score(t, j, run, parse(t, 1, "map", "map@1000"), 0, 1)
	trecMAP, ours := r.Summary(0, 0.95), r.Summary(1, 0.95)
	near(t, "trec_eval -c", trecMAP.Value, want["trec -c"])
	near(t, "map@1000", ours.Value, want["product_complete(missing=0, no_relevant=null)"])
	if e := ours.Estimate; e.N != 3 || e.NotApplicable != int(want["n_undefined"]) || e.TargetErrors != int(want["n_missing"]) {
		t.Errorf("%+v", e)
	}
	near(t, "answered", *ours.Estimate.Answered, 0.375/2)
	if r.Missing != 1 {
		t.Errorf("%d queries are missing", r.Missing)
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func open(t *testing.T, path string) io.Reader {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(data)
}

func judgments(t testing.TB, r io.Reader) *treceval.Judgments {
	t.Helper()
	q, err := trec.ReadQrels(r, "qrels")
	if err != nil {
		t.Fatal(err)
	}
	return treceval.NewJudgments(q)
}

// parse reads names as trec_eval means them.
func parse(t testing.TB, level int, names ...string) []treceval.Measure {
	t.Helper()
	ms, err := treceval.ParseTREC(names, level)
	if err != nil {
		t.Fatal(err)
	}
	return ms
}

func file(path string) treceval.Source {
	return treceval.Source{Name: filepath.Base(path), Open: func() (io.ReadCloser, error) { return os.Open(path) }}
}

func text(s string) treceval.Source {
	return treceval.Source{Name: "run", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(s)), nil }}
}

func score(t testing.TB, j *treceval.Judgments, src treceval.Source, ms []treceval.Measure, depth, workers int) *treceval.Result {
	t.Helper()
	r, err := treceval.Score(j, src, treceval.Options{Measures: slices.Clone(ms), Depth: depth, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
