package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/requiretest"
)

// several draws comparisons over some of the same few cases, all in clusters: of
// differences in eighths, of 0 and 1, and without any difference.
func several(t *rapid.T) [][]Pair {
	n, k := rapid.IntRange(1, 9).Draw(t, "cases"), rapid.IntRange(2, 4).Draw(t, "metrics")
	eighths := rapid.SampledFrom([]float64{0, 0, 1, 1, 2, 3, 8, -1, -2, -5})
	bit := rapid.SampledFrom([]float64{0, 1})
	group := make([]string, n)
	for i := range group {
		if rapid.Bool().Draw(t, "grouped") {
			group[i] = rapid.SampledFrom([]string{"a", "b"}).Draw(t, "group")
		}
	}
	out := make([][]Pair, k)
	for m := range out {
		kind := rapid.SampledFrom([]string{"graded", "graded", "binary", "equal"}).Draw(t, "kind")
		for i := range n {
			if rapid.IntRange(0, 6).Draw(t, "missing") == 0 {
				continue
			}
			p := Pair{Case: fmt.Sprint(i), Cluster: group[i]}
			switch kind {
			case "graded":
				p.Old = 3
				p.New = p.Old + eighths.Draw(t, "eighths")/8
			case "binary":
				p.Old, p.New = bit.Draw(t, "old"), bit.Draw(t, "new")
			}
			out[m] = append(out[m], p)
		}
	}
	return out
}

// byEnumeration is the step-down test by trying every sign of every cluster, one
// step after the other: each looks at all patterns anew.
func byEnumeration(metrics [][]Pair) []float64 {
	var units []string
	name := func(p Pair) string {
		if p.Cluster != "" {
			return p.Cluster
		}
		return "case " + p.Case
	}
	sums := make([]map[string]float64, len(metrics))
	binary := make([]bool, len(metrics))
	for m, pairs := range metrics {
		sums[m], binary[m] = map[string]float64{}, true
		for _, p := range pairs {
			sums[m][name(p)] += p.New - p.Old
			binary[m] = binary[m] && p.Old*(1-p.Old) == 0 && p.New*(1-p.New) == 0
			if !slices.Contains(units, name(p)) {
				units = append(units, name(p))
			}
		}
	}
	statistic := func(m, pattern int) float64 {
		sum, squares := 0.0, 0.0
		for u, unit := range units {
			s := sums[m][unit]
			squares += s * s
			if pattern>>u&1 == 1 {
				s = -s
			}
			sum += s
		}
		if squares == 0 {
			return 0
		}
		return math.Abs(sum) / math.Sqrt(squares)
	}
	out := make([]float64, len(metrics))
	left := make([]int, len(metrics))
	for i := range left {
		left[i] = i
	}
	least := 0.0
	for len(left) > 0 {
		seen, hits, mid := 0.0, 0.0, true
		for _, i := range left {
			seen = max(seen, statistic(i, 0))
		}
		equal := func(i int) bool { return statistic(i, 0) > seen-1e-9 }
		for _, i := range left {
			mid = mid && (binary[i] || !equal(i))
		}
		for pattern := range 1 << len(units) {
			largest := 0.0
			for _, i := range left {
				largest = max(largest, statistic(i, pattern))
			}
			switch {
			case largest > seen+1e-9 || seen == 0:
				hits++
			case largest > seen-1e-9 && mid:
				hits += 0.5
			case largest > seen-1e-9:
				hits++
			}
		}
		least = max(least, hits/math.Ldexp(1, len(units)))
		for _, i := range left {
			if equal(i) {
				out[i] = least
			}
		}
		left = slices.DeleteFunc(left, equal)
	}
	return out
}

// TestTogetherIsEnumeration: the corrected p-values are those of the steps taken one
// by one over all patterns.
func TestTogetherIsEnumeration(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		metrics := several(t)
		want, tested := byEnumeration(metrics), 0
		for _, pairs := range metrics {
			if len(pairs) > 0 {
				tested++
			}
		}
		all := CompareTogether(SignFlip, metrics, 0.95, 1)
		for i, c := range all {
			least := c.P
			for k := range all {
				if want[k] == want[i] && c.PAdjusted == all[k].PAdjusted {
					least = max(least, all[k].P)
				}
			}
			if tested > 1 && math.Abs(c.PAdjusted-max(want[i], least)) > 1e-12 {
				t.Fatalf("comparison %d of %v: corrected p = %v, by enumeration %v, p = %v", i, metrics, c.PAdjusted, want[i], c.P)
			}
		}
	})
}

