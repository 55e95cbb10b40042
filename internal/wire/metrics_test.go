package wire

import (
	"errors"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/catalog"
)

const everything = metric.ReadAnswer | metric.ReadPassages | metric.ReadTrace

func names(metrics []metric.Metric) string {
	var out []string
	for _, m := range metrics {
		out = append(out, m.Name)
	}
	return strings.Join(out, " ")
}

func TestDefaultMetricsFollowTheLabels(t *testing.T) {
	documents := assay.Case{Want: assay.Want{Documents: map[string]int{"d": 1}}}
	passages := assay.Case{Want: assay.Want{Passages: []string{"the words of a passage"}}}
	says := assay.Case{Want: assay.Want{Checks: []assay.Check{{Kind: assay.CheckContains, Value: "a"}}}}
	many := assay.Case{Want: assay.Want{Checks: []assay.Check{{Kind: assay.CheckExpression, Value: "len(passages) > 5"}}}}
	for _, c := range []struct {
		name    string
		cases   []assay.Case
		reports metric.Part
		want    string
		left    string
		model   bool
	}{
		{"documents", []assay.Case{documents}, everything, "hit@3 mrr@10 recall@10 ndcg@10", "", false},
		{"passages, no answers", []assay.Case{passages}, metric.ReadPassages,
			"passage_hit@5 passage_mrr@10 passage_precision@5 passage_recall@5",
			"", false},
		{"answers and documents", []assay.Case{{Want: assay.Want{Answers: []string{"a"}, Documents: map[string]int{"d": 1}}}}, everything,
			"hit@3 mrr@10 recall@10 ndcg@10 token_f1 semantic_similarity support", "", false},
		{"no label", []assay.Case{{}}, everything, "support", "", false},
		{"checks of answers, no answers", []assay.Case{says}, metric.ReadPassages, "", "checks_passed left out", false},
		{"checks of passages, no answers", []assay.Case{says, many}, metric.ReadPassages, "checks_passed", "", false},
		{"answers only", []assay.Case{{Want: assay.Want{Answers: []string{"a"}, Documents: map[string]int{"d": 1}}}}, metric.ReadAnswer,
			"token_f1 semantic_similarity", "does not report the passages", false},
		{"a model judges", []assay.Case{{Want: assay.Want{Answers: []string{"a"}}}}, everything,
			"token_f1 semantic_similarity faithfulness answer_relevance context_precision context_recall answer_correctness", "", true},
		{"a model judges answers alone", []assay.Case{documents}, metric.ReadAnswer, "answer_relevance", "faithfulness left out", true},
	} {
		got, left, err := chooseMetrics(catalog.All(), nil, assay.CasesOf(c.cases...), c.reports, c.model)
		if err != nil && !errors.Is(err, errNothing) {
			t.Fatalf("%s: %v", c.name, err)
		}
		if names(got) != c.want {
			t.Errorf("%s: got %q, want %q", c.name, names(got), c.want)
		}
		if said := strings.Join(left, "\n"); !strings.Contains(said, c.left) || c.left == "" && said != "" {
			t.Errorf("%s: left out %q, want %q", c.name, said, c.left)
		}
	}
}

func TestMetricsThatCannotApplyAreRefused(t *testing.T) {
	documents := []assay.Case{{Want: assay.Want{Documents: map[string]int{"d": 1}}}}
	for name, want := range map[string]string{
		"passage_recall@5": `needs reference passages, which no case has: did you mean "recall@5"?`,
		"token_f1":         "needs a reference answer, which no case has",
		"nonsense":         "unknown metric",
	} {
		_, _, err := chooseMetrics(catalog.All(), []string{name}, assay.CasesOf(documents...), everything, false)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
	if _, _, err := chooseMetrics(catalog.All(), []string{"ndcg@10"}, assay.CasesOf(documents...), metric.ReadAnswer, false); err == nil ||
		!strings.Contains(err.Error(), "which the target does not report") {
		t.Errorf("no passages: got %v", err)
	}
	if _, _, err := chooseMetrics(catalog.All(), nil, assay.CasesOf(assay.Case{}), metric.ReadPassages, false); err == nil {
		t.Error("a case without labels and a target without answers: no error")
	}
}

func TestTooDeep(t *testing.T) {
	metrics, _, err := chooseMetrics(catalog.All(), []string{"recall@5", "ndcg@20", "mrr"},
		assay.CasesOf(assay.Case{Want: assay.Want{Documents: map[string]int{"d": 1}}}), everything, false)
	if err != nil {
		t.Fatal(err)
	}
	if got := tooDeep(metrics, 10); len(got) != 1 || !strings.HasPrefix(got[0], "ndcg@20: only 10 passages") ||
		!strings.HasSuffix(got[0], "--top-k 20") {
		t.Errorf("got %q", got)
	}
	for _, depth := range []int{0, 20} {
		if got := tooDeep(metrics, depth); got != nil {
			t.Errorf("depth %d: got %q", depth, got)
		}
	}
}

func TestAbsentDocuments(t *testing.T) {
	docs := []assay.Document{{ID: "a/leave.md", Source: "docs/a/leave.md"}}
	wanted := map[string]int{"leave.md": 1, "a/leave.md": 1, "gone.md": 2, "judged.md": 0}
	cases := assay.CasesOf(assay.Case{Want: assay.Want{Documents: wanted}})
	if got := absent(cases, docs); len(got) != 1 || !strings.Contains(got[0], "1 expected documents are not in the corpus") ||
		!strings.Contains(got[0], "gone.md") {
		t.Errorf("got %q", got)
	}
}

func TestColumns(t *testing.T) {
	got, err := columnMap([]string{"question=Query", "ground_truth=The answer"})
	if err != nil || got["question"] != "Query" || got["ground_truth"] != "The answer" {
		t.Errorf("got %v, %v", got, err)
	}
	for _, bad := range []string{"question", "=x", "x="} {
		if _, err := columnMap([]string{bad}); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
