package summary

import (
	"math"

	"github.com/assay-eval/assay/stats"
)

// settleMost is how many times the cases of a comparison [Settles] asks for at most.
const settleMost = 100

// Settles returns about how many cases would show a difference as large as the observed one
// with a power of 80 %, if the true one is as large and the cases are like those that there
// are, also in their clusters; two significant digits, rounded up. ok is false if the
// difference is shown or 0, if it has no interval, and if it needs no more cases, as where an
// interval is not corrected as its p-value is, or more than a hundred times as many.
func Settles(d stats.Comparison) (cases int, ok bool) {
	n := d.Settle
	if d.CI == nil || Shown(d) || n <= float64(d.N) || !(n <= settleMost*float64(d.N)) {
		return 0, false
	}
	digit := math.Pow(10, max(0, math.Floor(math.Log10(n))-1))
	return int(math.Ceil(n/digit) * digit), true
}
