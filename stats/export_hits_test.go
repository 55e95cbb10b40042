//go:build results

package stats

import (
	"cmp"
	"math"
	"slices"
)

// Tabled is what [Exactly] counts.
type Tabled struct{ Coverage, MidP, Exact, Unconditional float64 }

// Exactly is exactly, with the power of another test.
func Exactly(n int, p, q float64, rejected func(up, down int) bool) (r Tabled) {
	r.Coverage, r.MidP, r.Exact = exactly(n, p, q, hitTables{})
	tables(n, p, q, func(up, down int, w float64) {
		if rejected(up, down) {
			r.Unconditional += w
		}
	})
	return r
}

// Unconditional returns what the exact unconditional test of n pairs rejects at
// 0.05: the tables with the largest |up − down|/√(up + down) that together have at
// most that probability, whatever share of pairs changes. Source: Suissa and
// Shuster, Biometrics 47, 1991.
func Unconditional(n int) func(up, down int) bool {
	type table struct {
		up, down int
		z        float64
	}
	var all []table
	for up := 0; up <= n; up++ {
		for down := range up {
			if up+down <= n {
				all = append(all, table{up, down, float64(up-down) / math.Sqrt(float64(up+down))})
			}
		}
	}
	slices.SortFunc(all, func(a, b table) int { return cmp.Compare(b.z, a.z) })
	const grid = 100
	size := make([]float64, grid)
	bar := math.Inf(1)
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].z > all[from].z-1e-9 {
			to++
		}
		for k := range size {
			share := float64(k+1) / (2 * (grid + 1))
			for _, x := range all[from:to] {
				rest := n - x.up - x.down
				size[k] += 2 * math.Exp(logChoose(n, rest)+logChoose(x.up+x.down, x.up)+
					float64(x.up+x.down)*math.Log(share)+float64(rest)*math.Log(1-2*share))
			}
		}
		if slices.Max(size) > 0.05 {
			break
		}
		bar = all[from].z - 1e-9
		from = to
	}
	return func(up, down int) bool {
		return up != down && math.Abs(float64(up-down))/math.Sqrt(float64(up+down)) >= bar
	}
}

// HitsThatPass returns, for each share of flaky cases, how often a gate passes n hits that are
// fewer by exactly the margin, the most over the margins.
func HitsThatPass(n int, flaky, margins []float64) []float64 {
	most := make([]float64, len(flaky))
	for _, m := range margins {
		up, down := make([]float64, len(flaky)), make([]float64, len(flaky))
		for i, f := range flaky {
			up[i], down[i] = f/2, f/2+m
		}
		for i, share := range passShare(n, marginPasses(n, m), up, down) {
			most[i] = max(most[i], share)
		}
	}
	return most
}
