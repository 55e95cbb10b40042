package stats_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/assay-eval/assay/stats"
)

func TestBoundsState(t *testing.T) {
	t.Parallel()
	var b stats.Bounds
	for _, x := range []float64{1, 0, 0.5} {
		if !b.Add(x) {
			t.Fatalf("%v refused", x)
		}
	}
	// Before each score the mean of those before and 0.5: 0.5, 1.5/2, 1.5/3.
	if want := (stats.Bounds{N: 3, Sum: 1.5, Squares: 0.25 + 0.5625}); b != want {
		t.Errorf("%+v, want %+v", b, want)
	}
	before := b
	for _, x := range []float64{-0.001, 1.001, math.NaN(), math.Inf(1)} {
		if b.Add(x) {
			t.Errorf("%v taken", x)
		}
	}
	if b != before {
		t.Errorf("%+v after scores that were refused, want %+v", b, before)
	}
}

// TestBoundsEnd wants of the ends what defines them, computed anew: the mean of the
// supermartingales is 2/alpha there.
func TestBoundsEnd(t *testing.T) {
	t.Parallel()
	for _, b := range []stats.Bounds{
		{N: 200, Sum: 180, Squares: 18.5}, {N: 50, Sum: 20, Squares: 0.6}, {N: 100000, Sum: 99000, Squares: 980},
	} {
		ci, ok := b.Interval(0.05)
		mean, _ := b.Mean()
		if !ok || !(ci.Lo > 0 && ci.Lo < mean && mean < ci.Hi && ci.Hi < 1) {
			t.Fatalf("%+v: %+v", b, ci)
		}
		for _, end := range []struct{ sum, m float64 }{{b.Sum, ci.Lo}, {float64(b.N) - b.Sum, 1 - ci.Hi}} {
			n, hits, graded := float64(b.N), 0.0, 0.0
			for _, l := range []float64{4, 2, 1, 0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625} {
				hits += math.Exp(l*end.sum-n*math.Log(1+end.m*(math.Exp(l)-1))) / 11
			}
			for _, l := range []float64{0.8, 0.4, 0.2, 0.1, 0.05, 0.025, 0.0125, 0.00625} {
				graded += math.Exp(l*(end.sum-n*end.m)+(l+math.Log(1-l))*b.Squares) / 8
			}
			near(t, "mixture at the end", (hits+graded)/2, 40, 1e-4)
		}
	}
}

func TestBoundsEdges(t *testing.T) {
	t.Parallel()
	var none stats.Bounds
	if ci, ok := none.Interval(0.05); ok {
		t.Errorf("without scores: %+v", ci)
	}
	if m, ok := none.Mean(); ok {
		t.Errorf("without scores: mean %v", m)
	}
	one := stats.Bounds{N: 1, Sum: 1, Squares: 0.25}
	for _, alpha := range []float64{0, 1, -1, math.NaN()} {
		if ci, ok := one.Interval(alpha); ok {
			t.Errorf("alpha %v: %+v", alpha, ci)
		}
	}
	// One score cannot contradict a mean between 0 and 1 very much.
	if ci, ok := one.Interval(0.05); !ok || ci.Hi != 1 || ci.Lo > 0.1 {
		t.Errorf("one score: %+v", ci)
	}
	// Only hits: 1,000 come of a mean of 0.997 in 5 % of samples that are looked at once.
	hits := stats.Bounds{}
	for range 1000 {
		hits.Add(1)
	}
	if ci, _ := hits.Interval(0.05); ci.Hi != 1 || ci.Lo < 0.99 || ci.Lo > 0.997 {
		t.Errorf("1,000 hits: %+v", ci)
	}
}

func TestBoundsJSON(t *testing.T) {
	t.Parallel()
	var b, back stats.Bounds
	for i := range 1000 {
		b.Add(float64(i%7) / 6.1)
	}
	data, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &back); err != nil || back != b {
		t.Errorf("%+v (%v), want %+v", back, err, b)
	}
	for _, bad := range []string{
		`{"n":-1}`, `{"n":1,"sum":2}`, `{"n":1,"sum":-1}`, `{"n":1,"sum":1,"squares":2}`, `{"n":1,"sum":1,"squares":-1}`, `{"n":"x"}`, `[]`,
	} {
		if err := json.Unmarshal([]byte(bad), &back); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
	if back != b {
		t.Errorf("%+v after states that were refused, want %+v", back, b)
	}
}
