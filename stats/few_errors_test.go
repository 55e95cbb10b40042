package stats_test

import (
	"math"
	"testing"

	"github.com/assay-eval/assay/stats"
)

// TestRatioOfFewErrors: of n utterances of ten words k have an error. The limits are 10 times the ends of Clopper and Pearson.
func TestRatioOfFewErrors(t *testing.T) {
	for _, c := range []struct {
		n, k  int
		exact float64
	}{{80, 1, 0.00677}, {80, 2, 0.00874}, {80, 3, 0.01057}, {80, 4, 0.01231}, {300, 1, 0.00184}, {3000, 1, 0.000186}} {
		errors, lacks := make([]stats.Count, c.n), make([]stats.Count, c.n)
		var tally stats.Tally
		for i := range errors {
			errors[i].Den, lacks[i].Den, lacks[i].Num = 10, 10, 10
			if i < c.k {
				errors[i].Num, lacks[i].Num = 1, 9
			}
			tally.Add(errors[i].Num, 10)
		}
		open, share := stats.Interval{Hi: math.MaxFloat64}, stats.Interval{Hi: 1}
		for i, hi := range []float64{
			stats.PooledRatio(errors, open, 0.95, 1).Hi, stats.PooledRatio(errors, share, 0.95, 1).Hi,
			1 - stats.PooledRatio(lacks, share, 0.95, 1).Lo, tally.Ratio(0.95, 1).Hi,
		} {
			if hi < c.exact*0.99 || hi > 1.6*c.exact {
				t.Errorf("%d of %d, %d: %v, want %v or somewhat more", c.k, c.n, i, hi, c.exact)
			}
		}
	}
}
