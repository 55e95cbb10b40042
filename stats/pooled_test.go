package stats_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/assay-eval/assay/stats"
)

var anyRate = stats.Interval{Lo: 0, Hi: math.MaxFloat64}

// speakers returns the errors and words of 20 utterances of each of n speakers, whose rates vary about 0.1.
func speakers(rng *rand.Rand, n int) (counts []stats.Count) {
	for k := range n {
		rate := 0.1 * math.Exp(0.5*rng.NormFloat64()-0.125)
		for range 20 {
			c := stats.Count{Den: float64(4 + rng.IntN(16)), Cluster: strconv.Itoa(k)}
			for range int(c.Den) {
				if rng.Float64() < rate {
					c.Num++
				}
			}
			counts = append(counts, c)
		}
	}
	return counts
}

// TestFewSpeakersCover: the interval of a rate pooled over few speakers holds that of all speakers about as often as its
// level says; two rates are no interval of it.
func TestFewSpeakersCover(t *testing.T) {
	t.Parallel()
	const draws = 400
	for _, n := range []int{2, 3, 6, 12, 20} {
		held := 0
		for i := range draws {
			ci := stats.PooledRatio(speakers(rand.New(rand.NewPCG(uint64(i), uint64(n))), n), anyRate, 0.95, 1)
			if ci != nil && ci.Lo >= 0 && ci.Contains(0.1) {
				held++
			}
		}
		if held < draws*91/100 {
			t.Errorf("%d speakers: %d of %d intervals hold the rate", n, held, draws)
		}
	}
}

// TestEqualRatesHaveNoInterval: equal rates do not say how far others may differ.
func TestEqualRatesHaveNoInterval(t *testing.T) {
	t.Parallel()
	for _, n := range []int{6, 40} {
		var counts []stats.Count
		for i := range n {
			counts = append(counts, stats.Count{Num: 1, Den: 8, Cluster: strconv.Itoa(i % 20)})
		}
		if ci := stats.PooledRatio(counts, anyRate, 0.95, 1); ci != nil {
			t.Errorf("%d equal rates: %v", n, *ci)
		}
	}
}

// TestSharesHaveTheIntervalOfHits: the share of lost facts, one a case, is 1 less the share of hits, and so is its interval.
func TestSharesHaveTheIntervalOfHits(t *testing.T) {
	t.Parallel()
	for _, lost := range []int{0, 10, 23} {
		for _, groups := range []int{4, 25, 40} {
			var counts []stats.Count
			var hits []stats.Sample
			for i := range 40 {
				c := stats.Count{Den: 1, Cluster: strconv.Itoa(i * groups / 40)}
				if groups == 40 {
					c.Cluster = ""
				}
				if i < lost {
					c.Num = 1
				}
				counts, hits = append(counts, c), append(hits, stats.Sample{Value: 1 - c.Num, Cluster: c.Cluster})
			}
			want, got := stats.Mean(hits, 0.95).CI, stats.PooledRatio(counts, stats.Interval{Lo: 0, Hi: 1}, 0.95, 1)
			if groups == 40 && lost > 0 {
				continue // resampled
			}
			if got == nil || math.Abs(got.Lo-1+want.Hi) > 1e-9 || math.Abs(got.Hi-1+want.Lo) > 1e-9 {
				t.Errorf("%d of 40 in %d groups: %v, hits have %v", lost, groups, got, want)
			}
		}
	}
}
