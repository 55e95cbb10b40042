package summary_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// A difference of estimates has its mean and interval and no verdict, counts in no
// family of tests and ranks nothing.
func TestEstimatesAreNotTested(t *testing.T) {
	t.Parallel()
	guess := mrr
	guess.Name, guess.Estimate = "guess", true
	a, b := scored("a", mrr, repeat(0.4, 30)...), scored("b", mrr, repeat(0.6, 30)...)
	for i := range a.Records {
		a.Records[i].Scores["guess"], b.Records[i].Scores["guess"] = assay.Value(0.7), assay.Value(0.2)
	}
	runs := []recorded{a, b}
	c := compare([]assay.MetricInfo{guess, mrr}, runs, summary.Plan{Level: 0.95, Seed: 1})
	d := c.Rows[0].Differences[0]
	near(t, "difference", d.Diff, -0.5)
	if d.CI == nil || d.P != 1 || d.PAdjusted != 1 || d.MDE != nil || summary.Shown(d) || c.Tests != 1 || c.Primary != "mrr" {
		t.Errorf("%+v, %d tests, by %q: want an interval and no verdict", d, c.Tests, c.Primary)
	}
	if !summary.Shown(c.Rows[1].Differences[0]) {
		t.Error("the other metric lost its verdict")
	}
	err := summary.CanLead([]assay.MetricInfo{guess, mrr}, "guess")
	if err == nil || !strings.Contains(err.Error(), "is an estimate, which ranks nothing") {
		t.Errorf("ranked by an estimate: %v", err)
	}
	c = compare([]assay.MetricInfo{guess}, runs, summary.Plan{Level: 0.95, Seed: 1})
	if c.Tests != 0 || c.Primary != "" || c.Standings != nil {
		t.Errorf("only estimates: %d tests, by %q, %+v", c.Tests, c.Primary, c.Standings)
	}
}

// A case does not fail by an estimate unless the policy lets it decide.
func TestEstimatesFailNoCase(t *testing.T) {
	t.Parallel()
	half := 0.5
	m := mrr
	m.Threshold, m.Estimate = &half, true
	low := scored("a", m, 0.1).Records[0]
	for _, test := range []struct {
		decides bool
		want    assay.Status
	}{{false, assay.StatusOK}, {true, assay.StatusFailed}} {
		m.Decides = test.decides
		if got := summary.Status([]assay.MetricInfo{m}, low); got != test.want {
			t.Errorf("decides %v: %s, want %s", test.decides, got, test.want)
		}
	}
}
