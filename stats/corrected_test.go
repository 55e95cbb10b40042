package stats_test

import (
	stderrors "errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
)

// part appends n items of a stratum, labelled with the values in turn.
func part(items []stats.Judged, stratum, n int, judge float64, labels ...float64) []stats.Judged {
	for i := range n {
		it := stats.Judged{Judge: judge, Stratum: stratum}
		if i < len(labels) {
			it.Human = &labels[i]
		}
		items = append(items, it)
	}
	return items
}

// ones returns k ones and n−k zeros.
func ones(k, n int) []float64 {
	out := make([]float64, n)
	for i := range k {
		out[i] = 1
	}
	return out
}

// TestCorrectKnown is computed by hand: 60 items with 30 labels, of which 9 are 1, and 40 that are known to be 0, as
// those of a system that failed. The judge is constant, so that λ is 0.
//
//	θ = 0.6·0.3 = 0.18
//	s² = 30/29·0.21; v = 0.36·s²/30 = 0.0026069
//	between the parts (60·0.12² + 40·0.18²)/100² = 0.000216; SE = √0.0028229 = 0.053131
func TestCorrectKnown(t *testing.T) {
	failed := func(n int) (items []stats.Judged) {
		zero := 0.0
		for range n {
			items = append(items, stats.Judged{Human: &zero, Known: true, Stratum: 7})
		}
		return items
	}
	c, err := stats.Correct(append(failed(40), part(nil, 0, 60, 1, ones(9, 30)...)...), stats.CorrectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "mean", c.Mean, 0.18, 1e-12)
	near(t, "SE", c.SE, 0.053131, 1e-6)
	near(t, "df", c.DF, 29, 1e-9)
	near(t, "judge", c.Judge, 0.6, 1e-12)
	if c.N != 30 || c.Items != 100 || len(c.Strata) != 1 || c.Strata[0].Items != 60 || c.Strata[0].Labels != 30 {
		t.Errorf("%+v: want 30 labels of 60 items that are not known", c)
	}
	if more, ok := stats.MoreLabels(c, 0.01); ok {
		t.Errorf("%d more labels would do: there are 30", more)
	}
	// What is known is no label.
	var few *stats.TooFewLabels
	if _, err := stats.Correct(append(part(nil, 0, 60, 1, ones(9, 29)...), failed(40)...), stats.CorrectOptions{}); !stderrors.As(err, &few) ||
		few.N != 29 || few.More != 1 {
		t.Errorf("29 labels: %v", err)
	}
	if _, err := stats.Correct([]stats.Judged{{Known: true}}, stats.CorrectOptions{}); err == nil {
		t.Error("a known item without a value passes")
	}
}

// TestCorrectStrata is computed by hand: 60 items at 0, of 20 labels a quarter is 1; 40 items at 1, of 20 labels three
// quarters are 1. The judge is constant in each stratum, so that λ is 0.
//
//	θ = 0.6·0.25 + 0.4·0.75 = 0.45
//	s² = 20/19·0.1875 in both; v = 0.36·s²/20 = 0.0035526, 0.16·s²/20 = 0.0015789
//	between the strata (60·0.2² + 40·0.3²)/100² = 0.0006; SE = √0.0057316 = 0.075707
//	df = 19·(v0+v1)²/(v0²+v1²) = 33.103
func TestCorrectStrata(t *testing.T) {
	items := part(nil, 0, 60, 0, ones(5, 20)...)
	items = part(items, 1, 40, 1, ones(15, 20)...)
	c, err := stats.Correct(items, stats.CorrectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "mean", c.Mean, 0.45, 1e-12)
	near(t, "SE", c.SE, 0.0757072, 1e-7)
	near(t, "df", c.DF, 33.103, 1e-3)
	near(t, "λ", c.Lambda, 0, 0)
	near(t, "judge", c.Judge, 0.4, 1e-12)
	near(t, "half-width", (c.CI.Hi-c.CI.Lo)/2, stats.TQuantile(0.975, c.DF)*c.SE, 1e-12)
	for k, s := range c.Strata {
		if s.Items != 60-20*k || s.Labels != 20 {
			t.Errorf("stratum %d: %+v", k, s)
		}
		near(t, "SD", s.SD, math.Sqrt(0.1875*20/19), 1e-12)
	}
}

