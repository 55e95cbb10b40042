package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/stats"
)

// TestSignTest adds up Pascal's triangle; 5 of 5 is 2·(1/32).
func TestSignTest(t *testing.T) {
	t.Parallel()
	near(t, "5 of 5", stats.SignTest(5, 5), 0.0625, 1e-12)
	for n := range 25 {
		for x := 0; x <= n; x++ {
			tail, term := 0.0, math.Pow(0.5, float64(n))
			for j := 0; j <= min(x, n-x); j++ {
				if j > 0 {
					term *= float64(n-j+1) / float64(j)
				}
				tail += term
			}
			near(t, "p", stats.SignTest(x, n), min(1, 2*tail), 1e-12)
		}
	}
	if p := stats.SignTest(0, 5000); p != 0 && p > 1e-300 || math.IsNaN(p) {
		t.Errorf("0 of 5000: %v", p)
	}
}

func TestCorrelations(t *testing.T) {
	t.Parallel()
	// By hand: deviations −1 0 1 and −2 1 1 give 3/sqrt(2·6).
	r, _ := stats.Pearson([]float64{1, 2, 3}, []float64{1, 4, 4})
	near(t, "pearson", r, 3/math.Sqrt(12), 1e-12)
	// Ranks 1 2 3 and 1 2.5 2.5: deviations −1 0 1 and −1 .5 .5: 1.5/sqrt(2·1.5).
	r, _ = stats.Spearman([]float64{1, 2, 30}, []float64{1, 4, 4})
	near(t, "spearman", r, 1.5/math.Sqrt(3), 1e-12)
	third := 1. / 3
	for _, c := range [][2][]float64{
		{{1}, {1}},
		{{1, 2}, {1}},
		{{third, third, third}, {1, 2, 3}},
		{{1, math.NaN()}, {1, 2}},
		{{1, math.Inf(1)}, {1, 2}},
	} {
		if r, ok := stats.Pearson(c[0], c[1]); ok {
			t.Errorf("pearson of %v: %v", c, r)
		}
		if r, ok := stats.Spearman(c[0], c[1]); ok {
			t.Errorf("spearman of %v: %v", c, r)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(rapid.Float64Range(-5, 5), 2, 20).Draw(t, "a")
		up, down := make([]float64, len(a)), make([]float64, len(a))
		for i, v := range a {
			up[i], down[i] = math.Ldexp(v, 3), -v
		}
		x, ok := stats.Spearman(a, up)
		y, _ := stats.Spearman(a, down)
		if ok && (math.Abs(x-1) > 1e-9 || math.Abs(y+1) > 1e-9) {
			t.Fatalf("%v rising, %v falling: want 1 and -1", x, y)
		}
	})
}

// TestTOST by hand: differences −1 0 1 0 (in hundredths) have mean 0 and
// standard deviation sqrt(2/3), standard error sqrt(1/6) = 0.408248; with a margin
// of 2 t is 4.898979, and with 3 degrees of freedom the upper tail is
// 1/2 − (θ + sinθ·cosθ)/π, tanθ = t/√3.
func TestTOST(t *testing.T) {
	t.Parallel()
	e, ok := stats.TOST(samples(-0.01, 0, 0.01, 0), 0.02, 0.05)
	if !ok {
		t.Fatal("none")
	}
	theta := math.Atan(4.898979486 / math.Sqrt(3))
	near(t, "se", e.SE, 0.00408248, 1e-8)
	near(t, "p", e.P, 0.5-(theta+math.Sin(theta)*math.Cos(theta))/math.Pi, 1e-9)
	if !e.Equivalent || e.CI.Lo < -0.02 || e.CI.Hi > 0.02 {
		t.Errorf("got %+v, want an equivalence", e)
	}
	for _, c := range []struct {
		in   []stats.Sample
		want bool
	}{
		{samples(0, 0, 0), true},
		{samples(0.05, 0.05, 0.05), false},
		{samples(0.2, -0.3, 0.1), false},
	} {
		if e, ok := stats.TOST(c.in, 0.05, 0.05); !ok || e.Equivalent != c.want {
			t.Errorf("%v: %+v %v", c.in, e, ok)
		}
	}
	for _, in := range [][]stats.Sample{nil, samples(1), samples(0, math.NaN()), {{Value: 1, Cluster: "x"}, {Value: 2, Cluster: "x"}}} {
		if e, ok := stats.TOST(in, 0.05, 0.05); ok {
			t.Errorf("%v: %+v", in, e)
		}
	}
	// The interval lies within the margin exactly when the test says so.
	rapid.Check(t, func(t *rapid.T) {
		in := samples(rapid.SliceOfN(rapid.Float64Range(-0.2, 0.2), 2, 30).Draw(t, "d")...)
		e, ok := stats.TOST(in, 0.05, 0.05)
		if !ok || math.Abs(e.P-0.05) < 1e-9 {
			return
		}
		if within := e.CI.Lo > -0.05 && e.CI.Hi < 0.05; within != e.Equivalent {
			t.Fatalf("%+v", e)
		}
	})
}

