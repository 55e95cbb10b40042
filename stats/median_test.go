package stats_test

import (
	"math"
	"testing"

	"github.com/assay-eval/assay/stats"
)

// The ranks are those of tables of the sign test: 1 of 6, 2 of 10, 6 of 20, 40 of 100.
func TestMedianInterval(t *testing.T) {
	t.Parallel()
	for n, k := range map[int]int{0: 0, 1: 0, 5: 0, 6: 1, 10: 2, 20: 6, 100: 40} {
		sorted := make([]float64, n)
		for i := range sorted {
			sorted[i] = float64(i + 1)
		}
		got := stats.MedianInterval(sorted, 0.95)
		if k == 0 && got != nil || k > 0 && (got == nil || got.Lo != float64(k) || got.Hi != float64(n+1-k)) {
			t.Errorf("%d values: %v, want the value of rank %d", n, got, k)
		}
	}
}

// The example of Newcombe's method 10: 56/70 and 48/80 differ by 0.2, 0.0524 to 0.3339.
func TestApart(t *testing.T) {
	t.Parallel()
	old, now := stats.Wilson(48, 80, 0.95), stats.Wilson(56, 70, 0.95)
	got := stats.Apart(48./80, 56./70, old, now)
	if math.Abs(got.Lo-0.0524) > 5e-5 || math.Abs(got.Hi-0.3339) > 5e-5 {
		t.Errorf("%v", got)
	}
}