// TestCorrectAll: with labels of all, the judge does not matter, and the error is that of a mean: of ten 0 and ten 1
// 0.5·√(20/19)/√20.
func TestCorrectAll(t *testing.T) {
	items := part(nil, 0, 20, 0, ones(10, 20)...)
	for i := range items {
		items[i].Judge = float64(i % 3)
	}
	c, err := stats.Correct(items, stats.CorrectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "mean", c.Mean, 0.5, 1e-12)
	near(t, "SE", c.SE, 0.5/math.Sqrt(19), 1e-12)
	near(t, "df", c.DF, 19, 1e-9)
}

// TestCorrectLambda is computed by hand. In both strata half of the scores are 1, among all items and among the labelled
// ones. The labels that are 1:
//
//	stratum  items  labels  of judge 1  of judge 0  c = W²(1/n − 1/N)   cov             var of all
//	0        40     20      8 of 10     2 of 10     0.16·0.025 = 0.004  (8−5)/19        0.25·40/39
//	1        60     10      3 of 5      2 of 5      0.36/12 = 0.03      (3−2.5)/9       0.25·60/59
//
//	λ = (0.004·0.1578947 + 0.03·0.0555556)/(0.004·0.2564103 + 0.03·0.2542373) = 0.0022982456/0.0086527597 = 0.2656084
//
// With W²/n, as if there were no end of items, it would be 0.291.
func TestCorrectLambda(t *testing.T) {
	items := part(nil, 0, 20, 1, ones(8, 10)...)
	items = part(items, 0, 20, 0, ones(2, 10)...)
	items = part(items, 1, 30, 1, ones(3, 5)...)
	items = part(items, 1, 30, 0, ones(2, 5)...)
	c, err := stats.Correct(items, stats.CorrectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "λ", c.Lambda, 0.2656084, 1e-7)
	// A stratum whose items are all labelled has no say: λ = ((3−2.5)/9)/(0.25·60/59).
	items = part(part(nil, 0, 10, 1, ones(8, 10)...), 0, 10, 0, ones(2, 10)...)
	items = part(part(items, 1, 30, 1, ones(3, 5)...), 1, 30, 0, ones(2, 5)...)
	if c, err = stats.Correct(items, stats.CorrectOptions{}); err != nil {
		t.Fatal(err)
	}
	near(t, "λ", c.Lambda, 0.2185185, 1e-7)
}

// TestCorrectAlike: labels that are equal in each stratum leave nothing open if they are those of all items. Of 20 zeros
// and 20 ones the mean is 0.5, and its error √(40·0.25)/40. With an item left there is no telling how its label differs.
func TestCorrectAlike(t *testing.T) {
	of := func(first, second int) (stats.Corrected, error) {
		return stats.Correct(part(part(nil, 0, first, 0.3, ones(0, 20)...), 1, second, 0.6, ones(20, 20)...), stats.CorrectOptions{})
	}
	c, err := of(20, 20)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "mean", c.Mean, 0.5, 1e-12)
	near(t, "SE", c.SE, math.Sqrt(10)/40, 1e-12)
	for _, size := range [][2]int{{21, 20}, {20, 21}, {21, 21}} {
		c, err := of(size[0], size[1])
		var few *stats.TooFewLabels
		if !stderrors.As(err, &few) || *few != (stats.TooFewLabels{N: 40, Alike: true}) {
			t.Errorf("20 labels each of %v items: %+v, %#v", size, c, err)
		}
	}
}

// ppi is prediction-powered inference as its paper writes it, for independent items: the oracle of Correct.
func ppi(human, judged, rest []float64, lambda *float64) (weight, mean, se float64) {
	cov := func(a, b []float64) (sum float64) {
		for i := range a {
			sum += (a[i] - average(a)) * (b[i] - average(b)) / float64(len(a)-1)
		}
		return sum
	}
	n, m, all := float64(len(human)), float64(len(rest)), slices.Concat(judged, rest)
	weight = min(max(cov(human, judged)/((1+n/m)*cov(all, all)), 0), 1)
	if lambda != nil {
		weight = *lambda
	}
	left := make([]float64, len(human))
	for i := range left {
		left[i] = human[i] - weight*judged[i]
	}
	return weight, weight*average(rest) + average(left), math.Sqrt(weight*weight*cov(rest, rest)/m + cov(left, left)/n)
}