// The bootstrap interval of a mean nears that of the normal approximation, and
// items that come in copies of one cluster are worth one.
func TestBootstrap(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(41, 42))
	const n = 300
	values, names := make([]float64, n), make([]string, n)
	mean := func(items []int) (float64, bool) {
		sum := 0.0
		for _, i := range items {
			sum += values[i%n]
		}
		return sum / float64(len(items)), true
	}
	sum, square := 0.0, 0.0
	for i := range values {
		values[i] = rng.NormFloat64()
		sum += values[i]
		square += values[i] * values[i]
	}
	half := 1.96 * math.Sqrt((square/n-sum*sum/n/n)/n)
	ci := stats.Bootstrap(names, 0.95, 1, mean)[0]
	near(t, "lo", ci.Lo, sum/n-half, 0.02)
	near(t, "hi", ci.Hi, sum/n+half, 0.02)
	again := stats.Bootstrap(names, 0.95, 1, mean)[0]
	if *again != *ci {
		t.Errorf("the same seed gave %v and %v", ci, again)
	}
	var copies []string
	for range 3 {
		for i := range n {
			copies = append(copies, string(rune(0x4e00+i)))
		}
	}
	same := stats.Bootstrap(copies, 0.95, 1, mean)[0]
	near(t, "lo of copies", same.Lo, ci.Lo, 1e-9)
	near(t, "hi of copies", same.Hi, ci.Hi, 1e-9)
	rare := func(items []int) (float64, bool) { return 1, items[0]%5 > 0 }
	never := func([]int) (float64, bool) { return math.NaN(), true }
	some := stats.Bootstrap(names, 0.95, 1, rare, never, mean)
	if some[0] != nil || some[1] != nil || some[2] == nil {
		t.Errorf("got %v: undefined in a fifth of the resamples, never a number, a mean", some)
	}
	if got := stats.Bootstrap([]string{"x", "x"}, 0.95, 1, mean); got[0] != nil {
		t.Errorf("an interval from one cluster: %v", got[0])
	}
}

func TestConfusion(t *testing.T) {
	t.Parallel()
	c := stats.Confuse([]float64{0.9, 0.5, 0.4, 0.1, 0.7}, []bool{true, true, true, false, false}, 0.5)
	if want := (stats.Confusion{TP: 2, FP: 1, TN: 1, FN: 1}); c != want {
		t.Fatalf("got %+v, want %+v", c, want)
	}
	for _, r := range []struct {
		of   func() (float64, bool)
		want float64
	}{{c.Accuracy, 3. / 5}, {c.Sensitivity, 2. / 3}, {c.Specificity, 1. / 2}, {c.BalancedAccuracy, 7. / 12}} {
		v, ok := r.of()
		if !ok {
			t.Error("undefined")
		}
		near(t, "rate", v, r.want, 1e-12)
	}
	if _, ok := (stats.Confusion{TP: 3}).BalancedAccuracy(); ok {
		t.Error("a balanced accuracy of one class")
	}
}
