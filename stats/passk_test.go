package stats_test

import (
	"math"
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/stats"
)

// Both are averages over all choices of k of the n draws, of which the first c
// pass: here by listing the choices.
func TestPassIsAverageOverSubsets(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 6; n++ {
		for c := 0; c <= n; c++ {
			for k := 1; k <= n; k++ {
				passed := uint(1)<<c - 1
				some, all, choices := 0, 0, 0
				for choice := range uint(1) << n {
					if bits.OnesCount(choice) != k {
						continue
					}
					choices++
					if choice&passed != 0 {
						some++
					}
					if choice&^passed == 0 {
						all++
					}
				}
				at, ok := stats.PassAtK(n, c, k)
				hat, okay := stats.PassHatK(n, c, k)
				if !ok || !okay || math.Abs(at-float64(some)/float64(choices)) > 1e-12 || math.Abs(hat-float64(all)/float64(choices)) > 1e-12 {
					t.Errorf("n=%d c=%d k=%d: pass@k %v, pass^k %v; want %d and %d of %d", n, c, k, at, hat, some, all, choices)
				}
			}
		}
	}
}

func TestPassProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 2000).Draw(t, "n")
		c := rapid.IntRange(0, n).Draw(t, "c")
		k := rapid.IntRange(1, n).Draw(t, "k")
		one, _ := stats.PassAtK(n, c, 1)
		if math.Abs(one-float64(c)/float64(n)) > 1e-12 {
			t.Fatalf("pass@1 of %d in %d is %v", c, n, one)
		}
		at, ok := stats.PassAtK(n, c, k)
		hat, okay := stats.PassHatK(n, c, k)
		if !ok || !okay || !(at >= one-1e-12 && at <= 1 && hat <= one+1e-12 && hat >= 0) {
			t.Fatalf("n=%d c=%d k=%d: pass^k %v, pass@1 %v, pass@k %v: want them to ascend within 0…1", n, c, k, hat, one, at)
		}
		if k > n-c && at != 1 {
			t.Fatalf("fewer than k fail, and pass@k is %v", at)
		}
	})
}

func TestPassRefuses(t *testing.T) {
	t.Parallel()
	for _, v := range [][3]int{{0, 0, 1}, {3, 4, 1}, {3, -1, 1}, {3, 1, 0}, {3, 1, 4}, {-1, -1, -1}} {
		if p, ok := stats.PassAtK(v[0], v[1], v[2]); ok {
			t.Errorf("pass@k%v = %v", v, p)
		}
		if p, ok := stats.PassHatK(v[0], v[1], v[2]); ok {
			t.Errorf("pass^k%v = %v", v, p)
		}
	}
}
