package stats_test

import (
	"math"
	"testing"

	"github.com/assay-eval/assay/stats"
)

// The example of Newcombe's method 10: 56/70 and 48/80 differ by 0.2, 0.0524 to 0.3339.
func TestApart(t *testing.T) {
	t.Parallel()
	old, now := stats.Wilson(48, 80, 0.95), stats.Wilson(56, 70, 0.95)
	got := stats.Apart(48./80, 56./70, old, now)
	if math.Abs(got.Lo-0.0524) > 5e-5 || math.Abs(got.Hi-0.3339) > 5e-5 {
		t.Errorf("%v", got)
	}
}
