package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/assay-eval/assay/stats"
)

// TestSampledTotal holds the interval to tables of the hypergeometric distribution
// worked out by hand, and its coverage to the level by simulation.
func TestSampledTotal(t *testing.T) {
	t.Parallel()
	// 1 of 2 drawn from 4 is relevant. P(at least 1 | K=1) = 1/2, P(at most 1 |
	// K=3) = 1/2, P(at most 1 | K=4) = 0, P(at least 1 | K=0) = 0: 1 to 3.
	if v, i, ok := stats.SampledTotal(5, 1, 2, 4, 0.95); !ok || v != 5+2 || i != [2]float64{6, 8} {
		t.Errorf("got %v %v %v", v, i, ok)
	}
	// None of 10 drawn from 20: P(none | K) = C(20−K,10)/C(20,10) is 0.0433 for
	// K = 4 and 0.0163 for K = 5.
	if v, i, ok := stats.SampledTotal(0, 0, 10, 20, 0.95); !ok || v != 0 || i != [2]float64{0, 4} {
		t.Errorf("got %v %v %v", v, i, ok)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ rest, relevant, n int }{
		{200, 0, 40}, {200, 3, 40}, {200, 50, 40}, {200, 199, 40}, {30, 7, 10}, {1000, 12, 100},
	} {
		const draws = 2000
		covered, sum := 0, 0.0
		for range draws {
			x := 0
			for _, at := range rng.Perm(c.rest)[:c.n] {
				if at < c.relevant {
					x++
				}
			}
			v, i, _ := stats.SampledTotal(0, x, c.n, c.rest, 0.95)
			sum += v
			if i[0] <= float64(c.relevant) && float64(c.relevant) <= i[1] {
				covered++
			}
		}
		// Five standard errors of the simulation.
		p := float64(c.relevant) / float64(c.rest)
		se := float64(c.rest) * math.Sqrt(p*(1-p)/float64(c.n)*float64(c.rest-c.n)/float64(c.rest-1)/draws)
		if mean := sum / draws; math.Abs(mean-float64(c.relevant)) > 5*se+1e-9 {
			t.Errorf("%+v: the mean of the estimates is %v: it has a bias", c, mean)
		}
		if rate := float64(covered) / draws; rate < 0.95-5*math.Sqrt(0.95*0.05/draws) {
			t.Errorf("%+v: the interval holds the truth in %v of the draws: want 0.95 or more", c, rate)
		}
	}
}
