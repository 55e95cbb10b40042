//go:build results

package stats

import "math"

// Misses reports whether the interval of [Bounds] leaves out m, without looking for
// its ends.
func (b *Bounds) Misses(m, alpha float64) bool {
	n, limit := float64(b.N), math.Log(2/alpha)
	return mixture(n, b.Sum, b.Squares, m) >= limit || mixture(n, n-b.Sum, b.Squares, 1-m) >= limit
}
