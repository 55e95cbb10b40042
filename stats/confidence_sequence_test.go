package stats_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
)

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
	requiretest.Worked(t, "confidence_sequence", &in, &want)
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
	for _, c := range [][4]float64{
		{29, 1, 0.05, 0.3}, {100, -1, 0.05, 0.3}, {100, math.NaN(), 0.05, 0.3}, {100, math.Inf(1), 0.05, 0.3},
		{100, 1, 0, 0.3}, {100, 1, 1, 0.3}, {100, 1, 0.05, 0},
	} {
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
