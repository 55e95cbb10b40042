package catalog_test

import (
	"slices"
	"testing"

	"github.com/assay-eval/assay/metric/catalog"
)

// A metric names the prompts whose answers are rulings, and not those that extract.
func TestRulings(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2][]string{
		"faithfulness":       {{"claims", "support"}, {"support"}},
		"answer_correctness": {{"claims", "equivalence"}, {"equivalence"}},
		"answer_relevance":   {{"questions"}, nil},
		"exact_match":        {nil, nil},
	} {
		m, err := catalog.All().Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		info := m.Info()
		if !slices.Equal(info.Prompts, want[0]) || !slices.Equal(info.Rulings, want[1]) {
			t.Errorf("%s rests on %q with the rulings %q, want %q and %q", name, info.Prompts, info.Rulings, want[0], want[1])
		}
	}
}
