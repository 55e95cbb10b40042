package report_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/report"
)

func TestPrometheusGolden(t *testing.T) {
	t.Parallel()
	golden(t, "gated.prom", render(t, lookup(t, "prometheus"), gated(t), report.Options{}))
}

// A name cannot end its label or its line.
func TestPrometheusEscapes(t *testing.T) {
	t.Parallel()
	r := small(t)
	r.Header.Name = "a\"} 1\nassay_fake 2\\"
	got := render(t, lookup(t, "prometheus"), r, report.Options{})
	if !strings.Contains(got, `run="a\"} 1 assay_fake 2\\",`) {
		t.Errorf("the label is not escaped:\n%.400s", got)
	}
	for l := range strings.Lines(got) {
		if !strings.HasPrefix(l, "# HELP assay_") && !strings.HasPrefix(l, "# TYPE assay_") && !strings.HasPrefix(l, "assay_") ||
			strings.HasPrefix(l, "assay_fake") {
			t.Errorf("a line of its own: %q", l)
		}
	}
}
