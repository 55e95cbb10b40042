package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/require"
	"github.com/assay-eval/assay/stats"
)

func labelled(human, judged []float64) []stats.Labelled {
	out := make([]stats.Labelled, len(human))
	for i := range human {
		out[i] = stats.Labelled{Human: human[i], Judge: judged[i]}
	}
	return out
}

type ppiInput struct {
	Human      []float64
	Judged     []float64 `json:"judge_on_human"`
	Unlabelled []float64 `json:"judge_unlabelled"`
	Lambda     []float64
}

func TestPPIWorked(t *testing.T) {
	t.Parallel()
	var in ppiInput
	var want struct {
		Lambda, Estimate, SE, Classical float64
		CI                              [2]float64
		ClassicalSE                     float64 `json:"classical_se"`
		JudgeOnly                       float64 `json:"judge_only"`
		EffectiveN                      float64 `json:"effective_n"`
	}
	require.Worked(t, "ppi_pp", &in, &want)
	got, ok := stats.PPI(labelled(in.Human, in.Judged), samples(in.Unlabelled...), stats.PPIOptions{Normal: true})
	if !ok {
		t.Fatal("no estimate")
	}
	near(t, "lambda", got.Lambda, want.Lambda, 1e-9)
	near(t, "estimate", got.Mean, want.Estimate, 1e-9)
	near(t, "se", got.SE, want.SE, 1e-9)
	near(t, "lo", got.CI.Lo, want.CI[0], 1e-9)
	near(t, "hi", got.CI.Hi, want.CI[1], 1e-9)
	near(t, "classical", got.Human, want.Classical, 1e-9)
	near(t, "classical se", got.HumanSE, want.ClassicalSE, 1e-9)
	near(t, "judge", got.Judge, want.JudgeOnly, 1e-9)
	near(t, "effective n", *got.EffectiveN, want.EffectiveN, 1e-9)
	// Ten labels: Student's quantile with 9 degrees of freedom is 2.262157.
	student, _ := stats.PPI(labelled(in.Human, in.Judged), samples(in.Unlabelled...), stats.PPIOptions{})
	near(t, "half", student.CI.Half(), 2.262157*want.SE, 1e-6)
}

func TestPPIForcedWorked(t *testing.T) {
	t.Parallel()
	var in ppiInput
	var want struct{ Lambda1, Lambda0 float64 }
	require.Worked(t, "ppi_lambda_1_and_0", &in, &want)
	for i, w := range []float64{want.Lambda1, want.Lambda0} {
		got, ok := stats.PPI(labelled(in.Human, in.Judged), samples(in.Unlabelled...), stats.PPIOptions{Lambda: &in.Lambda[i]})
		if !ok || got.Lambda != in.Lambda[i] {
			t.Errorf("got %+v %v", got, ok)
		}
		near(t, "estimate", got.Mean, w, 1e-9)
	}
}

func TestPPIProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Float64Range(0, 1)
		human := rapid.SliceOfN(value, 2, 40).Draw(t, "human")
		judged := rapid.SliceOfN(value, len(human), len(human)).Draw(t, "judged")
		rest := rapid.SliceOfN(value, 2, 60).Draw(t, "rest")
		n, m := float64(len(human)), float64(len(rest))
		p, ok := stats.PPI(labelled(human, judged), samples(rest...), stats.PPIOptions{})
		if !ok || !(p.Lambda >= 0 && p.Lambda <= 1) || math.IsNaN(p.Mean+p.SE+p.CI.Lo+p.CI.Hi) {
			t.Fatalf("got %+v %v", p, ok)
		}
		zero := 0.0
		alone, _ := stats.PPI(labelled(human, judged), samples(rest...), stats.PPIOptions{Lambda: &zero})
		if math.Abs(alone.Mean-alone.Human) > 1e-12 || math.Abs(alone.SE-alone.HumanSE) > 1e-12 {
			t.Fatalf("weight 0: %+v is not the mean of the labels", alone)
		}
		share := m / (m + n)
		pooled, _ := stats.PPI(labelled(human, human), samples(rest...), stats.PPIOptions{Lambda: &share})
		sum := 0.0
		for _, v := range append(append([]float64(nil), human...), rest...) {
			sum += v
		}
		if math.Abs(pooled.Mean-sum/(n+m)) > 1e-12 {
			t.Fatalf("a judge that is a person: %v, want the mean of all %v", pooled.Mean, sum/(n+m))
		}
	})
}

