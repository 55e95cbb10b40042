package wire

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/catalog"
	"github.com/assay-eval/assay/target/adapter"
)

// labelled are cases with a reference answer and expected documents.
func labelled() []assay.Case {
	return []assay.Case{{ID: "a", Question: "?", Want: assay.Want{Answers: []string{"x"}, Documents: map[string]int{"d": 1}}}}
}

// bare are cases without a reference answer.
func bare() []assay.Case {
	return []assay.Case{{ID: "a", Question: "?", Want: assay.Want{Documents: map[string]int{"d": 1}}}}
}

func chosen(t *testing.T, names ...string) []metric.Metric {
	t.Helper()
	ms, err := catalog.All().ParseAll(names)
	if err != nil {
		t.Fatal(err)
	}
	return ms
}

func namesOf(ms []metric.Metric) (out []string) {
	for _, m := range ms {
		out = append(out, m.Name)
	}
	return out
}

func TestScoring(t *testing.T) {
	t.Parallel()
	four := []string{"faithfulness", "answer_relevance", "context_precision", "context_recall"}
	for _, test := range []struct {
		name                string
		weights, thresholds map[string]float64
		chosen              []string
		cases               []assay.Case
		// want are the metrics of the run, parts those of the composite.
		want, parts []string
		left        string
	}{
		{"nothing is said", nil, nil, []string{"hit@3", "faithfulness"}, labelled(), []string{"hit@3", "faithfulness"}, nil, ""},
		{"the four are there", nil, nil, four, labelled(), four, four, ""},
		{"a threshold of the composite brings the four", nil, map[string]float64{"composite": 0.8}, []string{"hit@3"}, labelled(),
			append([]string{"hit@3"}, "faithfulness", "answer_relevance", "context_precision", "context_recall"), four, ""},
		{"those that cannot apply stay parts", nil, map[string]float64{"composite": 0.8}, nil, bare(), four, four,
			"composite without context_recall"},
		{"weights bring their metrics", map[string]float64{"recall@10": 3, "token_f1": 1}, nil, []string{"hit@3"}, labelled(),
			[]string{"hit@3", "recall@10", "token_f1"}, []string{"recall@10", "token_f1"}, ""},
		{"a threshold brings its metric, and no composite", nil, map[string]float64{"recall@10": 0.8}, []string{"hit@3"}, labelled(),
			[]string{"hit@3", "recall@10"}, nil, ""},
	} {
		s, err := readScoring(catalog.All(), test.weights, test.thresholds)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		ms, left, err := s.extend(chosen(t, test.chosen...), assay.CasesOf(test.cases...), adapter.Anything)
		if err != nil || !slices.Equal(namesOf(ms), test.want) || !strings.Contains(strings.Join(left, "\n"), test.left) {
			t.Errorf("%s: metrics %v, left %q, %v; want %v", test.name, namesOf(ms), left, err, test.want)
		}
		c, err := s.compose(ms)
		if err != nil || c.Empty() != (test.parts == nil) {
			t.Errorf("%s: composite %+v, %v", test.name, c, err)
		}
		for _, m := range ms {
			if (c.Weight(m.Name) > 0) != slices.Contains(test.parts, m.Name) {
				t.Errorf("%s: %s weighs %v", test.name, m.Name, c.Weight(m.Name))
			}
		}
	}
}

func TestScoringProblems(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		weights, thresholds map[string]float64
		want                string
	}{
		{map[string]float64{"faithfullness": 1}, nil, `did you mean "faithfulness"?`},
		{nil, map[string]float64{"recal@5": 1}, "thresholds: "},
		{map[string]float64{"composite": 1}, nil, "weights: the composite cannot have a weight"},
		{map[string]float64{"mrr": 1, "mrr()": 2}, nil, "weights: "},
		{nil, map[string]float64{"recall@5": 80}, "thresholds: recall@5 80: expected a number from 0 to 1"},
		{nil, map[string]float64{"faithfulness": -0.1}, "thresholds: faithfulness -0.1: expected a number from 0 to 1"},
		{nil, map[string]float64{"bleu": 101}, "from 0 to 100"},
	} {
		if _, err := readScoring(catalog.All(), test.weights, test.thresholds); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v %v: %v, want %q", test.weights, test.thresholds, err, test.want)
		}
	}
	// What can apply to no case can reach no threshold.
	s, err := readScoring(catalog.All(), nil, map[string]float64{"token_f1": 0.5})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = s.extend(nil, assay.CasesOf(bare()...), adapter.Anything)
	if err == nil || !strings.Contains(err.Error(), "thresholds: metric token_f1 needs") {
		t.Errorf("a threshold on a metric without its label: %v", err)
	}
	s.thresholds, s.weights, s.composite = nil, map[string]float64{"token_f1": 1}, true
	_, _, err = s.extend(nil, assay.CasesOf(bare()...), adapter.Anything)
	if err == nil || !strings.Contains(err.Error(), "none of token_f1 can apply") {
		t.Errorf("a composite of what cannot apply: %v", err)
	}
}
