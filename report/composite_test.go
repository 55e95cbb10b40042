package report_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/summary"
)

// The table shows the weights that the scores of the composite have, and so does the
// line that says what the composite is. A composite that lacks a part is another metric
// than one that has it, and this also in a report that is read again.
func TestWeightsThatWereUsed(t *testing.T) {
	t.Parallel()
	whole, partly := gated(t), gated(t)
	records := slices.Clone(held(partly))
	for i := range records {
		scores := maps.Clone(records[i].Scores)
		if scores["faithfulness"].State == assay.Scored {
			scores["faithfulness"] = assay.None("the answer has no passages")
		}
		records[i].Scores = scores
	}
	partly = report.New(partly.Header, records)
	for _, f := range []string{"terminal", "markdown", "html"} {
		got := render(t, lookup(t, f), partly, report.Options{})
		for _, want := range []string{"0 % (set to 40 %)", "33.3 % (set to 20 %)"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %q", f, want)
			}
		}
		if got := render(t, lookup(t, f), whole, report.Options{}); strings.Contains(got, "set to") || !strings.Contains(got, "40 %") {
			t.Errorf("%s has weights that were not used", f)
		}
	}
	again, err := report.Read(strings.NewReader(render(t, lookup(t, "json"), partly, report.Options{})))
	if err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]*report.Report{"kept": partly, "read": again} {
		c := comparison(t, []*report.Report{whole, other})
		if slices.ContainsFunc(c.Rows, func(r summary.ComparisonRow) bool { return r.Name == "composite" }) {
			t.Errorf("%s: a composite without a part is compared with a whole one", name)
		}
	}
}
