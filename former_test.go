package assay_test

import (
	"testing"

	"github.com/assay-eval/assay"
)

func TestMetricName(t *testing.T) {
	t.Parallel()
	for stored, want := range map[string]string{
		"umbrela_mrr": "graded_mrr", "umbrela_mrr@5": "graded_mrr@5", "umbrela_precision@10(x=1)": "graded_precision@10(x=1)",
		// Another definition is another metric.
		"ideal_f1": "ideal_f1", "mrr": "mrr", "umbrela_mrrs": "umbrela_mrrs", "": "",
	} {
		if got := assay.MetricName(stored); got != want {
			t.Errorf("%q is %q: want %q", stored, got, want)
		}
	}
}