// consistent reports what is wrong with the comparisons of a family.
func consistent(all []Comparison, level float64) error {
	for i, c := range all {
		shown := c.PAdjusted < 1-level
		switch {
		case c.PAdjusted < c.P || c.PAdjusted > 1:
			return fmt.Errorf("comparison %d: corrected p = %v, p = %v", i, c.PAdjusted, c.P)
		case shown && c.CI == nil && c.Test != SignedRank:
			return fmt.Errorf("comparison %d: shown, without an interval: %+v", i, c)
		case c.CI != nil && shown == c.CI.Contains(0):
			return fmt.Errorf("comparison %d: shown %v, %v", i, shown, *c.CI)
		case c.CI != nil && !c.CI.Contains(c.Diff):
			return fmt.Errorf("comparison %d: %v without the difference %v", i, *c.CI, c.Diff)
		}
	}
	return nil
}

// mixed draws comparisons of many cases, by listed or drawn patterns.
func mixed(t *rapid.T) [][]Pair {
	n := rapid.SampledFrom([]int{1, 2, 5, 6, 9, 12, 12, 12, 30}).Draw(t, "cases")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	out := make([][]Pair, rapid.IntRange(1, 6).Draw(t, "metrics"))
	common := make([]float64, n)
	for i := range common {
		common[i] = rng.NormFloat64()
	}
	groups := rng.IntN(3) == 0
	for m := range out {
		kind, effect, missing := rng.IntN(5), 0.4*float64(rng.IntN(4)), 0.3*float64(rng.IntN(2))
		for i := range n {
			if rng.Float64() < missing {
				continue
			}
			p := Pair{Case: fmt.Sprint(i)}
			if groups {
				p.Cluster = fmt.Sprint(i / 3)
			}
			d := common[i] + 0.5*rng.NormFloat64() + effect
			switch kind {
			case 0: // graded
				p.New = 10 + d
				p.Old = 10
			case 1: // hits
				p.Old, p.New = float64(rng.IntN(2)), 0
				if d > 0 {
					p.New = 1
				}
			case 2: // equal
				p.Old, p.New = 0.5, 0.5
			case 3: // ties
				p.Old, p.New = 0.5, 0.5+0.25*math.Round(min(max(d, -2), 2))
			case 4: // few differ, always up
				if i%4 == 0 {
					p.New = 1
				}
			}
			out[m] = append(out[m], p)
		}
	}
	return out
}

// TestTogetherAgrees: whatever is compared, by whatever test, a difference is shown
// exactly if its interval excludes 0.
func TestTogetherAgrees(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		metrics := mixed(t)
		level := rapid.SampledFrom([]float64{0.8, 0.95, 0.99}).Draw(t, "level")
		test := rapid.SampledFrom([]Test{SignFlip, SignFlip, SignFlip, StudentT, SignedRank, MidP}).Draw(t, "test")
		all := CompareTogether(test, metrics, level, 1)
		if err := consistent(all, level); err != nil {
			t.Fatalf("%v\n%v", err, metrics)
		}
		alone := CompareBy(test, metrics, level, 1)
		for i, c := range all {
			if c.N != alone[i].N || c.Diff != alone[i].Diff || math.Abs(c.P-alone[i].P) > 0.01 || c.Test != alone[i].Test {
				t.Fatalf("together %+v, alone %+v", c, alone[i])
			}
			if a := alone[i].CI; a != nil && c.CI != nil && c.PAdjusted >= 1-level && c.CI.Half() < 0.9*a.Half() && c.CI.Half() > 1e-6 {
				t.Fatalf("together %v, alone %v", *c.CI, *a)
			}
		}
		lists := [][][]Pair{metrics, metrics[:1]}
		explored := Explore(test, len(lists), func(i int) [][]Pair { return lists[i] }, 2, level, 1)
		if err := consistent(slices.Concat(explored...), level); err != nil {
			t.Fatalf("explored: %v\n%v", err, metrics)
		}
	})
}

