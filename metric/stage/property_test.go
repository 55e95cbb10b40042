package stage_test

import (
	"math"
	"testing"

	"github.com/assay-eval/assay/metric/stage"
	"pgregory.net/rapid"
)

// The shares add up, a stage that changes nothing has none, and two that are
// alike have the same.
func TestShapleyIsFair(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		of := rapid.SliceOfN(rapid.Float64Range(0, 1), 1<<n, 1<<n).Draw(t, "values")
		idle := uint(rapid.IntRange(0, n-1).Draw(t, "idle"))
		value := func(set uint) float64 { return of[set&^(1<<idle)] }
		got, sum := stage.Shapley(n, value), 0.0
		for _, v := range got {
			sum += v
		}
		if math.Abs(sum-(value(1<<n-1)-value(0))) > 1e-9 || math.Abs(got[idle]) > 1e-9 {
			t.Fatalf("%d stages, idle %d: shares %v", n, idle, got)
		}
		counts := rapid.SliceOfN(rapid.Float64Range(0, 1), n+1, n+1).Draw(t, "by count")
		alike := stage.Shapley(n, func(set uint) float64 {
			k := 0
			for ; set > 0; set &= set - 1 {
				k++
			}
			return counts[k]
		})
		for _, v := range alike {
			if math.Abs(v-alike[0]) > 1e-9 {
				t.Fatalf("stages that are alike have the shares %v", alike)
			}
		}
	})
}