func average(values []float64) (mean float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	return mean
}

func TestPPIWorked(t *testing.T) {
	t.Parallel()
	type input struct {
		Human      []float64
		Judged     []float64 `json:"judge_on_human"`
		Unlabelled []float64 `json:"judge_unlabelled"`
		Lambda     []float64
	}
	var in, forced input
	var want struct{ Lambda, Estimate, SE float64 }
	requiretest.Worked(t, "ppi_pp", &in, &want)
	lambda, mean, se := ppi(in.Human, in.Judged, in.Unlabelled, nil)
	near(t, "lambda", lambda, want.Lambda, 1e-9)
	near(t, "estimate", mean, want.Estimate, 1e-9)
	near(t, "se", se, want.SE, 1e-9)
	var by struct{ Lambda1, Lambda0 float64 }
	requiretest.Worked(t, "ppi_lambda_1_and_0", &forced, &by)
	for i, w := range []float64{by.Lambda1, by.Lambda0} {
		_, mean, _ := ppi(forced.Human, forced.Judged, forced.Unlabelled, &forced.Lambda[i])
		near(t, "estimate", mean, w, 1e-9)
	}
}

// TestCorrectIsPPI: with one stratum it is PPI++, with λ·N/(n+N) in the place of λ.
func TestCorrectIsPPI(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var items []stats.Judged
	var human, judged, rest []float64
	for i := range 400 {
		y := r.NormFloat64()
		f := 0.7*y + 0.3 + 0.5*r.NormFloat64()
		it := stats.Judged{Judge: f}
		if i < 80 {
			it.Human = &y
			human, judged = append(human, y), append(judged, f)
		} else {
			rest = append(rest, f)
		}
		items = append(items, it)
	}
	for _, lambda := range []float64{0, 0.4, 1} {
		c, err := stats.Correct(items, stats.CorrectOptions{Lambda: &lambda})
		if err != nil {
			t.Fatal(err)
		}
		as := lambda * 320 / 400
		_, mean, se := ppi(human, judged, rest, &as)
		near(t, "mean", c.Mean, mean, 1e-12)
		// The two count the scores of the labelled items a little differently.
		near(t, "SE", c.SE/se, 1, 0.03)
	}
	c, _ := stats.Correct(items, stats.CorrectOptions{})
	lambda, _, _ := ppi(human, judged, rest, nil)
	near(t, "λ", c.Lambda*320/400, lambda, 1e-9)
	if c.SE >= (c.HumanCI.Hi-c.HumanCI.Lo)/2/1.99 {
		t.Errorf("SE %v is not below that of the labels alone, %v", c.SE, c.HumanCI)
	}
}

// TestCorrectClusters: every item twice, in a cluster, has the error of every item once.
func TestCorrectClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var once, twice []stats.Judged
	for i := range 200 {
		y := r.NormFloat64()
		it := stats.Judged{Judge: y + r.NormFloat64()}
		if i < 50 {
			it.Human = &y
		}
		once = append(once, it)
		it.Cluster = fmt.Sprint(i)
		twice = append(twice, it, it)
	}
	a, err := stats.Correct(once, stats.CorrectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := stats.Correct(twice, stats.CorrectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "mean", b.Mean, a.Mean, 0.02)
	near(t, "SE", b.SE/a.SE, 1, 0.03)
	near(t, "df", b.DF, a.DF, 1e-9)
}

