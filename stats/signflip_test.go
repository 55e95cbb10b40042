package stats

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// oneByOne sums the clusters under the sign patterns that draw looks at, one sign
// at a time.
func oneByOne(groups []cluster, seed uint64) (sum, size []float64) {
	sum, size = make([]float64, draws), make([]float64, draws)
	for t := 0; t*tile < draws; t++ {
		rng := signs(seed, t)
		patterns := min(tile, draws-t*tile)
		for first := 0; first < len(groups); first += 64 {
			for i := range patterns {
				word := rng.Uint64()
				for j, g := range groups[first:min(first+64, len(groups))] {
					sign := -1.0
					if word>>j&1 == 1 {
						sign = 1
					}
					sum[t*tile+i] += sign * g.sum
					size[t*tile+i] += sign * g.n
				}
			}
		}
	}
	return sum, size
}

// TestDrawAddsUpSigns: looking up the sums of eight clusters gives what adding
// them up gives. The sizes are whole numbers and exact.
func TestDrawAddsUpSigns(t *testing.T) {
	t.Parallel()
	for _, n := range []int{21, 64, 65, 150} {
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		metrics := make([][]cluster, 2)
		for m := range metrics {
			metrics[m] = make([]cluster, n)
			for i := range metrics[m] {
				metrics[m][i] = cluster{rng.NormFloat64() * math.Pow(10, float64(m)), float64(1 + i%3)}
			}
		}
		got := draw(metrics, 7)
		for m, groups := range metrics {
			sum, size := oneByOne(groups, 7)
			for b := range sum {
				if math.Abs(got[m].sum[b]-sum[b]) > 1e-9*got[m].scale/math.Sqrt(float64(n)) || got[m].size[b] != size[b] {
					t.Fatalf("%d clusters, pattern %d: got %v and %v, want %v and %v", n, b, got[m].sum[b], got[m].size[b], sum[b], size[b])
				}
			}
		}
	}
}

// TestSignsAreFair: every cluster is flipped half the time, and any two of them
// together a quarter of it, within five standard errors: 50,000 ± 5·158 and
// 25,000 ± 5·137.
func TestSignsAreFair(t *testing.T) {
	t.Parallel()
	const n = 70
	var kept [n]int
	var both [n]int
	for tl := 0; tl*tile < draws; tl++ {
		rng := signs(3, tl)
		patterns := min(tile, draws-tl*tile)
		words := make([][2]uint64, patterns)
		for c := range 2 {
			for i := range words {
				words[i][c] = rng.Uint64()
			}
		}
		for _, w := range words {
			bit := func(j int) int { return int(w[j/64] >> (j % 64) & 1) }
			for j := range n {
				kept[j] += bit(j)
				both[j] += bit(j) & bit((j+1)%n)
			}
		}
	}
	for j := range n {
		if math.Abs(float64(kept[j])-50_000) > 5*158 || math.Abs(float64(both[j])-25_000) > 5*137 {
			t.Errorf("cluster %d is kept %d times, with the next %d times", j, kept[j], both[j])
		}
	}
}

// everyPattern calls visit with the sum of every sign pattern.
func everyPattern(values []float64, sum float64, visit func(float64)) {
	if len(values) == 0 {
		visit(sum)
		return
	}
	everyPattern(values[1:], sum+values[0], visit)
	everyPattern(values[1:], sum-values[0], visit)
}

// naive gives the two-sided p-value of the values and both one-sided ones, by
// recursion. Sums of eighths are exact, so it needs no leeway.
func naive(values []float64) (two, less, more float64) {
	total := 0.0
	for _, v := range values {
		total += v
	}
	n := 0.0
	everyPattern(values, 0, func(s float64) {
		n++
		if math.Abs(s) >= math.Abs(total) {
			two++
		}
		if s >= total {
			less++
		}
		if s <= total {
			more++
		}
	})
	return two / n, less / n, more / n
}

// clustered draws a few pairs above 1 whose differences are eighths, some of them
// together in clusters, with the sums and sizes of these.
func clustered(t *rapid.T) (pairs []Pair, sums, sizes []float64) {
	n := rapid.IntRange(1, 10).Draw(t, "clusters")
	value := rapid.SampledFrom([]float64{0, 0, 0, 1, 1, 2, 3, 8, -1, -2, -5})
	for i := range n {
		name, of := "", rapid.IntRange(1, 3).Draw(t, "size")
		if of > 1 {
			name = string(rune('a' + i))
		}
		sum := 0.0
		for range of {
			old, d := 3+value.Draw(t, "old")/8, value.Draw(t, "eighths")/8
			pairs = append(pairs, Pair{Old: old, New: old + d, Cluster: name})
			sum += d
		}
		sums, sizes = append(sums, sum), append(sizes, float64(of))
	}
	return pairs, sums, sizes
}

