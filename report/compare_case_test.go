package report_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

// Cases are in the order of the baseline, then those that it lacks, each with what its own
// runs have of it, whatever their order and however many are read at a time.
func TestCasesOfAComparison(t *testing.T) {
	t.Parallel()
	const n = 700
	order := rand.New(rand.NewPCG(3, 4)).Perm(n)
	ask := func(name string, cases []int) *report.Report {
		h := header(name, hit)
		h.ID = name
		var records []assay.Record
		for seq, i := range cases {
			records = append(records, assay.Record{
				Seq: seq, Attempts: 1, Case: assay.Case{ID: fmt.Sprint("c", i), Question: fmt.Sprint("What is ", i, "?")},
				Response: &assay.Response{Answer: fmt.Sprint(name, " says ", i)}, Scores: map[string]assay.Score{"hit@1": assay.Value(float64(i % 2))},
			})
		}
		return report.New(h, records)
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	// A baseline file has no questions; b has other cases in another order.
	runs := []*report.Report{remembered(ask("a", all[:650])), ask("b", order), ask("c", all[300:])}
	d := comparisonJSON(t, comparison(t, runs))
	want := slices.Clone(all[:650])
	for _, i := range order {
		if i >= 650 {
			want = append(want, i)
		}
	}
	if len(d.Cases) != n {
		t.Fatalf("%d cases, want %d", len(d.Cases), n)
	}
	for k, x := range d.Cases {
		i := want[k]
		if x.ID != fmt.Sprint("c", i) || x.Question != fmt.Sprint("What is ", i, "?") {
			t.Fatalf("case %d is %s (%q), want c%d", k, x.ID, x.Question, i)
		}
		if _, ok := x.Runs["main"]; ok != (i < 650) {
			t.Errorf("c%d in the baseline: %v", i, ok)
		}
		if r, ok := x.Runs["c"]; ok != (i >= 300) || ok && *r.Answer != fmt.Sprint("c says ", i) {
			t.Errorf("c%d in c: %+v", i, r)
		}
		if r := x.Runs["b"]; r.Answer == nil || *r.Answer != fmt.Sprint("b says ", i) {
			t.Errorf("c%d in b: %+v", i, r)
		}
	}
}
