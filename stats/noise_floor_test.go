package stats_test

import (
	"math"
	"testing"

	"github.com/assay-eval/assay/stats"
)

func TestNoiseFloor(t *testing.T) {
	t.Parallel()
	// 1.959964·√2·0.1/√50 = 0.0391993.
	if got := stats.NoiseFloor(0.1, 50, 0.95); math.Abs(got-0.0391993) > 1e-7 {
		t.Errorf("got %v, want 0.0391993", got)
	}
	for _, bad := range []float64{
		stats.NoiseFloor(0.1, 0, 0.95),
		stats.NoiseFloor(-1, 5, 0.95),
		stats.NoiseFloor(math.NaN(), 5, 0.95),
		stats.NoiseFloor(0.1, 5, 1),
		stats.NoiseFloor(0, 5, 0.95),
	} {
		if bad != 0 {
			t.Errorf("got %v, want 0", bad)
		}
	}
}
