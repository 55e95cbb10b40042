package retrieval_test

import (
	"math"
	"testing"

	"github.com/assay-eval/assay"
)

// The metrics that trec_eval has and few others, by hand. The grades of the
// ranking are 1, 0, 2 and none; those of all judged documents 2, 1, 1 and 0, so
// that R is 3 and relevant documents stand at ranks 1 and 3.
func TestMetricsOfTrecEval(t *testing.T) {
	t.Parallel()
	in := documents(map[string]int{"a": 1, "b": 0, "c": 2, "d": 1},
		assay.Passage{Document: "a"}, assay.Passage{Document: "b"}, assay.Passage{Document: "c"}, assay.Passage{Document: "x"})
	log3 := math.Log2(3)
	// DCG is 1 at ranks 1 and 2 and 1 + 2/log2(4) = 2 at rank 3, of the ideal
	// 2 and 2 + 1/log2(3) + 1/log2(4).
	third := 2 / (2.5 + 1/log3)
	for name, want := range map[string]float64{
		// Two documents are half of three, found at rank 3.
		"interpolated_precision":           2.0 / 3,
		"interpolated_precision(recall=0)": 1,
		"interpolated_precision(recall=1)": 0,
		// One document is enough up to recall 0.4, two up to 0.8.
		"eleven_point_average": (5 + 4*2.0/3) / 11,
		// Nothing is skipped before rank 1, one document before rank 3.
		"binary_g": (1 + 1/log3) / 3,
		// A gain of 1 at cost 2, and of 2 at cost 4 with a gain of 3 so far.
		"graded_g":         (1/log3 + 2/log3) / 4,
		"ndcg_at_relevant": (1.0/2 + third + third) / 3,
		// The ideal gain falls after ranks 1 and 3.
		"ndcg_at_levels":            (1.0/2 + third) / 2,
		"set_average_precision":     2.0 / 4 * 2 / 3,
		"set_recall_cap":            2.0 / 3,
		"rbp_residual":              0.4096 + 0.2*0.512,
		"r_precision(multiple=0.5)": 1.0 / 2,
		"r_precision(multiple=2)":   2.0 / 6,
		"r_precision(multiple=0)":   0,
	} {
		near(t, name, score(t, name, in).Value, want, 1e-12)
	}
	none := documents(map[string]int{"a": 1})
	for name, want := range map[string]string{
		"set_average_precision": "nothing was retrieved", "set_recall_cap": "nothing was retrieved", "set_f": "nothing was retrieved",
	} {
		if got := score(t, name, none); got.State != assay.NotApplicable || got.Reason != want {
			t.Errorf("%s of no documents: %+v", name, got)
		}
	}
	near(t, "rbp_residual of no documents", score(t, "rbp_residual", none).Value, 1, 0)
	for _, name := range []string{"eleven_point_average", "graded_g", "ndcg_at_relevant", "ndcg_at_levels", "binary_g"} {
		near(t, name+" of no documents", score(t, name, none).Value, 0, 0)
		if got := score(t, name, documents(map[string]int{"a": 0})); got.State != assay.NotApplicable {
			t.Errorf("%s without a relevant document: %+v", name, got)
		}
	}
}
