package report_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/summary"
)

// nearly makes two runs of 200 cases with the same mean, which differ by at most spread in a case.
func nearly(t testing.TB, m assay.MetricInfo, spread float64, config map[string]string) *report.Comparison {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 5))
	var reports []*report.Report
	var base []float64
	change := 0.0
	for k, name := range []string{"main", "next"} {
		h := header(name, m)
		h.ID = name
		if k == 1 {
			h.Config = config
		}
		var records []assay.Record
		for i := range 200 {
			if k == 0 {
				base = append(base, 0.2+0.6*rng.Float64())
			}
			// Every other case takes back what the one before it gained or lost.
			if i%2 == 0 {
				change = spread * (2*rng.Float64() - 1)
			}
			value := base[i] + float64(k)*change
			change = -change
			records = append(records, assay.Record{Seq: i, Attempts: 1, Response: answered("An answer.", 0, nil),
				Case: assay.Case{ID: fmt.Sprint("q", i)}, Scores: map[string]assay.Score{m.Name: assay.Value(value)}})
		}
		reports = append(reports, report.New(h, records))
	}
	return comparison(t, reports)
}

// TestNoWorseThanATolerance: a run whose gate tolerates a drop is shown to be no worse by the
// whole interval of the difference; nothing is said about tolerances that nobody set.
func TestNoWorseThanATolerance(t *testing.T) {
	t.Parallel()
	lower := assay.MetricInfo{Name: "wer", Title: "Word error rate", Better: "lower", Range: ratio, Version: 1}
	at10 := assay.MetricInfo{Name: "mrr@10", Title: "MRR@10", Better: "higher", Range: ratio, Version: 1}
	set := func(name, t string) map[string]string { return map[string]string{"gate.tolerances." + name: t} }
	for name, c := range map[string]struct {
		metric assay.MetricInfo
		spread float64
		config map[string]string
		want   bool
	}{
		"within":          {mrr, 0.1, set("mrr", "0.03"), true},
		"lower is better": {lower, 0.1, set("wer", "0.03"), true},
		"every cut-off":   {at10, 0.1, set("mrr", "0.03"), true},
		"too uncertain":   {mrr, 0.2, set("mrr", "0.005"), false},
		"no room":         {mrr, 0.1, set("mrr", "0"), false},
		"only tracked":    {mrr, 0.1, set("mrr", "-1"), false},
		"of another":      {mrr, 0.1, set("recall@5", "0.03"), false},
		"nobody set one":  {mrr, 0.1, nil, false},
	} {
		cmp := nearly(t, c.metric, c.spread, c.config)
		d := cmp.Rows[0].Differences[0]
		if summary.Shown(d) {
			t.Fatalf("%s: the sample shows a difference: %+v", name, d)
		}
		if got := cmp.Rows[0].NoWorse(1); got != c.want {
			t.Errorf("%s: no worse: %v, want %v (interval %+v)", name, got, c.want, d.CI)
		}
		for language, says := range map[string]string{
			"en":      "next is no worse than main in " + c.metric.Title + " by more than 0.03, the tolerance of its gate",
			"zh-Hant": "的容許值",
		} {
			var page, text strings.Builder
			if err := report.HTML.Compare(&page, cmp, report.Options{Language: language}); err != nil {
				t.Fatal(err)
			}
			if err := report.Terminal.Compare(&text, cmp, report.Options{Language: language, Width: 140}); err != nil {
				t.Fatal(err)
			}
			for _, x := range []struct {
				in, part string
				is       bool
			}{
				{page.String(), `class="point noworse"`, c.want}, {page.String(), says, c.want},
				{text.String(), "◆", c.want || name == "too uncertain"}, // the legend
			} {
				if strings.Contains(x.in, x.part) != x.is {
					t.Errorf("%s in %s: %q there: %v, want %v", name, language, x.part, !x.is, x.is)
				}
			}
		}
	}
}

// TestNothingRightIsNoTest: five cases that no run gets right, or all of them, do not show that one
// is no worse.
func TestNothingRightIsNoTest(t *testing.T) {
	t.Parallel()
	for _, value := range []float64{0, 1} {
		var reports []*report.Report
		for _, name := range []string{"main", "next"} {
			h := header(name, mrr)
			h.ID, h.Config = name, map[string]string{"gate.tolerances.mrr": "0.03"}
			var records []assay.Record
			for i := range 5 {
				records = append(records, assay.Record{Seq: i, Attempts: 1, Response: answered("An answer.", 0, nil),
					Case: assay.Case{ID: fmt.Sprint("q", i)}, Scores: map[string]assay.Score{"mrr": assay.Value(value)}})
			}
			reports = append(reports, report.New(h, records))
		}
		row := comparison(t, reports).Rows[0]
		// What is beyond the range of the metric is left out, and the end that is left is no bound.
		if ci := row.Differences[0].CI; row.NoWorse(1) || ci == nil || ci.Hi-ci.Lo < 0.4 || ci.Lo > -value*0.4 || ci.Hi < (1-value)*0.4 {
			t.Errorf("all %v: no worse %v, interval %v", value, row.NoWorse(1), ci)
		}
	}
}
