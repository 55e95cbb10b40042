package stats_test

import (
	"math"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
)

func TestPairedTWorked(t *testing.T) {
	t.Parallel()
	var in struct{ D []float64 }
	var want struct {
		Mean, SE, T, P, DZ float64
		CI                 [2]float64
	}
	requiretest.Worked(t, "paired_t", &in, &want)
	got, ok := stats.PairedT(samples(in.D...), 0.95)
	if !ok || got.T == nil || got.DZ == nil || got.Constant || got.N != 10 || got.Clusters != 10 {
		t.Fatalf("got %+v %v", got, ok)
	}
	near(t, "mean", got.Mean, want.Mean, 1e-9)
	near(t, "se", got.SE, want.SE, 1e-9)
	near(t, "t", *got.T, want.T, 1e-9)
	near(t, "p", got.P, want.P, 1e-9)
	near(t, "dz", *got.DZ, want.DZ, 1e-9)
	near(t, "lo", got.CI.Lo, want.CI[0], 1e-9)
	near(t, "hi", got.CI.Hi, want.CI[1], 1e-9)
}

// The half width in standard errors is the quantile.
func TestTQuantilesWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		P  float64
		DF []int
	}
	var want []float64
	requiretest.Worked(t, "t_quantiles", &in, &want)
	for i, df := range in.DF {
		d := make([]stats.Sample, df+1)
		d[0].Value = 1
		got, ok := stats.PairedT(d, 2*in.P-1)
		if !ok || got.DF != float64(df) {
			t.Fatalf("got %+v %v", got, ok)
		}
		near(t, "quantile", got.CI.Half()/got.SE, want[i], 1e-9*want[i])
	}
}

// scipy 1.17.1: ttest_rel([2,4,4,8,9], [1,2,3,4.5,7]) has p = 0.014305017879952977
// and at 90 % the interval 0.9230650731609772 … 2.876934926839022.
func TestPairedTAgainstSciPy(t *testing.T) {
	t.Parallel()
	got, _ := stats.PairedT(samples(1, 2, 1, 3.5, 2), 0.90)
	near(t, "p", got.P, 0.014305017879952977, 1e-12)
	near(t, "lo", got.CI.Lo, 0.9230650731609772, 1e-9)
	near(t, "hi", got.CI.Hi, 2.876934926839022, 1e-9)
}

func TestPairedTOfClusters(t *testing.T) {
	t.Parallel()
	var in struct {
		D       []float64
		Cluster []string
	}
	var want struct {
		SE   float64 `json:"se_corrected"`
		DF   float64
		CI   [2]float64 `json:"ci95"`
		Deff float64
	}
	requiretest.Worked(t, "cluster_se", &in, &want)
	d := samples(in.D...)
	for i, name := range in.Cluster {
		d[i].Cluster = name
	}
	got, ok := stats.PairedT(d, 0.95)
	if !ok || got.DF != want.DF || got.N != 10 {
		t.Fatalf("got %+v %v", got, ok)
	}
	near(t, "se", got.SE, want.SE, 1e-9)
	near(t, "lo", got.CI.Lo, want.CI[0], 1e-9)
	near(t, "hi", got.CI.Hi, want.CI[1], 1e-9)
	// metrics.md §4.2: ignoring the clusters turns p = 0.375 of the sign-flip
	// test into 0.043; the t test, too, then calls it significant.
	alone, _ := stats.PairedT(samples(in.D...), 0.95)
	if !(got.P > 0.1) || !(alone.P < 0.05) {
		t.Errorf("p = %v with clusters and %v without", got.P, alone.P)
	}
	// The design effect: how many times the clusters make the variance grow.
	near(t, "design effect", got.SE*got.SE/(alone.SE*alone.SE), want.Deff, 1e-9)
}

// Without spread there is no evidence, only a warning.
func TestPairedTWithoutSpread(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d []float64
		p float64
	}{
		{[]float64{0, 0, 0}, 1},
		{[]float64{0.25, 0.25}, 0},
		// Three times 0.1 is not 0.3, so that the deviations are 1e-17.
		{[]float64{0.1, 0.1, 0.1}, 0},
		{[]float64{0.3 - 0.2, 0.1, 0.4 - 0.3}, 0},
	} {
		got, ok := stats.PairedT(samples(c.d...), 0.95)
		if !ok || !got.Constant || got.P != c.p || got.T != nil || got.DZ != nil || got.CI.Half() != 0 || got.SE != 0 {
			t.Errorf("%v: got %+v %v, want a constant with p = %v", c.d, got, ok, c.p)
		}
	}
}

func TestPairedTRefuses(t *testing.T) {
	t.Parallel()
	one := []stats.Sample{{Value: 1, Cluster: "a"}, {Value: 2, Cluster: "a"}}
	for _, d := range [][]stats.Sample{nil, samples(1), one, samples(1, math.NaN()), samples(1, math.Inf(1)), samples(1e308, -1e308)} {
		if got, ok := stats.PairedT(d, 0.95); ok {
			t.Errorf("%v: got %+v", d, got)
		}
	}
	for _, level := range []float64{0, 1, -1, math.NaN()} {
		if got, ok := stats.PairedT(samples(1, 2), level); ok {
			t.Errorf("level %v: got %+v", level, got)
		}
	}
}