// TestPPICoverage: the judge passes half of what people fail and fails a fifth
// of what they pass. Of 2,000 intervals at 95 % from 60 labels and 400 more
// scores about 95 % hold the truth; three binomial standard errors are 1.5 points,
// and the normal approximation of a proportion loses about as much.
func TestPPICoverage(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(31, 32))
	const truth, trials = 0.6, 2000
	draw := func() (human, judged float64) {
		if rng.Float64() < truth {
			human = 1
		}
		pass := 0.5
		if human == 1 {
			pass = 0.8
		}
		if rng.Float64() < pass {
			judged = 1
		}
		return human, judged
	}
	held, narrower, corrected := 0, 0, 0
	for range trials {
		var l []stats.Labelled
		var rest []stats.Sample
		var c stats.Confusion
		passed := 0.0
		for range 60 {
			h, j := draw()
			l = append(l, stats.Labelled{Human: h, Judge: j})
			c.Add(j == 1, h == 1)
		}
		for range 400 {
			_, j := draw()
			rest = append(rest, stats.Sample{Value: j})
			passed += j / 400
		}
		p, ok := stats.PPI(l, rest, stats.PPIOptions{})
		if !ok {
			t.Fatal("no estimate")
		}
		if p.CI.Contains(truth) {
			held++
		}
		if p.SE <= p.HumanSE {
			narrower++
		}
		if r, ok := stats.RoganGladen(passed, 400, c, 0.95); ok && r.CI.Contains(truth) {
			corrected++
		}
	}
	near(t, "coverage of PPI", float64(held)/trials, 0.95, 0.025)
	// The linearised variance of a ratio with 24 labels in its smaller class.
	near(t, "coverage of Rogan and Gladen", float64(corrected)/trials, 0.95, 0.04)
	if float64(narrower)/trials < 0.95 {
		t.Errorf("narrower than labels alone in %d of %d", narrower, trials)
	}
}

// Labels that come in clusters of equal ones are worth no more than one of each:
// four copies of every item leave estimate and error what they were.
func TestPPIClusters(t *testing.T) {
	t.Parallel()
	human, judged := []float64{1, 0, 1, 1, 0, 1}, []float64{1, 0, 1, 0, 0, 1}
	rest := []float64{1, 1, 0, 1, 0, 0, 1, 1}
	lambda := 0.5
	once, _ := stats.PPI(labelled(human, judged), samples(rest...), stats.PPIOptions{Lambda: &lambda})
	var l []stats.Labelled
	var r []stats.Sample
	for range 4 {
		for i := range human {
			l = append(l, stats.Labelled{Human: human[i], Judge: judged[i], Cluster: string(rune('a' + i))})
		}
		for i, v := range rest {
			r = append(r, stats.Sample{Value: v, Cluster: string(rune('a' + i))})
		}
	}
	four, ok := stats.PPI(l, r, stats.PPIOptions{Lambda: &lambda})
	if !ok {
		t.Fatal("no estimate")
	}
	near(t, "mean", four.Mean, once.Mean, 1e-12)
	near(t, "se", four.SE, once.SE, 1e-12)
	near(t, "half", four.CI.Half(), once.CI.Half(), 1e-9)
}

func TestPPIRefuses(t *testing.T) {
	t.Parallel()
	two, one := samples(0, 1), samples(1)
	for _, c := range []struct {
		l []stats.Labelled
		r []stats.Sample
	}{
		{labelled([]float64{1}, []float64{1}), two},
		{labelled([]float64{1, 0}, []float64{1, 1}), one},
		{labelled([]float64{1, math.NaN()}, []float64{1, 1}), two},
		{labelled([]float64{1, 0}, []float64{1, 1}), samples(0, math.Inf(1))},
		{[]stats.Labelled{{1, 1, "x"}, {0, 1, "x"}}, two},
	} {
		if p, ok := stats.PPI(c.l, c.r, stats.PPIOptions{}); ok {
			t.Errorf("%+v: %+v", c, p)
		}
	}
	// A judge that never varies has no weight.
	p, ok := stats.PPI(labelled([]float64{1, 0}, []float64{1, 1}), samples(1, 1), stats.PPIOptions{})
	if !ok || p.Lambda != 0 || p.Mean != 0.5 {
		t.Errorf("got %+v %v, want the mean of the labels", p, ok)
	}
}

func TestRoganGladenWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		Passed                   float64 `json:"judge_pass_rate"`
		N, M1, M0                int
		Sensitivity, Specificity float64
	}
	var want struct {
		Theta, SE float64
		CI        [2]float64
	}
	require.Worked(t, "rogan_gladen", &in, &want)
	tp, tn := int(math.Round(in.Sensitivity*float64(in.M1))), int(math.Round(in.Specificity*float64(in.M0)))
	got, ok := stats.RoganGladen(in.Passed, in.N, stats.Confusion{TP: tp, FN: in.M1 - tp, TN: tn, FP: in.M0 - tn}, 0.95)
	if !ok {
		t.Fatal("no estimate")
	}
	near(t, "theta", got.Value, want.Theta, 1e-9)
	near(t, "se", got.SE, want.SE, 1e-9)
	near(t, "lo", got.CI.Lo, want.CI[0], 1e-9)
	near(t, "hi", got.CI.Hi, want.CI[1], 1e-9)
	for _, c := range []stats.Confusion{{}, {TP: 5}, {TN: 5}, {TP: 5, FN: 5, TN: 5, FP: 5}, {FN: 5, TN: 5}} {
		if r, ok := stats.RoganGladen(0.5, 100, c, 0.95); ok {
			t.Errorf("%+v: %+v", c, r)
		}
	}
	if r, ok := stats.RoganGladen(0.05, 100, stats.Confusion{TP: 9, FN: 1, TN: 8, FP: 2}, 0.95); !ok || r.Value != 0 || r.CI.Lo != 0 {
		t.Errorf("got %+v %v: fewer pass than by the judge's errors alone: want 0", r, ok)
	}
}
