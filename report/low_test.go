package report_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

// TestLowestCases: the order of cases rests on what a case could have had.
func TestLowestCases(t *testing.T) {
	t.Parallel()
	precision := assay.MetricInfo{Name: "precision@5", Title: "Precision@5", Better: "higher", Range: ratio, Version: 1}
	// The best ranking of one relevant document has rbp 0.2.
	rbp := assay.MetricInfo{Name: "rbp", Title: "RBP", Better: "higher", Range: ratio, Version: 1}
	own := assay.MetricInfo{Name: "mine", Title: "Mine", Better: "higher", Range: ratio, Version: 1, Capped: true}
	no := false
	unanswerable := assay.Want{Answerable: &no}
	v := assay.Value
	type row struct {
		id     string
		want   assay.Want
		scores map[string]assay.Score
	}
	na := assay.None("nothing to measure")
	for name, c := range map[string]struct {
		metrics []assay.MetricInfo
		rows    []row
		want    []string
	}{
		// One relevant document among five passages has precision 0.2 at most.
		"precision does not order": {[]assay.MetricInfo{recall, precision}, []row{
			{"full", assay.Want{}, map[string]assay.Score{"recall@5": v(1), "precision@5": v(0.2)}},
			{"half", assay.Want{}, map[string]assay.Score{"recall@5": v(0.5), "precision@5": v(0.8)}},
			{"lost", assay.Want{}, map[string]assay.Score{"recall@5": v(0), "precision@5": v(1)}},
		}, []string{"lost", "half"}},
		"neither does another capped metric": {[]assay.MetricInfo{recall, rbp, own}, []row{
			{"full", assay.Want{}, map[string]assay.Score{"recall@5": v(1), "rbp": v(0.2), "mine": v(0.3)}},
			{"half", assay.Want{}, map[string]assay.Score{"recall@5": v(0.5), "rbp": v(0.8), "mine": v(1)}},
			{"lost", assay.Want{}, map[string]assay.Score{"recall@5": v(0), "rbp": v(1), "mine": v(1)}},
		}, []string{"lost", "half"}},
		"nothing but precision": {[]assay.MetricInfo{precision}, []row{
			{"a", assay.Want{}, map[string]assay.Score{"precision@5": v(0.4)}},
			{"b", assay.Want{}, map[string]assay.Score{"precision@5": v(0.2)}},
			{"none", unanswerable, map[string]assay.Score{"precision@5": v(0)}},
		}, []string{"b", "a"}},
		"nothing but precision and an estimate": {[]assay.MetricInfo{precision, support}, []row{
			{"a", assay.Want{}, map[string]assay.Score{"precision@5": v(0.4), "support": v(0.1)}},
			{"b", assay.Want{}, map[string]assay.Score{"precision@5": v(0.2), "support": v(0.9)}},
		}, []string{"b", "a"}},
		// An estimate says nothing of a case that has no answer.
		"unanswerable": {[]assay.MetricInfo{recall, precision, f1, support}, []row{
			{"none", unanswerable, map[string]assay.Score{"recall@5": na, "precision@5": v(0), "token_f1": na, "support": v(0.3)}},
			{"scored", unanswerable, map[string]assay.Score{"recall@5": na, "precision@5": v(0), "token_f1": v(0.6), "support": v(0.3)}},
			{"failure", assay.Want{}, map[string]assay.Score{"recall@5": v(0.1), "precision@5": v(1), "token_f1": v(0.1), "support": v(1)}},
			{"estimated", assay.Want{}, map[string]assay.Score{"recall@5": na, "precision@5": na, "token_f1": na, "support": v(0.4)}},
		}, []string{"failure", "estimated", "scored"}},
	} {
		h := header(name, c.metrics...)
		h.Dataset.Cases = len(c.rows)
		var records []assay.Record
		for i, r := range c.rows {
			records = append(records, assay.Record{Seq: i, Attempts: 1, Case: assay.Case{ID: r.id, Question: "?", Want: r.want},
				Response: &assay.Response{}, Scores: r.scores})
		}
		var got []string
		for _, m := range regexp.MustCompile(`(?m)^ (\w+)  [\d.]+  \?$`).FindAllStringSubmatch(render(t, lookup(t, "terminal"),
			report.New(h, records), report.Options{}), -1) {
			got = append(got, m[1])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
