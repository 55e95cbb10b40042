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

// With one relevant document, precision@5 is 0.2 at most, and with eight of them recall@5 is 0.625: no
// interval and no detectable difference goes beyond. A residual of two judged documents is at least 0.8².
func TestIntervalsStayWithinWhatTheLabelsAllow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		m        assay.MetricInfo
		relevant int
		most     float64
	}{
		{assay.MetricInfo{Name: "precision@5", Better: "higher", Range: [2]float64{0, 1}}, 1, 0.2},
		{assay.MetricInfo{Name: "recall@5", Better: "higher", Range: [2]float64{0, 1}}, 8, 0.625},
		{assay.MetricInfo{Name: "precision@5(level=2)", Better: "higher", Range: [2]float64{0, 1}}, 8, 0},
		{assay.MetricInfo{Name: "rbp", Better: "higher", Range: [2]float64{0, 1}}, 1, 0.2},
		{assay.MetricInfo{Name: "err@5", Better: "higher", Range: [2]float64{0, 1}}, 1, 0.5},
		{assay.MetricInfo{Name: "r_precision(multiple=2)", Better: "higher", Range: [2]float64{0, 1}}, 2, 0.5},
	} {
		labels := map[string]int{"not": 0}
		for i := range c.relevant {
			labels[string(rune('a'+i))] = 1
		}
		run := func(name string, every int) recorded {
			r := scored(name, c.m, repeat(0, 8)...)
			for i := range r.Records {
				r.Records[i].Case.Want.Documents = labels
				if i%every > 0 {
					r.Records[i].Scores[c.m.Name] = assay.Value(c.most)
				}
			}
			return r
		}
		a, b := run("a", 8), run("b", 2)
		again := append(b.Records[:0:0], b.Records...)
		for i := range again {
			again[i].Case = again[i].Case.Repeated(1)
		}
		for _, records := range [][]assay.Record{a.Records, b.Records, append(b.Records[:len(b.Records):len(b.Records)], again...)} {
			if ci := of([]assay.MetricInfo{c.m}, records, 0.95).Metrics[0].CI; ci == nil || ci.Hi > c.most+1e-9 {
				t.Errorf("%s: interval %v, want %g at most", c.m.Name, ci, c.most)
			}
		}
		row := compare([]assay.MetricInfo{c.m}, []recorded{a, b}, summary.Plan{Level: 0.95, Seed: 1}).Rows[0]
		d := row.Differences[0]
		if c.most == 0 {
			continue
		}
		mde, known := summary.Detects(row.MetricInfo, d)
		if d.CI == nil || d.CI.Lo < -c.most-1e-9 || d.CI.Hi > c.most+1e-9 || known && mde > c.most && mde <= 1 {
			t.Errorf("%s: %+v detects %g: want no difference beyond %g", c.m.Name, d.CI, mde, c.most)
		}
	}
	residual := assay.MetricInfo{Name: "rbp_residual", Better: "lower", Range: [2]float64{0, 1}}
	r := scored("r", residual, 0.64, 0.64, 0.7, 0.64, 0.64, 0.65)
	for i := range r.Records {
		r.Records[i].Case.Want.Documents = map[string]int{"a": 1, "not": 0}
	}
	if ci := of([]assay.MetricInfo{residual}, r.Records, 0.95).Metrics[0].CI; ci == nil || ci.Lo < 0.64-1e-9 {
		t.Errorf("interval of a residual %v, want at least 0.64", ci)
	}
}
