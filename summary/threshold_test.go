package summary_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// open returns 40 cases with values and the bounds that both ends of a threshold leave.
func open(name string, values ...[3]float64) recorded {
	run := scored(name, mrr, repeat(0, 40)...)
	for i := range run.Records {
		v := values[i%len(values)]
		s := assay.Value(v[0])
		s.Lower, s.Upper = v[1], v[2]
		run.Records[i].Scores[mrr.Name] = s
	}
	return run
}

// The interval of a mean holds those at both ends of the judge's threshold, of draws too. Without
// a threshold with an interval it is that of the values.
func TestIntervalHoldsBothEndsOfAThreshold(t *testing.T) {
	t.Parallel()
	rests := mrr
	rests.OpenThreshold = true
	records := open("a", [3]float64{0.5, 0.2, 0.9}, [3]float64{0.6, 0.6, 0.6}).Records
	at := func(end func(assay.Score) float64) *stats.Interval {
		var values []float64
		for _, r := range records {
			values = append(values, end(r.Scores[mrr.Name]))
		}
		return of([]assay.MetricInfo{mrr}, scored("x", mrr, values...).Records, 0.95).Metrics[0].CI
	}
	here, low, high := at(func(s assay.Score) float64 { return s.Value }), at(func(s assay.Score) float64 { return s.Lower }),
		at(func(s assay.Score) float64 { return s.Upper })
	if got := of([]assay.MetricInfo{mrr}, records, 0.95).Metrics[0]; *got.CI != *here {
		t.Errorf("%+v, want %+v where rulings are missing", got.CI, here)
	}
	once := of([]assay.MetricInfo{rests}, records, 0.95).Metrics[0]
	if once.CI.Lo != low.Lo || once.CI.Hi != high.Hi || once.Mean != 0.55 || once.N != 40 || once.Failed != 0 {
		t.Errorf("%+v with %+v, want from %v to %v", once, once.CI, low.Lo, high.Hi)
	}
	var draws []assay.Record
	for i, r := range records {
		for k := range 2 {
			d := r
			d.Seq, d.Case = 2*i+k, r.Case.Repeated(k)
			draws = append(draws, d)
		}
	}
	if twice := of([]assay.MetricInfo{rests}, draws, 0.95).Metrics[0]; *twice.CI != *once.CI {
		t.Errorf("draws: %+v, want %+v", twice.CI, once.CI)
	}
	for _, m := range []assay.MetricInfo{mrr, rests, {Name: mrr.Name, Range: mrr.Range, NearChance: "support"}} {
		running := summary.NewRunning([]assay.MetricInfo{m}, 40, 0.95)
		for _, r := range records {
			running.Add(r)
		}
		if _, ok := running.Estimate(); ok != (!m.OpenThreshold && m.NearChance == "") {
			t.Errorf("%+v: a mean so far: %v", m, ok)
		}
	}
	rests.NearChance = "support"
	if m := of([]assay.MetricInfo{rests}, draws, 0.95).Metrics[0]; m.CI != nil || m.N != 40 {
		t.Errorf("a judge near chance has the interval %+v", m.CI)
	}
}

// A difference that is not shown at an end of the threshold is not shown; its interval holds those
// at both ends.
func TestDifferencesHoldBothEndsOfAThreshold(t *testing.T) {
	t.Parallel()
	rests := mrr
	rests.OpenThreshold = true
	plan := summary.Plan{Level: 0.95, Seed: 1}
	steady := open("a", [3]float64{0.4, 0.4, 0.4}, [3]float64{0.5, 0.5, 0.5})
	for name, test := range map[string]struct {
		values [3]float64
		shown  bool
	}{
		"gone at the upper end": {[3]float64{0.7, 0.45, 0.9}, false}, "turned round": {[3]float64{0.7, 0.1, 0.9}, false},
		"shown at both ends": {[3]float64{0.8, 0.7, 0.9}, true},
	} {
		b := open("b", test.values, test.values)
		plain := compare([]assay.MetricInfo{mrr}, []recorded{steady, b}, plan).Rows[0].Differences[0]
		d := compare([]assay.MetricInfo{rests}, []recorded{steady, b}, plan).Rows[0].Differences[0]
		if !summary.Shown(plain) || summary.Shown(d) != test.shown || d.Diff != plain.Diff {
			t.Errorf("%s: shown %v, p %v, by the values alone %v", name, summary.Shown(d), d.PAdjusted, plain.PAdjusted)
		}
		if lo, hi := test.values[1]-0.45, test.values[2]-0.45; d.CI.Lo > lo+1e-9 || d.CI.Hi < hi-1e-9 || plain.CI.Lo <= lo {
			t.Errorf("%s: %+v, want %v and %v within it", name, d.CI, lo, hi)
		}
	}
}
