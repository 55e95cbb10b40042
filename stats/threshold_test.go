package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
)

func truths(labels []int) []bool {
	out := make([]bool, len(labels))
	for i, l := range labels {
		out[i] = l == 1
	}
	return out
}

func TestAUROCWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		Scores []float64
		Labels []int
	}
	var want struct {
		AUROC    float64
		Balanced float64 `json:"balanced_accuracy@0.5"`
		Best     float64 `json:"best_threshold"`
		BestBal  float64 `json:"best_balanced_accuracy"`
	}
	requiretest.Worked(t, "auroc_threshold", &in, &want)
	labels := truths(in.Labels)
	a, _ := stats.AUROC(in.Scores, labels)
	near(t, "auroc", a, want.AUROC, 1e-9)
	b, _ := stats.Confuse(in.Scores, labels, 0.5).BalancedAccuracy()
	near(t, "balanced accuracy", b, want.Balanced, 1e-9)
	best, ok := stats.BestThreshold(in.Scores, labels)
	if !ok {
		t.Fatal("no threshold")
	}
	near(t, "threshold", best.Value, want.Best, 1e-9)
	near(t, "its balanced accuracy", best.BalancedAccuracy, want.BestBal, 1e-9)
}

// The slow versions: all pairs, and all candidates one by one.
func plainAUROC(scores []float64, labels []bool) float64 {
	won, pairs := 0.0, 0.0
	for i := range scores {
		for j := range scores {
			if labels[i] && !labels[j] {
				pairs++
				if scores[i] > scores[j] {
					won++
				} else if scores[i] == scores[j] {
					won += 0.5
				}
			}
		}
	}
	return won / pairs
}

func plainThreshold(scores []float64, labels []bool) (threshold, balanced float64) {
	u := slices.Clone(scores)
	slices.Sort(u)
	u = slices.Compact(u)
	candidates := []float64{u[0]}
	for i := 1; i < len(u); i++ {
		candidates = append(candidates, (u[i-1]+u[i])/2)
	}
	candidates = append(candidates, u[len(u)-1]+1e-12)
	balanced = -1
	for _, c := range candidates {
		b, _ := stats.Confuse(scores, labels, c).BalancedAccuracy()
		if b > balanced+1e-12 || b > balanced-1e-12 && math.Abs(c-0.5) < math.Abs(threshold-0.5) {
			threshold, balanced = c, b
		}
	}
	return threshold, balanced
}

func TestAUROCAndThresholdByDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "n")
		scores, labels := make([]float64, n), make([]bool, n)
		for i := range n {
			scores[i] = float64(rapid.IntRange(0, 12).Draw(t, "score")) / 12
			labels[i] = rapid.Bool().Draw(t, "label")
		}
		both := slices.Contains(labels, true) && slices.Contains(labels, false)
		a, okA := stats.AUROC(scores, labels)
		b, okB := stats.BestThreshold(scores, labels)
		if okA != both || okB != both {
			t.Fatalf("defined: %v and %v, want %v", okA, okB, both)
		}
		if !both {
			return
		}
		if want := plainAUROC(scores, labels); math.Abs(a-want) > 1e-12 {
			t.Fatalf("auroc %v, want %v", a, want)
		}
		threshold, balanced := plainThreshold(scores, labels)
		if math.Abs(b.Value-threshold) > 1e-9 || math.Abs(b.BalancedAccuracy-balanced) > 1e-9 {
			t.Fatalf("threshold %+v, want %v with %v", b, threshold, balanced)
		}
		own, _ := stats.Confuse(scores, labels, b.Value).BalancedAccuracy()
		if math.Abs(own-b.BalancedAccuracy) > 1e-12 {
			t.Fatalf("%v rules with %v, not %v", b.Value, own, b.BalancedAccuracy)
		}
	})
}