// TestOneTogetherIsAlone: a single comparison, also beside one without pairs, needs
// no correction.
func TestOneTogetherIsAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pairs := mixed(t)[0]
		alone := CompareAll([][]Pair{pairs}, 0.95, 1)[0]
		for _, metrics := range [][][]Pair{{pairs}, {nil, pairs}} {
			got := CompareTogether(SignFlip, metrics, 0.95, 1)
			if c := got[len(got)-1]; fmt.Sprint(c.P, c.PAdjusted, ends2(c)) != fmt.Sprint(alone.P, alone.P, ends2(alone)) {
				t.Fatalf("got %+v, alone %+v", c, alone)
			}
		}
	})
}

func ends2(c Comparison) string {
	if c.CI == nil {
		return ""
	}
	return fmt.Sprint(*c.CI)
}

// correlated draws comparisons of normal differences with a correlation; the first
// has the given mean, in standard deviations.
func correlated(n, k int, rho float64, mean []float64, rng *rand.Rand) [][]Pair {
	out := make([][]Pair, k)
	for range n {
		common := rng.NormFloat64()
		for m := range out {
			d := math.Sqrt(rho)*common + math.Sqrt(1-rho)*rng.NormFloat64()
			if m < len(mean) {
				d += mean[m]
			}
			out[m] = append(out[m], Pair{New: d})
		}
	}
	return out
}

// TestEqualMetricsCostNothing: ten comparisons that are the same are corrected like
// one, and ten that have nothing to do with each other about like ten.
func TestEqualMetricsCostNothing(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 3))
	one := correlated(200, 1, 0, []float64{0.15}, rng)[0]
	same := make([][]Pair, 10)
	for i := range same {
		same[i] = one
	}
	alone := CompareAll(same[:1], 0.95, 1)[0]
	for _, c := range CompareTogether(SignFlip, same, 0.95, 1) {
		if c.P != alone.P || c.PAdjusted != alone.P || math.Abs(c.CI.Lo-alone.CI.Lo) > 1e-3 || math.Abs(c.CI.Hi-alone.CI.Hi) > 1e-3 {
			t.Fatalf("together %+v %v, alone %+v %v", c, *c.CI, alone, *alone.CI)
		}
	}
	apart := append([][]Pair{one}, correlated(200, 9, 0, nil, rng)...)
	c := CompareTogether(SignFlip, apart, 0.95, 1)[0]
	if least, most := 1-math.Pow(1-c.P, 10), 10*c.P; c.PAdjusted < 0.85*least || c.PAdjusted > 1.02*most {
		t.Fatalf("corrected %v, p = %v: want %v to %v", c.PAdjusted, c.P, least, most)
	}
	// A tenth of 5 % has the quantile 2.80 instead of 1.96.
	if wider := c.CI.Half() / alone.CI.Half(); wider < 1.35 || wider > 1.5 {
		t.Fatalf("the interval is %v times as wide as alone", wider)
	}
}

// TestStepDownMovesAnEnd: where the first step does not reject and a later one does,
// the interval ends at 0 and excludes it.
func TestStepDownMovesAnEnd(t *testing.T) {
	requiretest.Apart(t)
	t.Parallel()
	found := false
	for seed := range uint64(40) {
		metrics := correlated(18, 2, 0, []float64{1, 0.35}, rand.New(rand.NewPCG(seed, 4)))
		c := CompareTogether(SignFlip, metrics, 0.95, 1)[1]
		if shown := c.PAdjusted < 0.05; shown && c.CI.Lo == math.SmallestNonzeroFloat64 {
			found = true
		}
	}
	if !found {
		t.Error("no end was moved: the test is no step-down test")
	}
}

// TestTogetherKeepsItsLevel simulates what the results page tables at length: of
// families without a difference about 5 % call one significant.
func TestTogetherKeepsItsLevel(t *testing.T) {
	requiretest.Apart(t)
	t.Parallel()
	for _, rho := range []float64{0, 0.9} {
		wrong := 0
		const trials = 300
		for i := range uint64(trials) {
			// 12 cases are enumerated, which is quick.
			all := CompareTogether(SignFlip, correlated(12, 4, rho, nil, rand.New(rand.NewPCG(i, 5))), 0.95, 1)
			if slices.ContainsFunc(all, func(c Comparison) bool { return c.PAdjusted < 0.05 }) {
				wrong++
			}
		}
		// Three standard errors.
		if share := float64(wrong) / trials; share > 0.05+3*0.0126 || share < 0.05-3*0.0126 {
			t.Errorf("correlation %v: %v of families call a difference significant", rho, share)
		}
	}
}
