package stats_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/assay-eval/assay/internal/require"
	"github.com/assay-eval/assay/stats"
)

func TestOBrienFlemingWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		Alpha       float64
		Information []float64
	}
	var want []float64
	require.Worked(t, "obrien_fleming_spending", &in, &want)
	for i, at := range in.Information {
		near(t, "spent", stats.OBrienFlemingSpending(in.Alpha, at), want[i], 1e-9)
	}
	if v := stats.OBrienFlemingSpending(0.05, 0); v != 0 {
		t.Errorf("spent before the first case: %v", v)
	}
	if v := stats.OBrienFlemingSpending(0.05, 1.5); v != 0.05 {
		t.Errorf("spent after the end: %v", v)
	}
	looks, ok := stats.Looks(in.Alpha, in.Information)
	if !ok || len(looks) != 4 {
		t.Fatalf("got %+v %v", looks, ok)
	}
	// scipy 1.17.1: multivariate_normal(cov=√(tᵢ/tⱼ)).cdf over the box ±z, solved
	// for the z of each look (its own error is near 1e-4).
	for i, z := range []float64{3.919928, 2.773953, 2.298232, 2.042606} {
		near(t, "boundary", looks[i].Z, z, 5e-4)
		near(t, "spent", looks[i].Spent, want[i], 1e-9)
		near(t, "nominal level", looks[i].P, math.Erfc(looks[i].Z/math.Sqrt2), 1e-12)
	}
	three, _ := stats.Looks(0.1, []float64{1.0 / 3, 2.0 / 3, 1})
	for i, z := range []float64{2.848970, 2.031493, 1.732245} {
		near(t, "boundary", three[i].Z, z, 5e-4)
	}
	one, _ := stats.Looks(0.05, []float64{1})
	near(t, "one look", one[0].Z, 1.959964, 1e-6)
}

// Looks one after another cross their boundaries with the chance that was
// spent: of 200,000 random walks within three standard errors.
func TestLooksKeepTheLevel(t *testing.T) {
	t.Parallel()
	at := []float64{0.1, 0.3, 0.35, 0.6, 1}
	looks, ok := stats.Looks(0.1, at)
	if !ok {
		t.Fatal("no boundaries")
	}
	const walks = 200_000
	rng := rand.New(rand.NewPCG(9, 9))
	crossed := make([]int, len(at))
	for range walks {
		x, before := 0.0, 0.0
		for i, l := range looks {
			x += rng.NormFloat64() * math.Sqrt(l.Information-before)
			before = l.Information
			if math.Abs(x) >= l.Z*math.Sqrt(l.Information) {
				crossed[i]++
				break
			}
		}
	}
	total := 0
	for i, l := range looks {
		total += crossed[i]
		near(t, "crossed", float64(total)/walks, l.Spent, 3*math.Sqrt(l.Spent*(1-l.Spent)/walks)+1e-9)
	}
}

// Steps as small as allowed beside large ones, and as many looks as allowed.
func TestLooksOfManySteps(t *testing.T) {
	t.Parallel()
	var many []float64
	for i := range 100 {
		many = append(many, float64(i+1)/100)
	}
	for _, at := range [][]float64{{0.001, 0.002, 1}, {0.5, 0.501, 0.502, 1}, many} {
		looks, ok := stats.Looks(0.05, at)
		if !ok {
			t.Fatalf("%v: none", at)
		}
		for i, l := range looks {
			if !(l.Z > 0 && l.Z <= 40/math.Sqrt(l.Information) && l.P >= 0 && l.P <= 0.05+1e-9) {
				t.Errorf("%v: look %d is %+v", at, i, l)
			}
		}
		if last := looks[len(looks)-1]; last.Z < 1.9599 || last.Z > 2.3 {
			t.Errorf("%v: the last boundary is %v", at, last.Z)
		}
	}
}

func TestLooksRefuses(t *testing.T) {
	t.Parallel()
	for _, at := range [][]float64{nil, {0}, {0.5, 0.5}, {0.5, 0.4}, {0.5, 1.1}, {math.NaN()}, {0.5, 0.5001}, make([]float64, 200)} {
		if l, ok := stats.Looks(0.05, at); ok {
			t.Errorf("%v: %+v", at, l)
		}
	}
	for _, alpha := range []float64{0, 1, -1, math.NaN()} {
		if l, ok := stats.Looks(alpha, []float64{1}); ok {
			t.Errorf("alpha %v: %+v", alpha, l)
		}
		if v := stats.OBrienFlemingSpending(alpha, 0.5); v != 0 {
			t.Errorf("alpha %v: %v", alpha, v)
		}
	}
}

func TestConfidenceSequenceWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		SD, Alpha float64
		NStar     int `json:"n_star"`
	}
	var want struct {
		Rho   float64
		Half  map[string]float64 `json:"half_width"`
		Fixed map[string]float64 `json:"fixed_n_half_width"`
	}
	require.Worked(t, "confidence_sequence", &in, &want)
	rho, ok := stats.ConfidenceSequenceRho(in.NStar, in.Alpha)
	if !ok {
		t.Fatal("no rho")
	}
	near(t, "rho", rho, want.Rho, 1e-9)
	if len(want.Half) == 0 {
		t.Fatal("no widths")
	}
	for name, half := range want.Half {
		n, err := strconv.Atoi(name)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := stats.ConfidenceSequence(n, in.SD, in.Alpha, rho)
		if !ok {
			t.Fatalf("none at %d", n)
		}
		near(t, "half width", got, half, 1e-9)
		if got <= want.Fixed[name] {
			t.Errorf("%d: no wider than an interval for one look", n)
		}
	}
}

func TestConfidenceSequenceRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range [][4]float64{{29, 1, 0.05, 0.3}, {100, -1, 0.05, 0.3}, {100, math.NaN(), 0.05, 0.3}, {100, math.Inf(1), 0.05, 0.3}, {100, 1, 0, 0.3}, {100, 1, 1, 0.3}, {100, 1, 0.05, 0}} {
		if v, ok := stats.ConfidenceSequence(int(c[0]), c[1], c[2], c[3]); ok {
			t.Errorf("%v: %v", c, v)
		}
	}
	for _, alpha := range []float64{0, 1, 1 - 1e-12, math.NaN()} {
		if v, ok := stats.ConfidenceSequenceRho(100, alpha); ok {
			t.Errorf("alpha %v: %v", alpha, v)
		}
	}
	if v, ok := stats.ConfidenceSequenceRho(0, 0.05); ok {
		t.Errorf("no cases: %v", v)
	}
}
