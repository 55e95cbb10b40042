package gate_test

import (
	"slices"
	"testing"

	"github.com/assay-eval/assay/gate"
)

// An estimate that stands in for a judge is compared with a limit under a warning;
// a ruling is not, nor is a formula that claims to be nothing else.
func TestLimitsOnEstimatesWarn(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		judged, estimate bool
		rule             string
		want             []string
	}{
		"an estimate":    {true, true, "m >= 0.5", []string{"m: heuristic estimate; compare trends, not absolute values"}},
		"its trend":      {true, true, "m vs baseline >= 0", nil},
		"a ruling":       {true, false, "m >= 0.5", nil},
		"only a formula": {false, true, "m >= 0.5", nil},
	} {
		m := ratio("m")
		m.Judged, m.Estimate = test.judged, test.estimate
		run := one(m, 1, 1, 1)
		p := gate.Policy{Rules: rules(t, test.rule)}
		if name == "its trend" {
			p.Baseline = baseline(t, run)
		}
		if o, _ := p.Judge(run); o.Verdict != gate.Pass || !slices.Equal(english(o.Warnings), test.want) {
			t.Errorf("%s: %s with %q, want pass with %q", name, o.Verdict, english(o.Warnings), test.want)
		}
	}
}
