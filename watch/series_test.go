package watch

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
)

var (
	begun  = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	higher = assay.MetricInfo{Name: "m", Better: "higher", Range: [2]float64{0, 1}}
	lower  = assay.MetricInfo{Name: "l", Better: "lower", Range: [2]float64{0, 10}}
)

// TestSeriesCounts: what has no score widens the bounds, and what does not apply is left out.
func TestSeriesCounts(t *testing.T) {
	for name, test := range map[string]struct {
		m          assay.MetricInfo
		scores     []assay.Score
		n, missing int
		excluded   int
		mean       float64
	}{
		"values":                      {higher, []assay.Score{assay.Value(1), assay.Value(0.5)}, 2, 0, 0, 0.75},
		"lower is better":             {lower, []assay.Score{assay.Value(10), assay.Value(1)}, 2, 0, 0, 5.5},
		"a failed system":             {higher, []assay.Score{assay.Value(1), {State: assay.TargetError}}, 2, 0, 0, 0.5},
		"a failed system, no numbers": {lower, []assay.Score{assay.Value(1), {State: assay.TargetError}}, 1, 1, 0, 1},
		"a failed judge":              {higher, []assay.Score{assay.Value(1), {State: assay.JudgeError}}, 1, 1, 0, 1},
		"neither":                     {higher, []assay.Score{assay.Value(1), assay.None(""), {State: assay.Abstained}}, 1, 0, 2, 1},
	} {
		s := Series{Metric: test.m}
		for _, score := range test.scores {
			s.add(score, begun)
		}
		mean, ci, ok := s.Estimate(0.95)
		if !ok || s.Bounds.N != test.n || s.Unscored != test.missing || s.Excluded != test.excluded || math.Abs(mean-test.mean) > 1e-12 {
			t.Errorf("%s: n %d, %d without, %d excluded, mean %v", name, s.Bounds.N, s.Unscored, s.Excluded, mean)
		}
		if !(ci.Lo <= mean && mean <= ci.Hi && ci.Lo >= test.m.Range[0] && ci.Hi <= test.m.Range[1]) {
			t.Errorf("%s: bounds %v around %v", name, ci, mean)
		}
	}
	// Of 100 cases that are all right, 100 more had no score: half of all could be wrong.
	s := Series{Metric: higher}
	for range 100 {
		s.add(assay.Value(1), begun)
		s.add(assay.Score{State: assay.JudgeError}, begun)
	}
	if _, ci, _ := s.Estimate(0.95); ci.Hi != 1 || ci.Lo > 0.5 || ci.Lo < 0.4 {
		t.Errorf("bounds %v", ci)
	}
}

// follow adds scores until there is an alarm, and returns it with the number of scores.
func follow(t *testing.T, s *Series, set Settings, most int, value func(i int) float64) (Alarm, int) {
	t.Helper()
	for i := range most {
		if s.add(assay.Value(value(i)), begun.Add(time.Duration(i)*time.Second)) {
			s.hold(set)
			if a, ok := s.check(set.Quiet, begun); ok {
				return a, i + 1
			}
		}
	}
	return Alarm{}, most
}

// TestSeriesAlarms: it learns its line, alarms when it is crossed, and says when it recovers.
func TestSeriesAlarms(t *testing.T) {
	for name, test := range map[string]struct {
		m         assay.MetricInfo
		good, bad float64
	}{"higher": {higher, 1, 0}, "lower": {lower, 0, 10}} {
		set := Defaults()
		set.Quiet = 1000
		s := &Series{Metric: test.m}
		mostly := func(a, b float64, each int) func(i int) float64 {
			return func(i int) float64 {
				if i%each == each-1 {
					return b
				}
				return a
			}
		}
		if a, n := follow(t, s, set, 2000, mostly(test.good, test.bad, 10)); n != 2000 {
			t.Fatalf("%s: an alarm after %d quiet scores: %+v", name, n, a)
		}
		if s.Line == nil || s.Line.Seen != 8*set.Learn || s.Line.At > 0.87 || s.Line.At < 0.82 || s.Worse {
			t.Fatalf("%s: line %+v", name, s.Line)
		}
		a, n := follow(t, s, set, 200, mostly(test.bad, test.good, 4))
		if n > 30 || a.Recovered || !s.Worse || a.Cases < 5 || a.Cases > n+10 {
			t.Fatalf("%s: after %d scores: %+v", name, n, a)
		}
		if math.Abs(a.Mean-test.bad) > 0.4*math.Abs(test.good-test.bad) || math.Abs(a.Line-s.Value(s.Line.At)) > 1e-9 {
			t.Errorf("%s: mean %v, line %v", name, a.Mean, a.Line)
		}
		if s.Bounds.N != 0 || s.Unscored != 0 {
			t.Errorf("%s: bounds of before the alarm go on", name)
		}
		// As bad as before is no recovery, and no second alarm.
		if a, n := follow(t, s, set, 1000, mostly(test.bad, test.good, 4)); n != 1000 {
			t.Fatalf("%s: after %d scores: %+v", name, n, a)
		}
		if a, n := follow(t, s, set, 300, mostly(test.good, test.bad, 20)); n == 300 || !a.Recovered || s.Worse {
			t.Fatalf("%s: after %d scores: %+v", name, n, a)
		}
	}
}

