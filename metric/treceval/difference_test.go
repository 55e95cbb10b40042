package treceval_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/assay-eval/assay/metric/treceval"
)

// In run A the relevant document is at rank 2 for all 8 queries, in run B at rank 1
// for all but the last: mrr is 0.5 and 0.9375, 7 queries rise by 0.5.
func TestDifferences(t *testing.T) {
	var qrels, a, b strings.Builder
	for i := range 8 {
		fmt.Fprintf(&qrels, "q%d 0 r 1\n", i)
		fmt.Fprintf(&a, "q%d Q0 x 1 2 A\nq%d Q0 r 2 1 A\n", i, i)
		first, second := "r", "x"
		if i == 7 {
			first, second = second, first
		}
		fmt.Fprintf(&b, "q%d Q0 %s 1 2 B\nq%d Q0 %s 2 1 B\n", i, first, i, second)
	}
	j, ms := judgments(t, strings.NewReader(qrels.String())), parse(t, 1, "mrr", "num_q")
	p := &treceval.Report{Qrels: "qrels", Level: 0.95}
	for _, run := range []string{a.String(), b.String()} {
		p.Results = append(p.Results, score(t, j, text(run), ms, 0, 1))
	}
	all := p.Differences()
	if len(all) != 1 {
		t.Fatalf("%d differences, want one: num_q is no mean", len(all))
	}
	d := all[0]
	if d.N != 8 || d.Wins != 7 || d.Ties != 1 || d.Diff != 0.4375 || d.P != 2.0/128 || d.PAdjusted != d.P || d.CI == nil || d.CI.Lo <= 0 {
		t.Errorf("difference %+v: want +0.4375 in 8 queries, 7 higher, p = 2/2⁷, and an interval above 0", d)
	}
	var table, csv, json strings.Builder
	for _, err := range []error{p.WriteTable(&table), p.WriteCSV(&csv), p.WriteJSON(&json)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for in, want := range map[string]string{
		table.String(): "+0.4375", csv.String(): ",difference,mrr,0.4375,8,", json.String(): `"differences": [`,
	} {
		if !strings.Contains(in, want) {
			t.Errorf("no %q in\n%s", want, in)
		}
	}
	if one := (&treceval.Report{Level: 0.95, Results: p.Results[:1]}).Differences(); one != nil {
		t.Errorf("one run has %d differences from itself", len(one))
	}
}

// With one relevant document precision is a share of success: at most 1 of 5, with the
// p-value of success and a fifth of its interval, also for a run that is right in all queries.
func TestDifferencesWithinLabels(t *testing.T) {
	t.Parallel()
	for _, names := range [][]string{{"P.5", "success.5", "recall.5"}, {"precision@5", "hit@5", "recall@5"}} {
		for lost := range 9 {
			var qrels, a, b strings.Builder
			for i := range 20 {
				fmt.Fprintf(&qrels, "q%d 0 r 1\n", i)
				fmt.Fprintf(&a, "q%d Q0 r 1 2 A\n", i)
				found := "r"
				if i < lost {
					found = "x"
				}
				fmt.Fprintf(&b, "q%d Q0 %s 1 2 B\n", i, found)
			}
			j, ms := judgments(t, strings.NewReader(qrels.String())), parse(t, 1, names...)
			p := &treceval.Report{Qrels: "qrels", Level: 0.95}
			for _, run := range []string{a.String(), b.String()} {
				p.Results = append(p.Results, score(t, j, text(run), ms, 0, 1))
			}
			by := map[string]treceval.Difference{}
			for _, d := range p.Differences() {
				name := ms[d.Measure].Name
				by[name] = d
				most := 1.0
				if strings.HasPrefix(strings.ToLower(name), "p") {
					most = 0.2
				}
				if s := p.Results[1].Summary(d.Measure, 0.95); s.Estimate.CI.Hi > most+1e-9 || d.CI.Lo < -most-1e-9 || d.CI.Hi > most+1e-9 {
					t.Errorf("%d lost: %s from %v, difference %v: at most %v", lost, name, *s.Estimate.CI, *d.CI, most)
				}
			}
			hit, share := by[ms[1].Name], by[ms[0].Name]
			if strings.HasPrefix(ms[1].Name, "P") || strings.HasPrefix(ms[1].Name, "precision") {
				hit, share = share, hit
			}
			if hit.P != share.P || hit.PAdjusted != share.PAdjusted || math.Abs(hit.CI.Lo/5-share.CI.Lo) > 1e-9 || math.Abs(hit.CI.Hi/5-share.CI.Hi) > 1e-9 {
				t.Errorf("%d lost: %+v with %v, %+v with %v", lost, hit, *hit.CI, share, *share.CI)
			}
		}
	}
}

// TestIntervalsWithinLabels: with one relevant document a query no interval is above the value of
// the ideal ranking, and that of a residual is not below it.
func TestIntervalsWithinLabels(t *testing.T) {
	t.Parallel()
	var qrels, run strings.Builder
	for i := range 8 {
		fmt.Fprintf(&qrels, "q%d 0 r 1\n", i)
		fmt.Fprintf(&run, "q%d Q0 %s 1 2 A\n", i, []string{"x", "r"}[min(i, 1)])
	}
	j := judgments(t, strings.NewReader(qrels.String()))
	for name, ends := range map[string][2]float64{
		"Rprec_mult.2": {0, 0.5}, "r_precision(multiple=4)": {0, 0.25}, "P.10": {0, 0.1}, "precision@5(level=2)": {0, 0}, "rbp": {0, 0.2}, "err@5": {0, 0.5},
		"rbp_residual": {0.8, 1}, "ndcg_cut.5": {0, 1}, "map": {0, 1},
	} {
		s := score(t, j, text(run.String()), parse(t, 1, name), 0, 1).Summary(0, 0.95)
		if ci := s.Estimate.CI; ci == nil || ci.Lo < ends[0]-1e-9 || ci.Hi > ends[1]+1e-9 {
			t.Errorf("%s: %v, want within %v", name, ci, ends)
		}
	}
}
