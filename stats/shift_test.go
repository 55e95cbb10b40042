package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
)

// series returns n values around levels, which hold for as many values each in turn.
func series(n int, rng *rand.Rand, sd float64, levels ...float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = levels[i*len(levels)/n] + sd*rng.NormFloat64()
	}
	return out
}

func TestShifts(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 7))
	flat := slices.Repeat([]float64{0.7}, 24)
	outlier := series(24, rng, 0.01, 0.7)
	outlier[15] = 0.2
	pair := slices.Clone(outlier)
	pair[16] = 0.2
	late := slices.Concat(series(21, rng, 0.01, 0.7), series(3, rng, 0.01, 0.5))
	rounded := slices.Repeat([]float64{0.7}, 12)
	for range 12 {
		rounded = append(rounded, 0.7+1e-15)
	}
	step := slices.Concat(slices.Repeat([]float64{0.71}, 10), slices.Repeat([]float64{0.78}, 14))
	drift := series(40, rng, 0.005, 0)
	for i := range drift {
		drift[i] += float64(i) / 400
	}
	for _, c := range []struct {
		name    string
		values  []float64
		at      []int
		gradual bool
	}{
		{"seven values, however far apart", []float64{0, 0, 0, 1, 1, 1, 1}, nil, false},
		{"eight of them", []float64{0, 0, 0, 0, 1, 1, 1, 1}, []int{4}, false},
		{"constant", flat, nil, false},
		{"equal but for rounding", rounded, nil, false},
		{"one outlier", outlier, nil, false},
		{"two outliers in turn", pair, nil, false},
		{"three at the end", late, []int{21}, false},
		{"a step without noise", step, []int{10}, false},
		{"two steps", series(36, rng, 0.01, 0.6, 0.7, 0.65), []int{12, 24}, false},
		{"a staircase", series(36, rng, 0.002, 0.6, 0.7, 0.8), []int{12, 24}, false},
		{"a drift", drift, []int{20}, true},
		{"not a number", append(slices.Clone(step), math.NaN()), nil, false},
	} {
		found := stats.Shifts(c.values, 0.95, 1)
		var at []int
		for _, f := range found {
			at = append(at, f.At)
			if f.Gradual != c.gradual || f.P <= 0 || f.P > 0.05 {
				t.Errorf("%s: %+v", c.name, f)
			}
			if f.CI != nil && !(f.CI.Contains(f.After-f.Before) && f.CI.Lo*f.CI.Hi > 0) {
				t.Errorf("%s: interval %v of a change of %g", c.name, *f.CI, f.After-f.Before)
			}
		}
		if !slices.Equal(at, c.at) {
			t.Errorf("%s: changes at %v, want %v", c.name, at, c.at)
		}
	}
	got := stats.Shifts(step, 0.95, 1)[0]
	if got.Before != 0.71 || got.After != 0.78 || got.From != 0 || got.To != 24 || got.CI == nil || math.Abs(got.CI.Lo-0.07) > 1e-9 {
		t.Errorf("%+v", got)
	}
	if again := stats.Shifts(late, 0.95, 9)[0]; again.At != 21 || again.CI == nil {
		t.Errorf("%+v", again)
	}
	if few := stats.Shifts(slices.Concat(slices.Repeat([]float64{0}, 3), slices.Repeat([]float64{1}, 3), slices.Repeat([]float64{3}, 30)), 0.95, 1); len(few) != 1 || few[0].At != 6 {
		t.Errorf("%+v", few)
	}
}

// TestShiftsRarelyRaiseAlarms: of stable series, at most as many have a change as the level
// says, whatever the distribution, with ties, and if the runs have unequal numbers of cases.
func TestShiftsRarelyRaiseAlarms(t *testing.T) {
	t.Parallel()
	series := 1000.0
	if requiretest.Race {
		series = 100
	}
	for name, draw := range map[string]func(*rand.Rand) float64{
		"normal":     (*rand.Rand).NormFloat64,
		"few values": func(r *rand.Rand) float64 { return float64(r.IntN(3)) },
		"outliers":   func(r *rand.Rand) float64 { return math.Tan(math.Pi * (r.Float64() - 0.5)) },
		"unequal n":  func(r *rand.Rand) float64 { return r.NormFloat64() / math.Sqrt(float64(1+r.IntN(9))) },
	} {
		for _, n := range []int{8, 24} {
			rng := rand.New(rand.NewPCG(11, uint64(n)))
			alarms := 0
			for k := range int(series) {
				values := make([]float64, n)
				for i := range values {
					values[i] = draw(rng)
				}
				if len(stats.Shifts(values, 0.95, uint64(k))) > 0 {
					alarms++
				}
			}
			// Three standard errors of a share of 5 %.
			if most := series*0.05 + 3*math.Sqrt(series*0.05*0.95); float64(alarms) > most {
				t.Errorf("%s, %d values: %d of %.0f series have a change, want at most %.0f", name, n, alarms, series, most)
			}
			t.Logf("%s, %d values: %.1f %% alarms", name, n, 100*float64(alarms)/series)
		}
	}
}

