package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/assay-eval/assay/stats"
)

// TestFurtherLabelsHalveTheInterval draws populations with a judge that is right to some
// degree: with as many labels more as FurtherLabels says, the interval is half as wide.
func TestFurtherLabelsHalveTheInterval(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 11))
	for _, right := range []float64{0.55, 0.75, 0.9} {
		const total, first, draws = 3000, 80, 60
		wanted, before, after := 0.0, 0.0, 0.0
		for range draws {
			human, judged := make([]float64, total), make([]float64, total)
			for i := range human {
				if r.Float64() < 0.7 {
					human[i] = 1
				}
				judged[i] = human[i]
				if r.Float64() > right {
					judged[i] = 1 - human[i]
				}
			}
			half := func(n int) (width float64, further int) {
				labels, rest := labelled(human[:n], judged[:n]), samples(judged[n:]...)
				p, ok := stats.PPI(labels, rest, stats.PPIOptions{})
				further, enough := stats.FurtherLabels(labels, rest, stats.PPIOptions{}, 0.5)
				if !ok || n == first && !enough {
					t.Fatalf("right %v, %d labels: %+v, further labels %t", right, n, p, enough)
				}
				return p.CI.Half(), further
			}
			width, further := half(first)
			narrow, _ := half(first + further)
			wanted, before, after = wanted+float64(further)/draws, before+width/draws, after+narrow/draws
		}
		if share := after / before; math.Abs(share-0.5) > 0.02 {
			t.Errorf("right %v: %.0f labels more leave %.3f of the interval, want half", right, wanted, share)
		}
	}
}

func TestFurtherLabelsThatDoNotHelp(t *testing.T) {
	t.Parallel()
	human, judged := []float64{1, 0, 1, 0, 1, 0, 1, 0, 1, 1}, []float64{1, 1, 0, 0, 1, 0, 0, 1, 1, 0}
	// Three more items cannot halve the interval of ten labels.
	if n, ok := stats.FurtherLabels(labelled(human, judged), samples(1, 0, 1), stats.PPIOptions{}, 0.5); ok {
		t.Errorf("%d labels of 3 would do", n)
	}
	if n, ok := stats.FurtherLabels(labelled(human, judged), samples(make([]float64, 100)...), stats.PPIOptions{}, 1); ok {
		t.Errorf("%d labels for the interval that there is", n)
	}
	// Labels that are all equal have an interval of no width.
	if n, ok := stats.FurtherLabels(labelled([]float64{1, 1, 1}, []float64{1, 1, 1}), samples(1, 1, 1), stats.PPIOptions{}, 0.5); ok {
		t.Errorf("%d labels narrow what has no width", n)
	}
}
