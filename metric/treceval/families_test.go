package treceval_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/assay-eval/assay/metric/treceval"
)

// sameAs maps a measure of trec_eval to the metric with the same value. Those
// of RBP have a scale or a default of their own.
var sameAs = map[string]string{
	"map": "map", "Rprec": "r_precision", "bpref": "bpref", "recip_rank": "mrr", "iprec_at_recall_0.30": "interpolated_precision(recall=0.3)",
	"P_5": "precision@5", "recall_5": "recall@5", "infAP": "infap", "Rprec_mult_1.40": "r_precision(multiple=1.4)",
	"11pt_avg": "eleven_point_average",
	"binG":     "binary_g", "G": "graded_g", "ndcg": "ndcg", "ndcg_rel": "ndcg_at_relevant", "Rndcg": "ndcg_at_levels",
	"ndcg_cut_10": "ndcg@10",
	"map_cut_5":   "map@5", "relative_P_5": "recall_cap@5", "success_5": "hit@5", "set_P": "set_precision", "set_relative_P": "set_recall_cap",
	"set_recall": "set_recall", "set_map": "set_average_precision", "set_F": "set_f", "unj_5": "unjudged@5",
	"rbp": "", "rbp_resid": "",
}

// Every measure that names a metric has its value wherever the metric applies.
func TestMeasuresEqualTheirMetrics(t *testing.T) {
	t.Parallel()
	for _, f := range treceval.Families() {
		names := 0
		for theirs, ours := range sameAs {
			if theirs != f.Name && !(strings.HasPrefix(theirs, f.Name+"_") && strings.ContainsAny(theirs[len(f.Name):], "0123456789")) {
				continue
			}
			names++
			if base, _, _ := strings.Cut(ours, "@"); f.Metric == nil || ours != "" && !strings.HasPrefix(base, f.Metric.Name) {
				t.Errorf("%s is said to be %q, and names the metric %v", theirs, ours, f.Metric)
			}
		}
		if (names > 0) != (f.Metric != nil) || f.Doc == "" {
			t.Errorf("%s: %d names in the test, the metric %v, the description %q", f.Name, names, f.Metric, f.Doc)
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	var qrels, run strings.Builder
	for q := range 100 {
		for d := range r.IntN(40) + 1 {
			fmt.Fprintf(&qrels, "q%d 0 d%d %d\n", q, d, r.IntN(5)-1)
		}
		for _, d := range r.Perm(80)[:r.IntN(60)+1] {
			fmt.Fprintf(&run, "q%d Q0 d%d 1 %d t\n", q, d, r.IntN(30))
		}
	}
	j := judgments(t, strings.NewReader(qrels.String()))
	for theirs, ours := range sameAs {
		if ours == "" {
			continue
		}
		result := score(t, j, text(run.String()), append(parse(t, 1, theirs), named(t, ours)), 0, 1)
		applies := 0
		for q := range result.Queries {
			got, _ := result.Value(q, 0)
			want, ok := result.Value(q, 1)
			if ok {
				applies++
			}
			if ok && math.Abs(got-want) > 1e-12 {
				t.Fatalf("%s of %s is %v, %s is %v", theirs, result.Queries[q].ID, got, ours, want)
			}
		}
		if applies < 50 {
			t.Errorf("%s applies to %d queries", ours, applies)
		}
	}
}

// named reads the name of a metric.
func named(t *testing.T, name string) treceval.Measure {
	t.Helper()
	ms, err := treceval.Parse([]string{name}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return ms[0]
}
