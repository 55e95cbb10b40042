package stats_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
)

func TestWilcoxonWorked(t *testing.T) {
	t.Parallel()
	var in struct{ D []float64 }
	var want struct {
		Wilcoxon struct {
			Plus float64 `json:"W+"`
			N    int
			P    float64 `json:"p_exact"`
		}
		Sign struct {
			Wins, N int
			P       float64
		}
	}
	requiretest.Worked(t, "wilcoxon_sign", &in, &want)
	got, ok := stats.Wilcoxon(in.D)
	if !ok || !got.Exact || got.N != want.Wilcoxon.N {
		t.Errorf("got %+v %v", got, ok)
	}
	near(t, "W+", got.Plus, want.Wilcoxon.Plus, 1e-9)
	near(t, "p", got.P, want.Wilcoxon.P, 1e-9)
	near(t, "sign p", stats.SignTest(want.Sign.Wins, want.Sign.N), want.Sign.P, 1e-9)
}

// Beyond 25 differences: scipy 1.17.1,
// wilcoxon(d, zero_method="wilcox", correction=True, method="asymptotic") on
// d = [((i*37)%23-9)/10 for i in range(40)], of which one is 0, gives the
// statistic 277 and p = 0.11612287173808503.
func TestWilcoxonNormal(t *testing.T) {
	t.Parallel()
	var d []float64
	for i := range 40 {
		d = append(d, float64((i*37)%23-9)/10)
	}
	got, ok := stats.Wilcoxon(d)
	if !ok || got.Exact || got.N != 39 || math.Min(got.Plus, got.Minus) != 277 {
		t.Errorf("got %+v %v", got, ok)
	}
	near(t, "p", got.P, 0.11612287173808503, 1e-9)
}

// The exact p counts the sign patterns: here by listing them.
func TestWilcoxonExactIsEnumeration(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SliceOfN(rapid.IntRange(-3, 3), 0, 9).Draw(t, "d")
		var x []float64
		var ranks []float64
		for _, v := range d {
			if v != 0 {
				x = append(x, float64(v))
			}
		}
		for _, v := range x {
			below, equal := 0.0, 0.0
			for _, w := range x {
				if math.Abs(w) < math.Abs(v) {
					below++
				} else if math.Abs(w) == math.Abs(v) {
					equal++
				}
			}
			ranks = append(ranks, below+(equal+1)/2)
		}
		n := float64(len(x))
		plus, hits := 0.0, 0
		for i, v := range x {
			if v > 0 {
				plus += ranks[i]
			}
		}
		far := math.Abs(plus - n*(n+1)/4)
		for mask := range 1 << len(x) {
			sum := 0.0
			for i := range x {
				if mask>>i&1 == 1 {
					sum += ranks[i]
				}
			}
			if math.Abs(sum-n*(n+1)/4) >= far-1e-9 {
				hits++
			}
		}
		in := make([]float64, len(d))
		for i, v := range d {
			in[i] = float64(v)
		}
		got, ok := stats.Wilcoxon(in)
		if want := float64(hits) / float64(int(1)<<len(x)); !ok || math.Abs(got.P-want) > 1e-12 {
			t.Fatalf("%v: got %+v, want p = %v", d, got, want)
		}
	})
}

// Differences that only rounding makes unequal share a rank, and 0.3−0.2−0.1 is
// no difference.
func TestWilcoxonRounding(t *testing.T) {
	t.Parallel()
	tenth := 0.3 - 0.2
	got, _ := stats.Wilcoxon([]float64{tenth, -0.1, 0.1, tenth - 0.1})
	if got.N != 3 || got.Plus != 4 || got.Minus != 2 {
		t.Errorf("got %+v, want three differences that share the rank 2", got)
	}
}
