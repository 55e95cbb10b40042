package summary_test

import (
	"testing"

	"github.com/assay-eval/assay/summary"
)

// What a number of cases can detect must not look smaller than it is.
func TestRoundedUp(t *testing.T) {
	t.Parallel()
	// 50 cases of sd s detect (1.95996 + 0.84162)/√50 · s = 0.396205 s.
	for sd, want := range map[float64]string{0.1: "0.04", 0.25: "0.1", 0.3: "0.12", 0.5: "0.2", 0.51: "0.21", 1: "0.4", 0: "0"} {
		if got := summary.RoundedUp(0.396205 * sd); got != want {
			t.Errorf("sd %v: %s, want %s", sd, got, want)
		}
	}
}
