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

// TestRenameMarksMeteredTargets: headers of earlier versions do not say that a target is metered.
func TestRenameMarksMeteredTargets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stored assay.TargetInfo
		want   bool
	}{
		{assay.TargetInfo{Adapter: "builtin"}, true}, {assay.TargetInfo{Adapter: "recorded"}, true}, {assay.TargetInfo{Adapter: "http"}, false},
		{assay.TargetInfo{Adapter: "own", Metered: true}, true},
	} {
		h := assay.Header{Target: c.stored}
		if h.Rename(); h.Target.Metered != c.want {
			t.Errorf("%+v: metered %v, want %v", c.stored, h.Target.Metered, c.want)
		}
	}
}
