package stats_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/assay-eval/assay/stats"
)

// TestDriftByHand follows one stake, 1/2, at the line 0.75: λ is 2, a score of 1 has
// the factor 0.5, one of 0 the factor 2.5, one of 0.75 the factor 1.
func TestDriftByHand(t *testing.T) {
	t.Parallel()
	d := stats.Drift{Line: 0.75, Bets: []stats.DriftBet{{Stake: 0.5, Run: 1}}}
	for i, step := range []struct {
		x, evidence, run float64
		since            int
	}{
		{0.75, 1, 1, 0},       // 1·(0+1); a score at the line begins no fall
		{1, 1, 1, 0},          // 0.5·(1+1)
		{0, 5, 2.5, 1},        // 2.5·(1+1)
		{0.75, 6, 2.5, 2},     // 1·(5+1)
		{1, 3.5, 1.25, 3},     // 0.5·(6+1)
		{1, 2.25, 1, 0},       // 0.5·(3.5+1); the product 0.625 is less than that of no score
		{0, 8.125, 2.5, 1},    // 2.5·(2.25+1)
		{0, 22.8125, 6.25, 2}, // 2.5·(8.125+1)
	} {
		if !d.Add(step.x) {
			t.Fatalf("score %d refused", i)
		}
		want := stats.DriftBet{Stake: 0.5, Evidence: step.evidence, Run: step.run, Since: step.since}
		if d.Bets[0] != want || d.Evidence() != step.evidence || d.Since() != step.since {
			t.Errorf("after score %d: %+v, evidence %v, since %d; want %+v", i, d.Bets[0], d.Evidence(), d.Since(), want)
		}
	}
}

// TestDriftOfStakes: the evidence is the mean of the stakes', and the stake with the
// most evidence says since when.
func TestDriftOfStakes(t *testing.T) {
	t.Parallel()
	d := newDrift(t, 0.8)
	stakes := []float64{0.9, 0.45, 0.225, 0.1125, 0.05625, 0.028125, 0.0140625}
	if len(d.Bets) != len(stakes) {
		t.Fatalf("%d stakes", len(d.Bets))
	}
	m := make([]float64, len(stakes))
	for _, x := range []float64{1, 1, 0.6, 1, 0, 0.2, 0} {
		d.Add(x)
		var sum float64
		for k, f := range stakes {
			m[k] = (1 + f/0.2*(0.8-x)) * (m[k] + 1)
			sum += m[k]
		}
		near(t, "evidence", d.Evidence(), sum/float64(len(stakes)), 1e-9*sum)
	}
	if d.Since() != 3 {
		t.Errorf("the fall began %d scores ago, want 3", d.Since())
	}
	d.Bets = []stats.DriftBet{
		{Stake: 0.9, Evidence: 2, Run: 2, Since: 1}, {Stake: 0.4, Evidence: 5, Run: 2, Since: 7}, {Stake: 0.2, Evidence: 4, Run: 2, Since: 9},
	}
	if d.Since() != 7 || math.Abs(d.Evidence()-11./3) > 1e-15 {
		t.Errorf("evidence %v since %d, want 3.67 since 7", d.Evidence(), d.Since())
	}
}

func newDrift(t *testing.T, line float64) stats.Drift {
	t.Helper()
	d, ok := stats.NewDrift(line)
	if !ok {
		t.Fatalf("line %v refused", line)
	}
	return d
}

func TestDriftRefuses(t *testing.T) {
	t.Parallel()
	for _, line := range []float64{-0.001, 1, 1.5, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if d, ok := stats.NewDrift(line); ok {
			t.Errorf("line %v: %+v", line, d)
		}
	}
	d := newDrift(t, 0.9)
	d.Add(0)
	want := d.Evidence()
	for _, x := range []float64{-0.001, 1.001, math.NaN(), math.Inf(1)} {
		if d.Add(x) || d.Evidence() != want {
			t.Errorf("%v taken: evidence %v, want %v", x, d.Evidence(), want)
		}
	}
}

// TestDriftAtTheEnds: nothing is below a line of 0, whatever the scores; just above
// and just below the other end everything stays finite.
func TestDriftAtTheEnds(t *testing.T) {
	t.Parallel()
	d := newDrift(t, 0)
	for range 1000 {
		d.Add(0)
	}
	if d.Evidence() != 0 || d.Since() != 0 {
		t.Errorf("line 0: evidence %v since %d", d.Evidence(), d.Since())
	}
	for _, line := range []float64{5e-324, 1e-16, math.Nextafter(1, 0)} {
		d := newDrift(t, line)
		for range 1000 {
			d.Add(1)
		}
		if e := d.Evidence(); !(e >= 0 && e < 1000) {
			t.Errorf("line %v: evidence %v of hits alone", line, e)
		}
		for range 1000 {
			d.Add(0)
		}
		if e := d.Evidence(); math.IsNaN(e) || math.IsInf(e, 0) || e < 0 {
			t.Errorf("line %v: evidence %v", line, e)
		}
	}
}