// TestShiftsFindSteps: a step of three standard deviations is found in nearly all series, at
// its place or beside it, and the interval holds it.
func TestShiftsFindSteps(t *testing.T) {
	t.Parallel()
	const series = 300
	for _, c := range []struct {
		n, at int
		power float64
		// near and held are the least shares of changes at their place, and of intervals.
		near, held float64
	}{{10, 5, 0.8, 0.95, 0.9}, {24, 12, 0.98, 0.9, 0.88}, {24, 20, 0.9, 0.68, 0.77}} {
		rng := rand.New(rand.NewPCG(13, uint64(c.n+c.at)))
		found, near, held := 0, 0, 0
		for k := range series {
			values := make([]float64, c.n)
			for i := range values {
				values[i] = rng.NormFloat64()
				if i >= c.at {
					values[i] += 3
				}
			}
			for _, f := range stats.Shifts(values, 0.95, uint64(k)) {
				found++
				if f.At >= c.at-1 && f.At <= c.at+1 && f.Before < f.After {
					near++
				}
				if f.CI == nil || f.CI.Contains(3) {
					held++
				}
			}
		}
		t.Logf("%d values, step at %d: found %.2f, near %.2f, interval holds it %.2f", c.n, c.at, float64(found)/series,
			float64(near)/float64(found), float64(held)/float64(found))
		if float64(found) < c.power*series || float64(near) < c.near*float64(found) || float64(held) < c.held*float64(found) {
			t.Errorf("%d values, step at %d: found %d times in %d, %d near, %d intervals hold it", c.n, c.at, found, series, near, held)
		}
	}
}

// TestWobble: a further value is in the band about as often as it says; steps that are known
// and outliers do not widen it, and a drift hardly does.
func TestWobble(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		n       int
		outlier bool
	}{"few": {8, false}, "many": {60, false}, "outlier": {40, true}} {
		rng := rand.New(rand.NewPCG(17, uint64(c.n)))
		in := 0
		const tries = 2000
		for range tries {
			values := series(c.n, rng, 1, 0)
			mean := 0.0
			for _, v := range values {
				mean += v / float64(c.n)
			}
			if c.outlier {
				values[c.n/2] = 50
			}
			w, ok := stats.SpreadOf(values, nil, 0.95)
			if !ok {
				t.Fatal("no band")
			}
			if math.Abs(rng.NormFloat64()-mean) <= w.Half {
				in++
			}
		}
		if share := float64(in) / tries; share < 0.92 || share > 0.985 {
			t.Errorf("%s: %.3f of further values are in the band, want about 0.95", name, share)
		}
	}
	rng := rand.New(rand.NewPCG(19, 1))
	step := series(40, rng, 1, 0, 3)
	w, ok := stats.SpreadOf(step, []stats.Shift{{At: 20}}, 0.95)
	if !ok || w.N != 38 || w.SD < 0.7 || w.SD > 1.3 {
		t.Errorf("beside a step: %+v", w)
	}
	if w, ok := stats.SpreadOf(slices.Repeat([]float64{1}, 6), nil, 0.95); !ok || w.SD != 0 || w.Half != 0 {
		t.Errorf("equal values: %+v, %t", w, ok)
	}
	if _, ok := stats.SpreadOf(make([]float64, 5), nil, 0.95); ok {
		t.Error("five values have a band")
	}
}

// TestStepsAreNotGradual: a sharp step is no drift, however few the values and however large the step is, and a drift
// is no step.
func TestStepsAreNotGradual(t *testing.T) {
	t.Parallel()
	const series = 200
	for _, n := range []int{9, 10, 12, 20} {
		for _, size := range []float64{3, 8} {
			rng := rand.New(rand.NewPCG(1, uint64(n)))
			var steps, called, drifts, seen float64
			for k := range series {
				step, drift := make([]float64, n), make([]float64, n)
				for i := range step {
					noise := rng.NormFloat64()
					step[i], drift[i] = noise, noise+2*size*float64(i)/float64(n)
					if i >= (n+1)/2 {
						step[i] -= size
					}
				}
				if s := stats.Shifts(step, 0.95, uint64(k)); len(s) > 0 {
					if steps++; s[0].Gradual {
						called++
					}
				}
				if s := stats.Shifts(drift, 0.95, uint64(k)); len(s) > 0 {
					if drifts++; s[0].Gradual {
						seen++
					}
				}
			}
			if called > 0.08*steps || seen < 0.75*drifts {
				t.Errorf("%d values, %v standard deviations: %v of %v steps and %v of %v drifts are gradual", n, size, called, steps, seen, drifts)
			}
		}
	}
}