// Neighbouring floating-point numbers have none between them, and the sum of two
// large ones is infinite; a threshold splits them all the same.
func TestThresholdBetweenNeighbours(t *testing.T) {
	t.Parallel()
	for _, low := range []float64{0.1, 1, -3, math.MaxFloat64 / 2, 0} {
		high := math.Nextafter(low, math.Inf(1))
		b, ok := stats.BestThreshold([]float64{low, high}, []bool{false, true})
		if !ok || b.BalancedAccuracy != 1 || !(low < b.Value && b.Value <= high) {
			t.Errorf("%v: %+v %v", low, b, ok)
		}
	}
	if b, _ := stats.BestThreshold([]float64{0.02, 0.07, 0.93, 0.99}, []bool{false, false, true, true}); b.Above != 0.07 || b.UpTo != 0.93 {
		t.Errorf("%+v: every threshold from 0.07 to 0.93 rules alike", b)
	}
	b, ok := stats.BestThreshold([]float64{math.MaxFloat64, math.MaxFloat64 * 0.9}, []bool{true, false})
	if !ok || b.BalancedAccuracy != 1 || math.IsInf(b.Value, 0) {
		t.Errorf("large scores: %+v %v", b, ok)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		if b, ok := stats.BestThreshold([]float64{0, 1, bad}, []bool{false, true, true}); ok {
			t.Errorf("%v: got %+v", bad, b)
		}
	}
}

// Scores that know nothing of the labels look useful to the threshold that was
// chosen on them, and not to one that was chosen on others.
func TestCrossValidationIsHonest(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 12))
	flattered, honest := 0.0, 0.0
	const trials, n = 60, 60
	for trial := range trials {
		scores, labels, groups := make([]float64, n), make([]bool, n), make([]string, n)
		for i := range n {
			scores[i], labels[i], groups[i] = rng.Float64(), i%2 == 0, fmt.Sprint(i/2)
		}
		best, _ := stats.BestThreshold(scores, labels)
		flattered += best.BalancedAccuracy / trials
		c, ok := stats.CrossValidate(scores, labels, groups, 5, uint64(trial))
		if !ok || c.N() != n || c.Positives() != n/2 {
			t.Fatalf("got %+v %v, want every item ruled once", c, ok)
		}
		b, _ := c.BalancedAccuracy()
		honest += b / trials
	}
	if flattered < 0.57 || math.Abs(honest-0.5) > 0.03 {
		t.Errorf("resubstituted %.3f, cross-validated %.3f: want well above and about 0.5", flattered, honest)
	}
}

// Items of one question are never on both sides: were they, these scores, which
// name the question and nothing else, would rule perfectly.
func TestCrossValidationKeepsGroupsTogether(t *testing.T) {
	t.Parallel()
	var scores []float64
	var labels []bool
	var groups []string
	for g := range 40 {
		for range 5 {
			scores = append(scores, float64(g))
			labels = append(labels, g%2 == 0)
			groups = append(groups, fmt.Sprint("q", g))
		}
	}
	c, ok := stats.CrossValidate(scores, labels, groups, 5, 1)
	if !ok {
		t.Fatal("not defined")
	}
	// All five items of a question get the same ruling.
	if c.TP%5+c.FP%5+c.TN%5+c.FN%5 != 0 {
		t.Errorf("%+v: a question was split", c)
	}
	again, _ := stats.CrossValidate(scores, labels, groups, 5, 1)
	if again != c {
		t.Errorf("the same seed gave %+v and %+v", c, again)
	}
	if c, ok := stats.CrossValidate(scores[:15], labels[:15], groups[:15], 5, 1); ok {
		t.Errorf("three groups in five folds: %+v", c)
	}
}

func TestBrierWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		Prob  []float64
		Label []int
		Bins  int
	}
	var want struct {
		Brier float64
		ECE   float64 `json:"ece_2bins"`
	}
	requiretest.Worked(t, "brier_ece", &in, &want)
	b, _ := stats.Brier(in.Prob, truths(in.Label))
	near(t, "brier", b, want.Brier, 1e-9)
	e, _ := stats.ECE(in.Prob, truths(in.Label), in.Bins)
	near(t, "ece", e, want.ECE, 1e-9)
	for _, p := range [][]float64{nil, {0.5}, {0.5, 1.1}, {0.5, math.NaN()}} {
		if b, ok := stats.Brier(p, []bool{true, false}); ok {
			t.Errorf("%v: %v", p, b)
		}
		if b, ok := stats.ECE(p, []bool{true, false}, 10); ok {
			t.Errorf("%v: %v", p, b)
		}
	}
	// A probability of 1 belongs to the last bin.
	if e, ok := stats.ECE([]float64{1, 1}, []bool{true, true}, 10); !ok || e != 0 {
		t.Errorf("got %v %v, want 0", e, ok)
	}
}