func TestCorrectLacks(t *testing.T) {
	lacks := func(what string, items []stats.Judged, n, more int, alike bool) {
		t.Helper()
		_, err := stats.Correct(items, stats.CorrectOptions{})
		var few *stats.TooFewLabels
		if !stderrors.As(err, &few) || *few != (stats.TooFewLabels{N: n, More: more, Alike: alike}) {
			t.Errorf("%s: %#v", what, err)
		}
	}
	lacks("no labels", part(nil, 0, 100, 1), 0, 30, false)
	lacks("no items", nil, 0, 2, false)
	lacks("twelve", part(nil, 0, 100, 1, ones(5, 12)...), 12, 18, false)
	lacks("one in a stratum", part(part(nil, 0, 60, 1, ones(9, 40)...), 1, 60, 0, 1), 41, 1, false)
	lacks("none in a stratum", part(part(nil, 0, 60, 1, ones(9, 40)...), 1, 60, 0), 40, 2, false)
	lacks("equal labels", part(nil, 0, 100, 0, ones(40, 40)...), 40, 0, true)
	one := part(nil, 0, 100, 0, ones(9, 40)...)
	for i := range one {
		one[i].Cluster = "same"
	}
	lacks("one cluster", one, 40, 1, false)
	// A stratum of one item needs one label.
	if _, err := stats.Correct(part(part(nil, 0, 60, 1, ones(9, 40)...), 1, 1, 0, 1), stats.CorrectOptions{}); err != nil {
		t.Error(err)
	}
	for _, items := range [][]stats.Judged{
		part(nil, 0, 100, math.NaN(), ones(9, 40)...), part(nil, 0, 100, 1, append(ones(9, 40), math.Inf(1))...),
		part(nil, -1, 100, 1, ones(9, 40)...), part(nil, 0, 100, 1, append(ones(9, 40), 1e300)...),
	} {
		if _, err := stats.Correct(items, stats.CorrectOptions{}); err == nil {
			t.Error("no error")
		}
	}
	if _, err := stats.Correct(nil, stats.CorrectOptions{Level: 95}); err == nil {
		t.Error("level 95: no error")
	}
	two := 2.0
	if _, err := stats.Correct(nil, stats.CorrectOptions{Lambda: &two}); err == nil {
		t.Error("lambda 2: no error")
	}
}

func TestStrata(t *testing.T) {
	of := func(counts map[float64]int) (out []float64) {
		for v, n := range counts {
			for range n {
				out = append(out, v)
			}
		}
		slices.Sort(out)
		return out
	}
	for _, tt := range []struct {
		scores []float64
		want   []int // the size of each stratum
	}{
		{nil, nil},
		{of(map[float64]int{0: 5}), []int{5}},
		{of(map[float64]int{-1: 20, 0: 100, 1: 40}), []int{20, 100, 40}},
		// Nine are too few; the neighbour takes them.
		{of(map[float64]int{-1: 9, 0: 100, 1: 40}), []int{109, 40}},
		// 12 of 400 are below 5 %.
		{of(map[float64]int{-1: 40, 0: 348, 1: 12}), []int{40, 360}},
		{of(map[float64]int{0: 100, 0.1: 100, 0.2: 100, 0.3: 50, 0.4: 50}), []int{100, 100, 100, 100}},
		// Most are 0, so that quarters are not to be had.
		{of(map[float64]int{0: 300, 0.1: 30, 0.2: 30, 0.3: 20, 0.4: 20}), []int{300, 100}},
	} {
		var got []int
		for _, k := range stats.Strata(tt.scores) {
			for len(got) <= k {
				got = append(got, 0)
			}
			got[k]++
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("strata of %d: sizes %v, want %v", len(tt.scores), got, tt.want)
		}
	}
}

// TestStrataHold: the strata do not depend on the order, follow the scores and have no gaps.
func TestStrataHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.SampledFrom([]float64{-1, -0.5, 0, 0.25, 0.5, 1, 2}), 0, 200).Draw(t, "scores")
		strata := stats.Strata(scores)
		turned := slices.Clone(scores)
		slices.Reverse(turned)
		again := stats.Strata(turned)
		seen := map[int]bool{}
		for i := range scores {
			seen[strata[i]] = true
			if strata[i] != again[len(scores)-1-i] {
				t.Fatalf("the order matters")
			}
			for j := range scores {
				if scores[i] < scores[j] && strata[i] > strata[j] {
					t.Fatalf("%v is in stratum %d, %v in %d", scores[i], strata[i], scores[j], strata[j])
				}
			}
		}
		for k := range len(seen) {
			if !seen[k] {
				t.Fatalf("strata %v", strata)
			}
		}
	})
}

