package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-eval/assay/stats"
)

func hits(values string, clusters ...string) []stats.Sample {
	var out []stats.Sample
	for i, v := range values {
		s := stats.Sample{Value: float64(v - '0')}
		if i < len(clusters) {
			s.Cluster = clusters[i]
		}
		out = append(out, s)
	}
	return out
}

// The interval of independent hits is the exact one, whatever their clusters are called: 9 of
// 10 is 0.5550…0.9975, none of 3 is 0…0.7076 (Clopper and Pearson, Biometrika 26, 1934).
func TestHits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		samples      []stats.Sample
		mean, lo, hi float64
	}{
		{hits("1111111110"), 0.9, 0.5550, 0.9975},
		{hits("1111111110", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"), 0.9, 0.5550, 0.9975},
		{hits("000"), 0, 0, 0.7076},
	} {
		e := stats.Hits(c.samples, 0.95)
		if math.Abs(e.Mean-c.mean) > 1e-9 || math.Abs(e.CI.Lo-c.lo) > 5e-5 || math.Abs(e.CI.Hi-c.hi) > 5e-5 {
			t.Errorf("%v: %.4f %.4f…%.4f, want %.4f %.4f…%.4f", c.samples, e.Mean, e.CI.Lo, e.CI.Hi, c.mean, c.lo, c.hi)
		}
	}
	shared := hits("1101111111010111", "a", "a", "b", "b", "c", "c", "d", "d", "e", "e", "f", "f", "g", "g", "h", "h")
	if got, mean := stats.Hits(shared, 0.95), stats.Mean(shared, 0.95); got.CI.Lo >= mean.CI.Lo || got.CI.Hi <= mean.CI.Hi {
		t.Errorf("of shared clusters: %v, want more than the interval of the mean, %v", *got.CI, *mean.CI)
	}
	if e := stats.Hits(nil, 0.95); e.N != 0 || e.CI != nil {
		t.Errorf("of nothing: %+v", e)
	}
}

// Shares of 0.9 and 0 of independent values: the middle is 0.45, and the ends are
// 0.45 − ½·√(0.3450²+0²) and 0.45 + ½·√(0.0975²+0.7076²) by hand.
func TestMiddle(t *testing.T) {
	t.Parallel()
	v, ci, ok := stats.Middle(hits("1111111110"), hits("000"), 0.95)
	if !ok || math.Abs(v-0.45) > 1e-9 || math.Abs(ci.Lo-0.2775) > 1e-4 || math.Abs(ci.Hi-0.8071) > 1e-4 {
		t.Errorf("%v %v, want 0.45 and 0.2775…0.8071", v, ci)
	}
	if _, _, ok := stats.Middle(hits("11"), nil, 0.95); ok {
		t.Error("a middle of one side")
	}
	if _, ci, ok := stats.Middle(hits("11", "a", "a"), hits("10"), 0.95); !ok || ci != nil {
		t.Errorf("one cluster: %v, want no interval", ci)
	}
	// Shares that fall and rise together by cluster have a wider interval, against each other
	// a narrower one.
	for _, n := range []int{2, 30} {
		var clusters, others []string
		for i := range 2 * n {
			clusters, others = append(clusters, strconv.Itoa(i/2)), append(others, strconv.Itoa(n+i/2))
		}
		same, other := hits(strings.Repeat("1100", n/2), clusters...), hits(strings.Repeat("0011", n/2), clusters...)
		_, alone, _ := stats.Middle(same, hits(strings.Repeat("1100", n/2), others...), 0.95)
		_, along, _ := stats.Middle(same, same, 0.95)
		_, against, _ := stats.Middle(same, other, 0.95)
		// Two clusters that go against each other show nothing of others.
		narrower := against.Half() < alone.Half()
		if along.Half() <= alone.Half() && n > 2 || narrower != (n == 30) {
			t.Errorf("%d clusters: half widths %.3f together, %.3f apart, %.3f against", n, along.Half(), alone.Half(), against.Half())
		}
	}
}

// The interval of the middle holds it in at least 94 of 100 draws of clustered hits.
func TestMiddleCovers(t *testing.T) {
	t.Parallel()
	const draws = 400
	held := 0
	for d := range draws {
		rng := rand.New(rand.NewPCG(uint64(d), 5))
		var a, b []stats.Sample
		for c := range 40 {
			shift := 0.1 * float64(2*rng.IntN(2)-1)
			for range 4 {
				v := 0.0
				rate, list := 0.85, &a
				if rng.IntN(2) == 0 {
					rate, list = 0.65, &b
				}
				if rng.Float64() < rate+shift {
					v = 1
				}
				*list = append(*list, stats.Sample{Value: v, Cluster: fmt.Sprint(c)})
			}
		}
		if _, ci, ok := stats.Middle(a, b, 0.95); ok && ci.Contains(0.75) {
			held++
		}
	}
	t.Logf("held in %d of %d", held, draws)
	if 100*held < 94*draws {
		t.Errorf("held in %d of %d draws, want 94 %%", held, draws)
	}
}
