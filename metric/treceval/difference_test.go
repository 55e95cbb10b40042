package treceval_test

import (
	"fmt"
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