func TestAllocate(t *testing.T) {
	for _, tt := range []struct {
		strata []stats.Stratum
		n      int
		want   []int
	}{
		{nil, 5, nil},
		// Without labels, by the shares of the items, five in each first.
		{[]stats.Stratum{{Items: 300}, {Items: 100}}, 40, []int{30, 10}},
		{[]stats.Stratum{{Items: 990}, {Items: 10}}, 20, []int{15, 5}},
		// The stratum whose labels tell nothing new gets half of its share.
		{[]stats.Stratum{{Items: 500, Labels: 50, SD: 0}, {Items: 500, Labels: 50, SD: 1}}, 60, []int{0, 60}},
		{[]stats.Stratum{{Items: 500, Labels: 50, SD: 0}, {Items: 500, Labels: 50, SD: 1}}, 150, []int{13, 137}},
		// A stratum that is labelled takes none.
		{[]stats.Stratum{{Items: 20, Labels: 20, SD: 1}, {Items: 30, Labels: 20, SD: 0.1}}, 60, []int{0, 10}},
	} {
		if got := stats.Allocate(tt.strata, tt.n); !slices.Equal(got, tt.want) {
			t.Errorf("%+v, %d labels: %v, want %v", tt.strata, tt.n, got, tt.want)
		}
	}
}

// TestAllocateHolds: the labels are all given as far as there are items.
func TestAllocateHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var strata []stats.Stratum
		room := 0
		for range rapid.IntRange(1, 4).Draw(t, "strata") {
			s := stats.Stratum{Items: rapid.IntRange(1, 60).Draw(t, "items"), SD: rapid.Float64Range(0, 2).Draw(t, "sd")}
			s.Labels = rapid.IntRange(0, s.Items).Draw(t, "labels")
			room += s.Items - s.Labels
			strata = append(strata, s)
		}
		n := rapid.IntRange(0, 100).Draw(t, "n")
		sum := 0
		for k, add := range stats.Allocate(strata, n) {
			if add < 0 || strata[k].Labels+add > strata[k].Items {
				t.Fatalf("%+v: %d more", strata[k], add)
			}
			sum += add
		}
		if sum != min(n, room) {
			t.Fatalf("%d of %d labels given, room for %d", sum, n, room)
		}
	})
}

// TestMoreLabels: as many further labels as are said to halve an interval halve it, also where
// it is that of labels with a range, and where all labels are alike.
func TestMoreLabels(t *testing.T) {
	for name, of := range map[string]struct {
		bounded bool
		share   float64
	}{"open": {false, 0.7}, "bounded": {true, 0.7}, "near the end": {true, 0.95}, "alike": {true, 1}} {
		with := func(labels int) stats.Corrected {
			items := make([]stats.Judged, 4000)
			for i := range items {
				items[i].Judge = float64(i % 3 / 2)
				if i < labels {
					v := 0.0
					if math.Mod(float64(i)*of.share+0.52, 1) < of.share {
						v = 1
					}
					items[i].Human = &v
				}
			}
			o := stats.CorrectOptions{Lambda: new(float64)}
			if of.bounded {
				o.Range = &stats.Interval{Lo: 0, Hi: 1}
			}
			c, err := stats.Correct(items, o)
			if err != nil {
				t.Fatal(name, err)
			}
			return c
		}
		c := with(40)
		now := c.CI.Half()
		n, ok := stats.MoreLabels(c, 0.5)
		if !ok || stats.Narrowed(c, n) > now/2 || stats.Narrowed(c, n-1) <= now/2 || math.Abs(stats.Narrowed(c, 0)/now-1) > 0.05 {
			t.Errorf("%s: %d more labels, %v: ±%v, with one less ±%v, now ±%v", name, n, ok, stats.Narrowed(c, n), stats.Narrowed(c, n-1), now)
		}
		if half := with(40 + n).CI.Half(); math.Abs(half/(now/2)-1) > 0.25 {
			t.Errorf("%s: %d more labels: ±%v of ±%v", name, n, half, now)
		}
		if _, ok := stats.MoreLabels(c, 1.5); ok {
			t.Error("share 1.5")
		}
	}
}