func shifted(sums, sizes []float64, shift float64) []float64 {
	out := make([]float64, len(sums))
	for i := range sums {
		out[i] = sums[i] - shift*sizes[i]
	}
	return out
}

// TestExactIsEnumeration: the p-value is that of trying every pattern, and the
// interval ends where that p-value, of shifted differences, falls below alpha.
func TestExactIsEnumeration(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pairs, sums, sizes := clustered(t)
		level := rapid.SampledFrom([]float64{0.5, 0.8, 0.9, 0.95}).Draw(t, "level")
		c := CompareAll([][]Pair{pairs}, level, 1)[0]
		if want, _, _ := naive(sums); c.P != want {
			t.Fatalf("p = %v, by enumeration %v", c.P, want)
		}
		p := func(shift float64) float64 {
			two, _, _ := naive(shifted(sums, sizes, shift))
			return two
		}
		if c.CI == nil {
			if c.Diff != 0 && len(sums) > 1 && (p(1e6) < 1-level || p(-1e6) < 1-level) {
				t.Fatal("no interval, though large shifts are rejected")
			}
			return
		}
		const step = 1e-6
		for _, end := range []struct{ in, out float64 }{{c.CI.Lo + step, c.CI.Lo - step}, {c.CI.Hi - step, c.CI.Hi + step}} {
			if c.CI.Half() > step && p(end.in) < 1-level || p(end.out) >= 1-level {
				t.Fatalf("interval %v of %v: p inside %v, outside %v", c.CI, c.Diff, p(end.in), p(end.out))
			}
		}
	})
}

// TestBoundsInvertOneSidedTest does the same for the one-sided test.
func TestBoundsInvertOneSidedTest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pairs, sums, sizes := clustered(t)
		margin := float64(rapid.IntRange(-4, 16).Draw(t, "margin in eighths")) / 8
		alpha := rapid.SampledFrom([]float64{0.05, 0.1, 0.3}).Draw(t, "alpha")
		r, ok := NonInferior(pairs, 0, margin, alpha, 1)
		// Equal differences have no bounds.
		if equal := subtract(pairs, 0).even(); ok != (len(sums) > 1 && !equal) {
			t.Fatalf("%d clusters: ok is %v", len(sums), ok)
		}
		if !ok {
			return
		}
		_, less, more := naive(shifted(sums, sizes, -margin))
		if r.P != less || r.Shown != (less < alpha) || r.Worse != (more < alpha) {
			t.Fatalf("got %+v, by enumeration p = %v and %v", r, less, more)
		}
		if r.TooFew != (math.Ldexp(1, -len(sums)) >= alpha) {
			t.Fatalf("%d clusters at %v: too few is %v", len(sums), alpha, r.TooFew)
		}
		if r.TooFew {
			return
		}
		const step = 1e-6
		_, out, _ := naive(shifted(sums, sizes, r.Lower-step))
		_, in, _ := naive(shifted(sums, sizes, r.Lower+step))
		if in < alpha || out >= alpha {
			t.Fatalf("lower bound %v: p above %v, below %v", r.Lower, in, out)
		}
		_, _, out = naive(shifted(sums, sizes, r.Upper+step))
		_, _, in = naive(shifted(sums, sizes, r.Upper-step))
		if in < alpha || out >= alpha {
			t.Fatalf("upper bound %v: p below %v, above %v", r.Upper, in, out)
		}
	})
}

// TestFillIsSymmetrical: the sum of the opposite pattern is the opposite sum, to
// the last bit, so that comparing A with B and B with A gives one p-value.
func TestFillIsSymmetrical(t *testing.T) {
	t.Parallel()
	terms := []float64{0.1, 0.7, -1e-9, 3e5, 1.0 / 3, -0.2, 1e-3, 0.9}
	table := make([]float64, 256)
	fill(table, terms)
	for b, got := range table {
		want := 0.0
		for i, v := range terms {
			want += v * float64(2*(b>>i&1)-1)
		}
		if got != -table[255-b] || math.Abs(got-want) > 1e-9 {
			t.Fatalf("pattern %08b: %v, want %v; the opposite has %v", b, got, want, table[255-b])
		}
	}
}

// TestNeededHits: the number of hits is the smallest whose share is not below
// alpha, for listed and drawn patterns.
func TestNeededHits(t *testing.T) {
	t.Parallel()
	for _, f := range []*flips{
		{sum: make([]float64, 1), exact: true}, {sum: make([]float64, 32), exact: true},
		{sum: make([]float64, 1024), exact: true}, {sum: make([]float64, draws)},
	} {
		for _, alpha := range []float64{1e-7, 0.01, 1 - 0.95, 0.05, 0.0625, 0.25, 0.5, 1} {
			h := f.needed(alpha)
			if f.share(h) < alpha || h > 0 && f.share(h-1) >= alpha {
				t.Errorf("%d patterns at %v: %d hits give %v", len(f.sum), alpha, h, f.share(h))
			}
		}
	}
}

