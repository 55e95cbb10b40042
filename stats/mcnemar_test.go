package stats_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
)

func TestMcNemarWorked(t *testing.T) {
	t.Parallel()
	var in struct{ B, C, N int }
	var want struct {
		P    float64 `json:"p_exact"`
		Mid  float64 `json:"p_mid"`
		Risk float64 `json:"risk_difference"`
		None float64
	}
	requiretest.Worked(t, "mcnemar", &in, &want)
	got, ok := stats.McNemar(in.B, in.C, in.N)
	if !ok {
		t.Fatal("no result")
	}
	near(t, "p", got.P, want.P, 1e-9)
	near(t, "mid-p", got.MidP, want.Mid, 1e-9)
	near(t, "risk difference", got.RiskDifference, want.Risk, 1e-9)
	none, ok := stats.McNemar(0, 0, in.N)
	if !ok || none.P != want.None || none.MidP != want.None || none.RiskDifference != 0 {
		t.Errorf("none differ: %+v %v", none, ok)
	}
	// statsmodels 0.15.0: mcnemar([[0, 40], [25, 0]], exact=True).
	got, _ = stats.McNemar(40, 25, 65)
	near(t, "p", got.P, 0.08168153394154003, 1e-12)
}

func TestMcNemarRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]int{{-1, 0, 5}, {0, -1, 5}, {3, 3, 5}, {0, 0, 0}, {math.MaxInt, math.MaxInt, 5}} {
		if got, ok := stats.McNemar(c[0], c[1], c[2]); ok {
			t.Errorf("%v: %+v", c, got)
		}
	}
}

// On differences −2, 0 and 2 the exact sign-flip test is McNemar's: both count
// the same coin tosses (metrics.md §8, 7). On scores of 0 and 1 it is the mid-p,
// also where coins are drawn.
func TestMcNemarIsSignFlip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b, c := rapid.IntRange(0, 8).Draw(t, "b"), rapid.IntRange(0, 8).Draw(t, "c")
		d := make([]float64, b+c+3)
		for i := range b {
			d[i] = 2
		}
		for i := range c {
			d[b+i] = -2
		}
		got, ok := stats.McNemar(b, c, len(d))
		if !ok || math.Abs(got.P-signFlip(d, 1)) > 1e-12 || math.Abs(got.P-stats.SignTest(b, b+c)) > 1e-12 {
			t.Fatalf("%d and %d: %+v, sign-flip %v, sign %v", b, c, got, signFlip(d, 1), stats.SignTest(b, b+c))
		}
		hits := make([]stats.Pair, b+c+30)
		for i := range b {
			hits[i].New = 1
		}
		for i := range c {
			hits[b+i].Old = 1
		}
		if mid := compare(hits, 0.95, 1); mid.P != got.MidP {
			t.Fatalf("%d and %d of 0 and 1: %+v, want p = %v", b, c, mid, got.MidP)
		}
		if got.MidP > got.P {
			t.Fatalf("mid-p above p: %+v", got)
		}
	})
}

// Without trials, or for counts that cannot be, all is possible.
func TestProportionsOfNothing(t *testing.T) {
	t.Parallel()
	all := stats.Interval{Lo: 0, Hi: 1}
	for _, got := range []stats.Interval{
		stats.Wilson(0, 0,
			0.95), stats.Wilson(3, 2, 0.95), stats.Wilson(math.NaN(), 2, 0.95), stats.Wilson(1, 2, 1), stats.Wilson(1, 2, math.NaN()),
		stats.ClopperPearson(0, 0, 0.95), stats.ClopperPearson(3, 2, 0.95), stats.ClopperPearson(-1, 2, 0.95), stats.ClopperPearson(1, 2, 0),
	} {
		if got != all {
			t.Errorf("got %v, want 0…1", got)
		}
	}
	for _, c := range [][2]int{{0, 0}, {-1, 5}, {6, 5}, {1, -3}} {
		if p := stats.SignTest(c[0], c[1]); p != 1 {
			t.Errorf("sign test of %d in %d: %v, want 1", c[0], c[1], p)
		}
	}
}
