package summary

import (
	"math"

	"github.com/assay-eval/assay/stats"
)

const (
	// settlePower is the probability with which the cases of [Settles] show the difference.
	settlePower = 0.8
	// settleMost is how many times the cases of a comparison [Settles] asks for at most.
	settleMost = 100
)

// Settles returns about how many cases would show a difference as large as the observed one
// with a power of 80 %, if the true one is as large and the cases are like those that there
// are, also in their clusters; two significant digits, rounded up. ok is false if the
// difference is shown or 0, if it has no interval, and if it needs no more cases, as where an
// interval is not corrected as its p-value is, or more than a hundred times as many.
//
// With g the distance from the difference to the end of its interval on the side of 0, which
// is corrected for several tests, and se its standard error, the number is
// n·((g + z_power·se)/|difference|)²: both shrink with the root of the number of cases.
func Settles(d stats.Comparison) (cases int, ok bool) {
	mde, known := Detects(d)
	if !known || d.Diff == 0 || Shown(d) {
		return 0, false
	}
	gap := d.Diff - d.CI.Lo
	if d.Diff < 0 {
		gap = d.CI.Hi - d.Diff
	}
	alpha := 1 - d.Level
	unit := stats.MDE(1, 1, alpha, settlePower)
	margin := mde * (unit - stats.MDE(1, 1, alpha, 0.5)) / unit
	ratio := (gap + margin) / math.Abs(d.Diff)
	n := float64(d.N) * ratio * ratio
	if n <= float64(d.N) || !(n <= settleMost*float64(d.N)) {
		return 0, false
	}
	digit := math.Pow(10, max(0, math.Floor(math.Log10(n))-1))
	return int(math.Ceil(n/digit) * digit), true
}