// TestSeriesLearnsOn: a line rises as more is known and never falls, and the promise is kept.
func TestSeriesLearnsOn(t *testing.T) {
	const runs, cases = 60, 4000
	set := Defaults()
	alarms := 0
	for seed := range runs {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		s := &Series{Metric: higher}
		last := 0.0
		_, n := follow(t, s, set, cases, func(int) float64 {
			if s.Line != nil && s.Line.At < last {
				t.Fatalf("the line falls from %v to %v", last, s.Line.At)
			}
			if s.Line != nil {
				last = s.Line.At
			}
			if rng.Float64() < 0.9 {
				return 1
			}
			return 0
		})
		if n < cases {
			alarms++
			continue
		}
		if s.Line.Seen != 3200 || s.Line.At < 0.84 || s.Line.At > 0.88 {
			t.Errorf("seed %d: line %+v", seed, s.Line)
		}
		// What the line of 200 scores would have let pass.
		if _, n := follow(t, s, set, 3000, func(int) float64 {
			if rng.Float64() < 0.8 {
				return 1
			}
			return 0
		}); n > 1500 {
			t.Errorf("seed %d: a drop of 0.1 takes %d cases", seed, n)
		}
	}
	// The promise is 24 at most; a line that is learned lies lower, and the draws are fixed.
	if alarms > 1 {
		t.Errorf("%d of %d series alarm without a reason", alarms, runs)
	}
	t.Logf("%d of %d series alarm without a reason within %d cases", alarms, runs, cases)
}

// TestSeriesThreshold: a threshold is the line from the first score on, and another begins anew.
func TestSeriesThreshold(t *testing.T) {
	set := Defaults()
	set.Quiet = 1000
	m := higher
	limit := 0.9
	m.Threshold = &limit
	s := &Series{Metric: m}
	a, n := follow(t, s, set, 100, func(i int) float64 { return float64(i % 2) })
	if n == 100 || !a.Threshold || a.Line != 0.9 || !strings.Contains(a.Text("w"), "w: m got worse than its threshold, 0.900: mean 0.") {
		t.Fatalf("after %d scores: %+v: %s", n, a, a.Text("w"))
	}
	low := 0.3
	s.Metric.Threshold = &low
	if a, n := follow(t, s, set, 1000, func(i int) float64 { return float64(i % 2) }); n != 1000 || s.Worse || s.Line.At != 0.3 {
		t.Errorf("after %d scores: %+v, line %+v", n, a, s.Line)
	}
	s.Metric.Threshold = nil
	if follow(t, s, set, 1, func(int) float64 { return 1 }); s.Line == nil || s.Line.Threshold {
		t.Errorf("line %+v: want one that was learned", s.Line)
	}
	one := 1.0
	s.Metric.Threshold = &one
	if _, n := follow(t, s, set, 20, func(int) float64 { return 1 }); n != 20 || s.Line.At != highestLine {
		t.Errorf("a threshold of 1: after %d scores, line %+v", n, s.Line)
	}
}

// TestSeriesKept: a series is the same after it was stored, at any time.
func TestSeriesKept(t *testing.T) {
	set := Defaults()
	set.Learn, set.Quiet = 30, 1000
	whole, stored := &Series{Metric: higher}, &Series{Metric: higher}
	for i := range 400 {
		score := assay.Value(math.Mod(float64(i)*0.37, 1))
		if i > 200 {
			score = assay.Value(score.Value / 5)
		}
		var alarms []string
		for _, s := range []*Series{whole, stored} {
			if s.add(score, begun.Add(time.Duration(i)*time.Minute)) {
				s.hold(set)
				a, ok := s.check(set.Quiet, begun)
				alarms = append(alarms, fmt.Sprintf("%v %+v", ok, a))
			}
		}
		if alarms[0] != alarms[1] {
			t.Fatalf("score %d: %s and %s", i, alarms[0], alarms[1])
		}
		b, err := json.Marshal(stored)
		if err != nil {
			t.Fatal(err)
		}
		stored = &Series{}
		if err := json.Unmarshal(b, stored); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(whole, stored); d != "" || !whole.Worse || len(whole.Recent) != mostRecent {
		t.Errorf("worse %v, %d recent: %s", whole.Worse, len(whole.Recent), d)
	}
}

// TestFollowed: only means over cases in a range are followed.
func TestFollowed(t *testing.T) {
	for want, list := range map[bool][]assay.MetricInfo{
		true: {higher, lower},
		false: {
			{Range: [2]float64{0, math.MaxFloat64}}, {Range: [2]float64{0, 1}, Pooled: true}, {},
			{Range: [2]float64{-math.MaxFloat64, math.MaxFloat64}},
		},
	} {
		for _, m := range list {
			if followed(m) != want {
				t.Errorf("%+v: want %v", m, want)
			}
		}
	}
}