// TestDriftLimit: a fall that lasts does not overflow, and what was reached falls
// again when the scores are high again.
func TestDriftLimit(t *testing.T) {
	t.Parallel()
	d := newDrift(t, 0.95)
	for range 100_000 {
		d.Add(0)
	}
	if e := d.Evidence(); !(e > 0.99e300 && e < 1.01e300) || d.Since() != 100_000 {
		t.Errorf("evidence %v since %d, want 1e300 since 100000", e, d.Since())
	}
	back := restored(t, d)
	if !reflect.DeepEqual(back, d) {
		t.Errorf("%+v, want %+v", back, d)
	}
	for range 1_000_000 {
		d.Add(1)
	}
	if e := d.Evidence(); e > 100 {
		t.Errorf("evidence %v after a million hits", e)
	}
}

func restored(t *testing.T, d stats.Drift) (back stats.Drift) {
	t.Helper()
	data, err := json.Marshal(d)
	if err == nil {
		err = json.Unmarshal(data, &back)
	}
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// TestDriftRestored: kept as JSON after every score or in memory throughout, the
// numbers are the same.
func TestDriftRestored(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	for _, line := range []float64{0, 0.3, 0.9} {
		kept, memory := newDrift(t, line), newDrift(t, line)
		for range 500 {
			x := math.Sqrt(rng.Float64())
			kept.Add(x)
			memory.Add(x)
			if kept = restored(t, kept); !reflect.DeepEqual(kept, memory) {
				t.Fatalf("%+v, want %+v", kept, memory)
			}
		}
	}
}

func TestDriftStateRefused(t *testing.T) {
	t.Parallel()
	var d stats.Drift
	for _, bad := range []string{
		`{"line":1}`, `{"line":-1}`, `{"line":0.9}`, `{"line":0,"bets":[{"stake":0.5,"run":1}]}`, `{"line":0.9,"bets":[{"stake":1,"run":1}]}`,
		`{"line":0.9,"bets":[{"stake":0,"run":1}]}`, `{"line":0.9,"bets":[{"stake":0.5,"run":0.5}]}`,
		`{"line":0.9,"bets":[{"stake":0.5,"run":1e301}]}`,
		`{"line":0.9,"bets":[{"stake":0.5,"run":1,"evidence":-1}]}`, `{"line":0.9,"bets":[{"stake":0.5,"run":1,"evidence":1e301}]}`,
		`{"line":0.9,"bets":[{"stake":0.5,"run":1,"since":-1}]}`, `{"line":"x"}`, `3`,
	} {
		if err := json.Unmarshal([]byte(bad), &d); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
	if !reflect.DeepEqual(d, stats.Drift{}) {
		t.Errorf("%+v after states that were refused", d)
	}
}

// FuzzWatchState: whatever a stored state says, it is refused, or goes on with finite
// numbers and is written as it was read.
func FuzzWatchState(f *testing.F) {
	f.Add([]byte(`{"line":0.9,"bets":[{"stake":0.5,"evidence":1e300,"run":1e300,"since":3}]}`))
	f.Add([]byte(`{"line":0,"bets":null}`))
	f.Add([]byte(`{"n":3,"sum":1.5,"squares":0.8125}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var d stats.Drift
		if json.Unmarshal(data, &d) == nil {
			if back := restored(t, d); back.Line != d.Line || len(back.Bets) != len(d.Bets) || back.Evidence() != d.Evidence() {
				t.Fatalf("%+v, want %+v", back, d)
			}
			d.Add(0)
			d.Add(1)
			if e := d.Evidence(); !(e >= 0 && e <= math.MaxFloat64) || d.Since() < 0 {
				t.Fatalf("evidence %v since %d of %s", e, d.Since(), data)
			}
		}
		var b stats.Bounds
		if json.Unmarshal(data, &b) == nil {
			b.Add(0)
			if ci, ok := b.Interval(0.05); ok && !(0 <= ci.Lo && ci.Lo <= ci.Hi && ci.Hi <= 1) {
				t.Fatalf("%+v of %s", ci, data)
			}
		}
	})
}
