package summary_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

var failed = assay.Score{State: assay.TargetError, Reason: "no response"}

// asked gives the records of cases a, b, c … that were each asked as often as
// they have scores: all once, then again.
func asked(cases ...[]assay.Score) []assay.Record {
	var out []assay.Record
	for draw := 0; ; draw++ {
		more := false
		for i, scores := range cases {
			if draw >= len(scores) {
				continue
			}
			more = true
			r := record(i, scores[draw])
			r.Case = r.Case.Repeated(draw)
			r.Seq = len(out)
			out = append(out, r)
		}
		if !more {
			return out
		}
	}
}

func values(v ...float64) []assay.Score {
	var out []assay.Score
	for _, x := range v {
		out = append(out, assay.Value(x))
	}
	return out
}

func TestDrawsAreOneCase(t *testing.T) {
	t.Parallel()
	// Case means 0.75, 0, 1: the interval is that of three cases.
	recs := asked(values(1, 0.5), values(0, 0), values(1, 1))
	s := of([]assay.MetricInfo{ndcg}, recs, 0.95)
	m := s.Metrics[0]
	near(t, "mean", m.Mean, 1.75/3)
	if m.N != 3 || m.Cases() != 3 || s.Cases != 6 || s.OK != 6 {
		t.Errorf("n %d of %d cases, %d records, %d ok; want 3 of 3, 6, 6", m.N, m.Cases(), s.Cases, s.OK)
	}
	want := stats.Mean([]stats.Sample{{Value: 0.75}, {Value: 0}, {Value: 1}}, 0.95).CI
	if m.CI == nil || *m.CI != *want || m.CI.Half() < 0.4 {
		t.Errorf("interval %v, want %v", m.CI, want)
	}
	// Case means that are all 0 or 1 are a proportion of three cases, not of six.
	same := of([]assay.MetricInfo{ndcg}, asked(values(1, 1), values(0, 0), values(1, 1)), 0.95)
	once := of([]assay.MetricInfo{ndcg}, []assay.Record{record(0, assay.Value(1)), record(1, assay.Value(0)),
		record(2, assay.Value(1))}, 0.95)
	if d := cmp.Diff(once.Metrics[0].Estimate, same.Metrics[0].Estimate); d != "" {
		t.Errorf("draws that are the same move the estimate: -once +twice\n%s", d)
	}
}

// A draw that could not be scored is not shown to differ from the others.
func TestUnscoredDrawIsNoChange(t *testing.T) {
	t.Parallel()
	unscored := assay.Score{State: assay.JudgeError, Upper: 1}
	none := assay.None("not asked for")
	one := assay.Value(1)
	s := of([]assay.MetricInfo{ndcg}, asked([]assay.Score{one, unscored}, []assay.Score{unscored, one}, []assay.Score{one, one},
		[]assay.Score{one, none}), 0.95)
	if m := s.Repeats.Metrics[0]; m.N != 1 || m.Changed != 1 || m.SD == nil || *m.SD != 0 {
		t.Errorf("%+v: want the one case in which the metric applies to one draw alone", m)
	}
}

func TestDrawsThatAreNotKnown(t *testing.T) {
	t.Parallel()
	lost := assay.Score{State: assay.JudgeError, Reason: "unreadable"}
	s := of([]assay.MetricInfo{ndcg}, asked(
		[]assay.Score{assay.Value(0.8), lost}, // 0.8, between 0.4 and 0.9
		[]assay.Score{lost, lost},             // not known, between 0 and 1
		[]assay.Score{assay.Value(1), failed}, // (1 + 0)/2
		[]assay.Score{assay.None("no label"), assay.None("no label")},
	), 0.95)
	m := s.Metrics[0]
	near(t, "mean", m.Mean, (0.8+0.5)/2)
	near(t, "answered", *m.Answered, (0.8+1)/2)
	near(t, "worst", m.Bounds.Lo, (0.4+0+0.5)/3)
	near(t, "best", m.Bounds.Hi, (0.9+1+0.5)/3)
	if m.N != 2 || m.Failed != 2 || m.Partial != 1 || m.Cases() != 3 || m.TargetErrors != 1 || m.NotApplicable != 1 {
		t.Errorf("counts: %+v", m)
	}
	if m.Reasons["unreadable"] != 3 || m.Reasons["no label"] != 2 {
		t.Errorf("reasons %v: want those of each draw", m.Reasons)
	}
}