func TestNth(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.SampledFrom([]float64{math.Inf(-1), -1, 0, 0.5, 2, 3, 4, math.Inf(1)}), 1, 60).Draw(t, "v")
		k := rapid.IntRange(0, len(v)-1).Draw(t, "k")
		sorted := slices.Clone(v)
		slices.Sort(sorted)
		if got := nth(v, k); got != sorted[k] {
			t.Fatalf("place %d holds %v, want %v", k, got, sorted[k])
		}
	})
}

// TestExactSignFlipIsMcNemar: on wins and losses of one size the sum of a
// pattern is as far out as the binomial count, so that the p-value is
// 2·Σ_{j ≤ min} C(b+c, j)/2^(b+c), at most 1.
func TestExactSignFlipIsMcNemar(t *testing.T) {
	t.Parallel()
	for b := range 9 {
		for c := range 8 {
			pairs := make([]Pair, b+c+7)
			for i := range b + c {
				// Not 1, which would be mid-p.
				if i < b {
					pairs[i].New = 2
				} else {
					pairs[i].Old = 2
				}
			}
			// 7 ties: beyond 13 others the interval is drawn, the test still exact.
			tail := 0
			for pattern := range 1 << (b + c) {
				if bits.OnesCount(uint(pattern)) <= min(b, c) {
					tail++
				}
			}
			want := min(1, 2*float64(tail)/math.Ldexp(1, b+c))
			if got := CompareAll([][]Pair{pairs}, 0.95, 1)[0]; got.P != want || math.Abs(got.SignP-want) > 1e-12 {
				t.Errorf("%d won, %d lost: p = %v, sign test %v, want %v", b, c, got.P, got.SignP, want)
			}
		}
	}
}

// TestAgree: an end that Monte-Carlo error or rounding has put on the wrong side
// of 0, or of the difference, is moved just there.
func TestAgree(t *testing.T) {
	t.Parallel()
	const least = math.SmallestNonzeroFloat64
	for _, c := range []struct {
		ci          Interval
		diff        float64
		significant bool
		want        Interval
	}{
		{Interval{0.1, 0.3}, 0.2, true, Interval{0.1, 0.3}},
		{Interval{-0.1, 0.3}, 0.2, false, Interval{-0.1, 0.3}},
		{Interval{-0.001, 0.3}, 0.2, true, Interval{least, 0.3}},
		{Interval{0, 0.3}, 0.2, true, Interval{least, 0.3}},
		{Interval{-0.3, 0.001}, -0.2, true, Interval{-0.3, -least}},
		{Interval{0.001, 0.3}, 0.2, false, Interval{0, 0.3}},
		{Interval{-0.3, -0.001}, -0.2, false, Interval{-0.3, 0}},
		{Interval{0.21, 0.3}, 0.2, true, Interval{0.2, 0.3}},
		{Interval{0.1, 0.19}, 0.2, true, Interval{0.1, 0.2}},
	} {
		got := c.ci
		if agree(&got, c.diff, c.significant); got != c.want {
			t.Errorf("%v about %v, significant %v: got %v, want %v", c.ci, c.diff, c.significant, got, c.want)
		}
	}
}

// TestBoundsAgree: the same for one-sided bounds and the margin.
func TestBoundsAgree(t *testing.T) {
	t.Parallel()
	up, down := math.Nextafter(-0.1, 1), math.Nextafter(-0.1, -1)
	for _, c := range []struct {
		b            Interval
		diff         float64
		shown, worse bool
		want         Interval
	}{
		{Interval{-0.05, 0.2}, 0, true, false, Interval{-0.05, 0.2}},
		{Interval{-0.11, 0.2}, 0, true, false, Interval{up, 0.2}},
		{Interval{-0.09, 0.2}, 0, false, false, Interval{-0.1, 0.2}},
		{Interval{-0.5, -0.11}, -0.3, false, false, Interval{-0.5, -0.1}},
		{Interval{-0.5, -0.09}, -0.3, false, true, Interval{-0.5, down}},
		{Interval{0.1, 0.2}, 0, true, false, Interval{0, 0.2}},
		{Interval{-0.2, -0.01}, 0, false, false, Interval{-0.2, 0}},
	} {
		r := NonInferiority{Diff: c.diff, Margin: 0.1, Shown: c.shown, Worse: c.worse}
		if r.bound(c.b); r.Lower != c.want.Lo || r.Upper != c.want.Hi {
			t.Errorf("%v about %v, shown %v, worse %v: got %v and %v, want %v", c.b, c.diff, c.shown, c.worse, r.Lower, r.Upper, c.want)
		}
	}
}
