package stats_test

import (
	"math"
	"testing"

	"github.com/assay-eval/assay/internal/require"
	"github.com/assay-eval/assay/stats"
)

// The differences that n cases show need at most n cases, and those that are a little smaller need
// more.
func TestMDEWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		SD []float64
		N  []int
	}
	var want [][]float64
	require.Worked(t, "mde_table", &in, &want)
	for i, sd := range in.SD {
		for j, n := range in.N {
			// The case is rounded to four decimals.
			enough, _ := stats.SampleSize(sd, want[i][j]+5e-5, 0.05, 0.8)
			few, _ := stats.SampleSize(sd, want[i][j]-6e-5, 0.05, 0.8)
			if enough > n || few <= n {
				t.Errorf("sd %v: %d and %d cases show %v, want %d", sd, enough, few, want[i][j], n)
			}
		}
	}
}

func TestSampleSizeWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		SD    float64
		Delta []float64
	}
	var want struct {
		Two []int `json:"two_sided_superiority"`
		One []int `json:"one_sided_noninferiority"`
	}
	require.Worked(t, "n_needed", &in, &want)
	for i, delta := range in.Delta {
		two, ok := stats.SampleSize(in.SD, delta, 0.05, 0.8)
		one, okay := stats.SampleSize(in.SD, delta, 2*0.05, 0.8)
		if !ok || !okay || two != want.Two[i] || one != want.One[i] {
			t.Errorf("%v: %d and %d, want %d and %d", delta, two, one, want.Two[i], want.One[i])
		}
	}
}

func TestSampleSizeRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range [][4]float64{
		{0.25, 0, 0.05, 0.8}, {-1, 0.1, 0.05, 0.8}, {0.25, 0.1, 0, 0.8}, {0.25, 0.1, 1, 0.8}, {0.25, 0.1, 0.05, 1},
		{math.NaN(), 0.1, 0.05, 0.8}, {0.25, math.NaN(), 0.05, 0.8}, {math.Inf(1), 0.1, 0.05, 0.8}, {0.25, 1e-300, 0.05, 0.8}, {0.25, 0.1, math.NaN(), 0.8},
	} {
		if n, ok := stats.SampleSize(c[0], c[1], c[2], c[3]); ok {
			t.Errorf("%v: %d", c, n)
		}
	}
	if n, ok := stats.SampleSize(0, 0.1, 0.05, 0.8); !ok || n != 1 {
		t.Errorf("no spread: %d %v, want 1", n, ok)
	}
	// The direction of a difference needs no more cases.
	up, _ := stats.SampleSize(0.25, 0.05, 0.05, 0.8)
	if down, ok := stats.SampleSize(0.25, -0.05, 0.05, 0.8); !ok || down != up {
		t.Errorf("down %d, up %d", down, up)
	}
}