func TestTagsCountCases(t *testing.T) {
	t.Parallel()
	recs := asked(values(1, 1, 1), values(0, 0, 0))
	for i := range recs {
		recs[i].Case.Tags = []string{"all"}
	}
	s := of([]assay.MetricInfo{ndcg}, recs, 0.95)
	if s.Tags[0].Cases != 2 || s.Tags[0].Metrics[0].N != 2 {
		t.Errorf("the tag has %d cases, n %d: want 2 and 2", s.Tags[0].Cases, s.Tags[0].Metrics[0].N)
	}
}

func TestPassRates(t *testing.T) {
	t.Parallel()
	bar := 0.5
	m := ndcg
	m.Threshold = &bar
	// a passes in 2 of 3 draws, b in 3, c in 0 (once for want of an answer).
	s := of([]assay.MetricInfo{m}, asked(values(1, 0.6, 0.2), values(1, 1, 1),
		[]assay.Score{assay.Value(0), failed, assay.Value(0.1)}), 0.95)
	// pass@k: a 2/3, 1 − C(1,2)/C(3,2) = 1, 1; b 1; c 0.
	// pass^k: a 2/3, C(2,2)/C(3,2) = 1/3, 0; b 1; c 0.
	anyOf, all := []float64{5. / 9, 2. / 3, 2. / 3}, []float64{5. / 9, 4. / 9, 1. / 3}
	r := s.Repeats
	if r.Draws != 3 || r.Cases != 3 || len(r.Pass) != 3 {
		t.Fatalf("got %+v", r)
	}
	for i, p := range r.Pass {
		near(t, "pass@k", p.Any, anyOf[i])
		near(t, "pass^k", p.All, all[i])
		if p.K != i+1 || p.N != 3 || p.AllCI == nil || !p.AllCI.Contains(p.All) {
			t.Errorf("got %+v", p)
		}
	}
	// a changes its status, and so does c, from failed to error and back; a moved
	// further, c: its failure counts 0.
	if len(r.Flaky) != 2 || r.Flaky[0].Case != "a" || r.Flaky[0].Passes() != 2 || r.Flaky[1].Case != "c" || r.Flaky[1].Passes() != 0 {
		t.Errorf("flaky: %+v", r.Flaky)
	}
	near(t, "spread of a", r.Flaky[0].Spread, 0.8)
}

func TestNothingCouldFail(t *testing.T) {
	t.Parallel()
	hit := assay.MetricInfo{Name: "ndcg@10", Title: "Hit", Better: "higher", Range: [2]float64{0, 1}}
	s := of([]assay.MetricInfo{hit}, asked(values(1, 0), values(1, 1)), 0.95)
	if s.Repeats.Pass != nil {
		t.Errorf("pass rates %v although nothing could fail", s.Repeats.Pass)
	}
	// The metric itself says what passing is: its values are 0 and 1.
	p := s.Repeats.Metrics[0].Pass
	// Wilson's interval of 2 in 2: a case's draws are no cluster of cases.
	if len(p) != 2 || p[1].Any != 1 || p[1].All != 0.5 || p[1].AnyCI == nil || math.Abs(p[1].AnyCI.Lo-0.342380) > 1e-6 {
		t.Errorf("pass rates of the metric: %+v", p)
	}
	if s := of([]assay.MetricInfo{hit}, asked(values(1, 0.5), values(1, 1)), 0.95); s.Repeats.Metrics[0].Pass != nil {
		t.Errorf("a value of 0.5 neither passes nor fails: %+v", s.Repeats.Metrics[0].Pass)
	}
	lower := hit
	lower.Better = "lower"
	if p := of([]assay.MetricInfo{lower}, asked(values(1, 0), values(1, 1)), 0.95).Repeats.Metrics[0].Pass; p[0].Any != 0.25 {
		t.Errorf("where less is better 0 passes: %+v", p)
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	// Variances within a case: 0.08, 0, 0.02: their mean is 0.1/3.
	s := of([]assay.MetricInfo{ndcg}, asked(values(0.2, 0.6), values(1, 1), values(0.5, 0.3)), 0.95)
	m := s.Repeats.Metrics[0]
	near(t, "variance within", *m.SD**m.SD, 0.1/3)
	if m.N != 3 || m.Changed != 2 || m.Worst != "a" {
		t.Errorf("got %+v", m)
	}
	near(t, "spread", m.Spread, 0.4)
	var names []string
	for _, f := range s.Repeats.Flaky {
		names = append(names, f.Case)
	}
	if d := cmp.Diff([]string{"a", "c"}, names); d != "" {
		t.Errorf("flaky cases, from the one that moved furthest:\n%s", d)
	}
}

func TestSameDraws(t *testing.T) {
	t.Parallel()
	s := of([]assay.MetricInfo{ndcg}, asked(values(0.2, 0.2), values(1, 1+1e-12)), 0.95)
	if !s.Repeats.Same() || len(s.Warnings) != 1 || s.Warnings[0] != "all 2 draws of every case gave the same scores: asking each once would have said as much" {
		t.Errorf("same %v, warnings %q", s.Repeats.Same(), s.Warnings)
	}
	if s := of([]assay.MetricInfo{ndcg}, asked(values(0.2), values(1)), 0.95); s.Repeats != nil {
		t.Errorf("repeats of cases that were asked once: %+v", s.Repeats)
	}
	// A score that comes and goes is a change although no number moved.
	s = of([]assay.MetricInfo{ndcg}, asked([]assay.Score{assay.Value(1), {State: assay.Abstained, Reason: "declined"}}), 0.95)
	if s.Repeats.Same() || s.Repeats.Metrics[0].Changed != 1 || s.Repeats.Metrics[0].SD != nil {
		t.Errorf("got %+v", s.Repeats)
	}
}

// Cases that share a group still do when they are asked again.
// A run that was interrupted has fewer draws of some cases: they are not "all the same".
func TestMissingDrawsAreNotTheSame(t *testing.T) {
	t.Parallel()
	s := of([]assay.MetricInfo{ndcg}, asked(values(1, 1, 1), values(0), values(0, 0)), 0.95)
	if r := s.Repeats; r.Same() || r.Draws != 3 || r.Least != 1 || r.Cases != 2 {
		t.Errorf("%+v: want 1 to 3 draws", r)
	}
	for _, w := range s.Warnings {
		if strings.Contains(w, "every case gave the same") {
			t.Errorf("warning %q", w)
		}
	}
}

func TestDrawsKeepGroups(t *testing.T) {
	t.Parallel()
	var once, twice []assay.Record
	for i, v := range []float64{1, 0.9, 0.2, 0.3, 0.6, 0.5} {
		r := record(i, assay.Value(v))
		r.Case.Group = string(rune('x' + i/2))
		once = append(once, r)
		for d := range 2 {
			again := r
			again.Case = r.Case.Repeated(d)
			again.Seq = 6*d + i
			twice = append(twice, again)
		}
	}
	a, b := of([]assay.MetricInfo{ndcg}, once, 0.95).Metrics[0], of([]assay.MetricInfo{ndcg}, twice, 0.95).Metrics[0]
	var none *stats.Interval
	if a.CI == none || cmp.Diff(a.Estimate, b.Estimate) != "" {
		t.Errorf("once %+v, twice %+v", a.Estimate, b.Estimate)
	}
}

// The noise floor holds what it promises: 5 % of pairs of runs of one system are further apart.
func TestNoiseFloorIsWhatIsSeen(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 1))
	beyond, pairs := 0, 0
	for range 200 {
		var cases [][]assay.Score
		for range 60 {
			value, draws := 0.5+0.1*rng.NormFloat64(), make([]float64, 5)
			for d := range draws {
				draws[d] = value + 0.1*rng.NormFloat64()
			}
			cases = append(cases, values(draws...))
		}
		floor := of([]assay.MetricInfo{ndcg}, asked(cases...), 0.95).Repeats.Metrics[0].Floor(0.95)
		// Draws 0 and 1, 2 and 3 are independent pairs.
		for d := 0; d < 4; d += 2 {
			pairs++
			var diff float64
			for _, c := range cases {
				diff += (c[d].Value - c[d+1].Value) / 60
			}
			if math.Abs(diff) > floor {
				beyond++
			}
		}
	}
	// 400 pairs at 5 %: 20, with a standard error of 4.4.
	if beyond < 7 || beyond > 33 {
		t.Errorf("%d of %d pairs are beyond the floor: want about 20", beyond, pairs)
	}
}
