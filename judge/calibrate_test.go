package judge_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/stats"
)

func ptr[T any](v T) *T { return &v }

// rated makes n items with a label and a score.
func rated(n int, label, score float64) []judge.Rated {
	var out []judge.Rated
	for range n {
		out = append(out, judge.Rated{Labels: []*float64{ptr(label)}, Score: ptr(score)})
	}
	return out
}

func scored(n int, score float64) []judge.Rated {
	var out []judge.Rated
	for range n {
		out = append(out, judge.Rated{Score: ptr(score)})
	}
	return out
}

func items(lists ...[]judge.Rated) []judge.Rated {
	var out []judge.Rated
	for _, l := range lists {
		for _, r := range l {
			r.Case = fmt.Sprint("c", len(out))
			out = append(out, r)
		}
	}
	return out
}

func is(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > 1e-9 {
		t.Errorf("%s: %v, want %v", what, optional(got), want)
	}
}

// Equal resamples give no interval of no width, and a threshold off the scale is warned about.
func TestCalibrateWithoutErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in    []judge.Rated
		lo    float64
		warns bool
	}{
		{items(rated(30, 1, 1), rated(15, 0, 0)), 0.78, false},
		{items(rated(30, 1, 90), rated(15, 0, 20)), 0.78, true},
		{items(rated(20, 1, 0.8), rated(20, 0, 0.8), scored(300, 0.8)), -1, false},
	} {
		r, err := judge.Calibrate(c.in, judge.CalibrateOptions{Threshold: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		a, e := r.Binary.AUROC, r.Binary.ECE
		if (a.CI == nil) != (c.lo < 0) || a.CI != nil && (math.Abs(a.CI.Lo-c.lo) > 0.01 || a.CI.Hi != 1) || e.CI != nil && e.CI.Half() == 0 {
			t.Errorf("AUROC %+v within %+v, error within %+v", a, a.CI, e.CI)
		}
		warnings := strings.Join(r.Warnings, " ")
		if got := strings.Contains(warnings, "--threshold"); got != c.warns || strings.Contains(warnings, "do not look like") {
			t.Errorf("warnings %q", r.Warnings)
		}
	}
}

// With few items the bins of the calibration error are off by chance, so there is none.
func TestCalibrationErrorNeedsItems(t *testing.T) {
	t.Parallel()
	for n, shown := range map[int]bool{14: false, 15: true} {
		r, err := judge.Calibrate(items(rated(15, 1, 0.8), rated(n, 0, 0.2)), judge.CalibrateOptions{Threshold: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		if e := r.Binary.ECE; (e.Value != nil) != shown || (e.Why == "") != shown {
			t.Errorf("%d items: %+v", 15+n, e)
		}
	}
}

// TestCalibrateByHand: of 60 items labelled 1 the judge passes 54, of 40
// labelled 0 it passes 6. Agreement 88/100; chance (60·60 + 40·40)/100² = 0.52;
// kappa 0.36/0.48; AC1 with π = 0.6: pe = 2·0.6·0.4 = 0.48, (0.88−0.48)/0.52.
// Of 300 more items the judge passes 240, so 300 of 400 in all.
func TestCalibrateByHand(t *testing.T) {
	t.Parallel()
	in := items(rated(54, 1, 0.9), rated(6, 1, 0.2), rated(6, 0, 0.9), rated(34, 0, 0.2), scored(240, 0.9), scored(60, 0.2))
	r, err := judge.Calibrate(in, judge.CalibrateOptions{Threshold: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	b := r.Binary
	if c := b.Confusion; c.TP != 54 || c.FN != 6 || c.FP != 6 || c.TN != 34 || r.N != 100 || r.Unlabelled != 300 || r.Graded != nil {
		t.Errorf("got %+v of %d and %d more", c, r.N, r.Unlabelled)
	}
	is(t, "prevalence", &b.Prevalence, 0.6)
	is(t, "agreement", b.Judge.Agreement.Value, 0.88)
	is(t, "kappa", b.Judge.Kappa.Value, 0.75)
	is(t, "AC1", b.Judge.AC1.Value, 0.4/0.52)
	is(t, "balanced accuracy", b.BalancedAccuracy.Value, 0.875)
	// Two scores: the area is (1 + 0.9 − 0.15)/2.
	is(t, "AUROC", b.AUROC.Value, 0.875)
	is(t, "threshold", b.Best.Value, 0.55)
	is(t, "cross-validated", b.Best.CrossValidated, 0.875)
	// Squared distances: 54·0.01 + 6·0.64 + 6·0.81 + 34·0.04.
	is(t, "Brier", b.Brier.Value, 0.106)
	// Two bins: 60 at 0.9 with share 0.9, 40 at 0.2 with share 0.15.
	is(t, "ECE", b.ECE.Value, 0.02)
	is(t, "passed", r.Run.Passed.Value, 0.75)
	is(t, "labels", &r.Run.Labels.Mean, 0.6)
	// The labelled items pass less often than the others, so that people would
	// say 1 more often than of the labelled ones.
	if p := r.Run.PPI; p == nil || !(p.Mean > 0.7 && p.Mean < 0.8 && p.CI.Contains(0.75)) {
		t.Errorf("PPI++: %+v, want about 0.75", p)
	}
	for _, f := range []judge.Figure{b.Judge.Kappa, b.Judge.AC1, b.AUROC, b.BalancedAccuracy} {
		if f.CI == nil || !f.CI.Contains(*f.Value) || f.CI.Half() > 0.15 {
			t.Errorf("the interval of %v is %v", *f.Value, f.CI)
		}
	}
	if r.Validated || len(r.Lacks) != 1 || !strings.Contains(r.Lacks[0], "label2") {
		t.Errorf("validated %v, lacks %q: want only the labels of a second person", r.Validated, r.Lacks)
	}
	if warnings := strings.Join(r.Warnings, "\n"); !strings.Contains(warnings, "random sample of all") ||
		!strings.Contains(warnings, "do not look like a random sample") {
		t.Errorf("warnings %q", r.Warnings)
	}
}

func TestCalibrateRefusesWithFewLabels(t *testing.T) {
	t.Parallel()
	in := items(rated(15, 1, 0.9), rated(5, 0, 0.2), scored(100, 0.9))
	r, err := judge.Calibrate(in, judge.CalibrateOptions{Threshold: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	if r.Run.PPI != nil || len(r.Run.Why) != 1 || r.Run.Why[0] != "uncalibrated: 20 labelled items: 10 "+
		"more are needed to correct the judge" {
		t.Errorf("got %+v, want no correction below 30 labels", r.Run)
	}
	if r.Binary.Best.Value != nil || !strings.Contains(r.Binary.Best.Why, "15 labels of 1 and 5 of 0: at least 20 of each") {
		t.Errorf("got %+v, want no threshold", r.Binary.Best)
	}
	if len(r.Lacks) != 3 || r.Lacks[0] != "80 labelled items more (20 of 100)" || r.Lacks[1] != "25 items more of the rarer label (5 of 30)" {
		t.Errorf("lacks %q", r.Lacks)
	}
	// Thirty are enough to correct, twenty of each for a threshold.
	r, err = judge.Calibrate(items(rated(20, 1, 0.9), rated(20, 0, 0.2), scored(100, 0.9)), judge.CalibrateOptions{Threshold: 0.5})
	if err != nil || r.Run.PPI == nil || r.Binary.Best.CrossValidated == nil {
		t.Errorf("got %+v, %v, want corrections and a threshold", r, err)
	}
}

func TestCalibrateCountsWhatIsMissing(t *testing.T) {
	t.Parallel()
	lost := []judge.Rated{
		{Labels: []*float64{ptr(1.0)}, Failed: true},
		{Labels: []*float64{ptr(0.0)}},
		{Labels: []*float64{nil}, Score: ptr(0.3)},
		{},
	}
	r, err := judge.Calibrate(items(rated(3, 1, 0.9), lost), judge.CalibrateOptions{Threshold: 0.5})
	if err != nil || r.N != 3 || r.Unscored != 2 || r.JudgeErrors != 1 || r.Unlabelled != 1 || r.Run.Labels.N != 3 {
		t.Errorf("got %+v, %v", r, err)
	}
	if len(r.Warnings) == 0 || !strings.Contains(r.Warnings[0], "2 labels have no score (1 judge errors)") {
		t.Errorf("warnings %q", r.Warnings)
	}
	// All labels are equal: nothing that needs both is defined.
	for name, f := range map[string]judge.Figure{"AUROC": r.Binary.AUROC, "balanced": r.Binary.BalancedAccuracy,
		"kappa": r.Binary.Judge.Kappa} {
		if f.Value != nil || f.CI != nil || f.Why == "" {
			t.Errorf("%s: %+v, want undefined with the reason", name, f)
		}
	}
	if _, err := judge.Calibrate(lost, judge.CalibrateOptions{}); err == nil ||
		!strings.Contains(err.Error(), "no item has both a label and a score: 2 labels without a score, 1 scores without a label") {
		t.Errorf("got %v", err)
	}
	for _, o := range []judge.CalibrateOptions{{Level: 1.5}, {Threshold: math.NaN()}, {Scale: &[2]int{3, 3}}} {
		if _, err := judge.Calibrate(items(rated(3, 1, 0.9)), o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

// people makes items with two annotators, who differ on one in every, and a
// judge who differs from the first on one in each.
func people(n, every, each int) []judge.Rated {
	var out []judge.Rated
	for i := range n {
		first := float64(i % 2)
		second, score := first, first
		if i/2%every == 0 {
			second = 1 - first
		}
		if i/2%each == 1 {
			score = 1 - first
		}
		out = append(out, judge.Rated{Case: fmt.Sprint(i), Labels: []*float64{&first, &second}, Score: &score})
	}
	return out
}

// TestCalibrateCountsDrawsOnce: three labelled draws of each of 40 cases are 40 cases, each a cluster, and 60 more are needed.
func TestCalibrateCountsDrawsOnce(t *testing.T) {
	t.Parallel()
	alone, drawn := people(120, 20, 4), people(120, 20, 4)
	for i := range drawn {
		drawn[i].Base = fmt.Sprint(i / 3)
	}
	for _, tt := range []struct {
		items []judge.Rated
		n     int
		lacks bool
	}{{alone, 120, false}, {drawn, 40, true}} {
		r, err := judge.Calibrate(tt.items, judge.CalibrateOptions{Threshold: 0.5})
		if err != nil || r.N != tt.n || r.Run.Labels.CI == nil || slices.Contains(r.Lacks, "60 labelled items more (40 of 100)") != tt.lacks {
			t.Errorf("%d cases: %+v, %v", tt.n, r, err)
		}
	}
	for i := range alone {
		alone[i].Cluster = fmt.Sprint(i / 3)
	}
	a, _ := judge.Calibrate(alone, judge.CalibrateOptions{Threshold: 0.5})
	d, _ := judge.Calibrate(drawn, judge.CalibrateOptions{Threshold: 0.5})
	if *a.Run.Labels.CI != *d.Run.Labels.CI {
		t.Errorf("draws have the interval %v, clusters of three %v", d.Run.Labels.CI, a.Run.Labels.CI)
	}
}

func TestBadge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n, every, each int
		want           string
	}{
		// People agree in 9 of 10, kappa 0.8; so does the judge, with a lower
		// bound of about 0.68 of 200 and 0.72 of 400.
		{400, 10, 10, ""},
		{60, 10, 20, "40 labelled items more (60 of 100)"},
		// The judge agrees in 4 of 5, kappa 0.6.
		{400, 10, 5, "agreement: its kappa with people is at least"},
		// It agrees in half.
		{400, 10, 2, "agreement: its kappa with people is 0.00"},
	} {
		r, err := judge.Calibrate(people(c.n, c.every, c.each), judge.CalibrateOptions{Threshold: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		is(t, "people", r.Binary.Humans.Kappa.Value, 0.8)
		if want := c.each == 5; r.Worse != want {
			t.Errorf("%+v: worse %v", c, r.Worse)
		}
		if r.Validated != (c.want == "") || !strings.Contains(strings.Join(r.Lacks, "\n"), c.want) {
			t.Errorf("%+v: validated %v, lacks %q", c, r.Validated, r.Lacks)
		}
	}
	// Nine tenths of one label: AC1 decides. People agree in 98 of 100, the judge
	// in 96, and by kappa, about 0.89 and 0.79, it would fall short.
	var rare []judge.Rated
	for i := range 1000 {
		l := float64(1)
		if i%10 == 0 {
			l = 0
		}
		other, score := l, l
		if i%50 == 1 {
			other = 1 - l
		}
		if i%25 == 2 {
			score = 1 - l
		}
		rare = append(rare, judge.Rated{Labels: []*float64{&l, &other}, Score: &score})
	}
	r, err := judge.Calibrate(rare, judge.CalibrateOptions{Threshold: 0.5})
	if err != nil || !r.Validated {
		t.Errorf("validated %v, lacks %q (%v)", r.Validated, r.Lacks, err)
	}
}

// Second labels that are few, disagree or agree by chance validate no judge, nor does a judge at chance.
func TestBadgeNeedsAgreementOfPeople(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pairs, every, each, missing int
		cluster                     string
		want                        string
	}{
		"few that disagree":    {4, 1, 2, 46, "", "46 pairs more"},
		"few that agree":       {4, 1000, 1000, 46, "", "46 pairs more"},
		"wide":                 {60, 2, 1000, 0, "", "agreement: that of people is"},
		"nearly enough":        {60, 3, 1000, 0, "", ""},
		"more than the least":  {52, 5, 1000, 0, "", ""},
		"two clusters":         {400, 1000, 1000, 0, "c", "that of people is 0.99 ("},
		"three clusters":       {400, 1000, 1000, 0, "d", "3 clusters more"},
		"as people, by chance": {400, 2, 2, 0, "", "agreement: that of people is"},
	} {
		in := people(400, c.every, c.each)
		for i := range in {
			if i >= c.pairs {
				in[i].Labels = in[i].Labels[:1]
			}
			if c.cluster != "" {
				in[i].Cluster = fmt.Sprint(c.cluster, i%int(c.cluster[0]-'a'))
			}
		}
		r, err := judge.Calibrate(in, judge.CalibrateOptions{Threshold: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		if r.Validated != (c.want == "") || r.PairsMissing != c.missing || !strings.Contains(strings.Join(r.Lacks, "\n"), c.want) {
			t.Errorf("%s: validated %v, lacks %q, people %+v", name, r.Validated, r.Lacks, r.Binary.Humans.Kappa)
		}
	}
}

// Two clusters that the judge rates nearly alike do not show how it rates others.
func TestFewClustersHaveWideIntervals(t *testing.T) {
	t.Parallel()
	in := items(rated(73, 1, 0.9), rated(7, 1, 0.1), rated(72, 0, 0.1), rated(8, 0, 0.9))
	for i := range in {
		in[i].Cluster = fmt.Sprint("c", i%2)
	}
	r, err := judge.Calibrate(in, judge.CalibrateOptions{Threshold: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]judge.Figure{"balanced accuracy": r.Binary.BalancedAccuracy, "AUROC": r.Binary.AUROC} {
		if f.CI == nil || f.CI.Half() < 0.05 || f.CI.Hi > 1 {
			t.Errorf("%s %.3f (%v) from two clusters", name, *f.Value, f.CI)
		}
	}
}

// The labels of cases without a score are not among the scored cases.
func TestLabelsAloneAreOfScoredCases(t *testing.T) {
	t.Parallel()
	in := rated(40, 1, 0.9)
	zero := 0.0
	for range 20 {
		in = append(in, judge.Rated{Labels: []*float64{&zero}})
	}
	r, err := judge.Calibrate(in, judge.CalibrateOptions{Threshold: 0.5})
	if err != nil || r.Run.Labels.N != 40 || r.Run.Labels.Mean != 1 {
		t.Errorf("%+v %v", r.Run.Labels, err)
	}
}

// TestCalibrateScoresOnTheScale: scores from 1 to 5 are levels as the labels are, not multiples of the scale.
func TestCalibrateScoresOnTheScale(t *testing.T) {
	t.Parallel()
	in := []judge.Rated{{Case: "rest", Score: ptr(5.0)}, {Score: ptr(2.0)}}
	for i := range 40 {
		l := float64(1 + i%5)
		in = append(in, judge.Rated{Labels: []*float64{&l}, Score: &l})
	}
	o := judge.CalibrateOptions{Threshold: 0.5, Scale: &[2]int{1, 5}}
	r, err := judge.Calibrate(in, o)
	if err != nil {
		t.Fatal(err)
	}
	is(t, "judge's mean", r.Run.Score.Value, 127.0/42)
	is(t, "quadratic kappa", r.Graded.Kappa.Value, 1)
	if r, err = judge.Calibrate(in[:20], o); err != nil || r.Run.PPI != nil || len(r.Warnings) > 0 {
		t.Errorf("of 18 labels: %+v, %v: want no word about figures that are not corrected", r, err)
	}
	o.Scale = &[2]int{1, 4}
	if _, err = judge.Calibrate(in, o); err == nil || !strings.Contains(err.Error(), `case "": score 5`) {
		t.Errorf("on a scale of 1 to 4: %v", err)
	}
	for i := range in[2:] {
		in[2+i].Labels = []*float64{ptr(float64(i % 2))}
	}
	o.Scale = &[2]int{0, 5}
	if r, err = judge.Calibrate(in, o); err != nil || !strings.Contains(r.Warnings[0], "all labels are 0 or 1") {
		t.Errorf("yes and no on a scale of 0 to 5: %+v, %v", r, err)
	}
}

func TestCalibrateGraded(t *testing.T) {
	t.Parallel()
	var in []judge.Rated
	for i := range 60 {
		l := float64(1 + i%4)
		in = append(in, judge.Rated{Labels: []*float64{&l}, Score: ptr((l - 1) / 3)})
	}
	in = append(in, scored(20, 1)...)
	r, err := judge.Calibrate(in, judge.CalibrateOptions{Threshold: 0.5, Scale: &[2]int{1, 4}})
	if err != nil || r.Binary != nil || r.Graded == nil {
		t.Fatalf("got %+v, %v", r, err)
	}
	is(t, "Spearman", r.Graded.Spearman.Value, 1)
	is(t, "quadratic kappa", r.Graded.Kappa.Value, 1)
	is(t, "mean", &r.Graded.Mean, 2.5)
	// cov(Y,F) = 60·1.25/59, var(F∪U) = (83.4375 + 25.3125)/79, n/N = 3, so that
	// λ = 0.230861, and the mean 2.5 + λ·(4 − 2.5).
	lambda := 60 * 1.25 / 59 / (4 * 108.75 / 79)
	if p := r.Run.PPI; p == nil || math.Abs(p.Mean-(2.5+1.5*lambda)) > 1e-9 {
		t.Errorf("got %+v", r.Run)
	}
	// Split at 3, the same labels are binary as well.
	r, err = judge.Calibrate(in, judge.CalibrateOptions{Threshold: 0.5, Positive: ptr(3.0)})
	if err != nil || r.Binary == nil || r.Graded == nil || r.Graded.Kappa.Value != nil ||
		r.Graded.Kappa.Why != "the scale of the labels is not declared" {
		t.Fatalf("got %+v, %v", r, err)
	}
	is(t, "kappa", r.Binary.Judge.Kappa.Value, 1)
}

// Whatever the items, a report is JSON, which no infinity is, and the same seed
// gives the same bytes.
func TestCalibrateIsTotal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.SampledFrom([]float64{0, 1, 1, 0, 0.5, 2, -1, 1e300}), rapid.Float64Range(0, 1))
		n := rapid.IntRange(0, 25).Draw(t, "n")
		var in []judge.Rated
		for range n {
			r := judge.Rated{Cluster: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "cluster")}
			for range rapid.IntRange(0, 3).Draw(t, "annotators") {
				r.Labels = append(r.Labels, rapid.Ptr(number, true).Draw(t, "label"))
			}
			r.Score = rapid.Ptr(number, true).Draw(t, "score")
			in = append(in, r)
		}
		o := judge.CalibrateOptions{Threshold: 0.5, Positive: rapid.Ptr(number, true).Draw(t, "positive")}
		if rapid.Bool().Draw(t, "scaled") {
			o.Scale = &[2]int{0, 2}
		}
		first, err := judge.Calibrate(in, o)
		if err != nil {
			return
		}
		a, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		second, _ := judge.Calibrate(in, o)
		b, _ := json.Marshal(second)
		if !bytes.Equal(a, b) {
			t.Fatal("two runs differ")
		}
	})
}

// TestCalibrateMTRAG: 477 answers with the faithfulness that two or three people
// gave, 1 to 4, and the scores of two automatic measures. The rank correlation
// with the mean of the people was computed apart: 0.5815 and 0.4034. A third of
// the labels, drawn at random, corrects the judge to what all of them say.
func TestCalibrateMTRAG(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(requiretest.Shared(t, "data/answers/mtrag.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		ID     string
		Labels struct{ Faithfulness []float64 }
		Auto   map[string]float64
	}
	var rows []row
	for line := range bytes.Lines(b) {
		var r row
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	with := func(measure string, label func(row) []*float64) []judge.Rated {
		var out []judge.Rated
		for _, r := range rows {
			question, _, _ := strings.Cut(r.ID, "<::>")
			out = append(out, judge.Rated{Case: r.ID, Cluster: question, Labels: label(r), Score: ptr(min(1, r.Auto[measure]))})
		}
		return out
	}
	mean := func(r row) []*float64 {
		m := 0.0
		for _, l := range r.Labels.Faithfulness {
			m += l
		}
		m /= float64(len(r.Labels.Faithfulness))
		return []*float64{&m}
	}
	for measure, want := range map[string]float64{"rl_f": 0.5815286707, "RougeL": 0.4034209204} {
		r, err := judge.Calibrate(with(measure, mean), judge.CalibrateOptions{Threshold: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		s := r.Graded.Spearman
		if r.N != 477 || s.Value == nil || math.Abs(*s.Value-want) > 1e-6 || s.CI == nil || !s.CI.Contains(want) || s.CI.Half() > 0.16 {
			t.Errorf("%s: %d items, %v %v, want %v", measure, r.N, optional(s.Value), s.CI, want)
		}
	}
	each := func(r row) []*float64 {
		var out []*float64
		for _, l := range r.Labels.Faithfulness {
			out = append(out, &l)
		}
		return out
	}
	o := judge.CalibrateOptions{Threshold: 0.5, Positive: ptr(3.0), Scale: &[2]int{1, 4}}
	all, err := judge.Calibrate(with("rl_f", each), o)
	if err != nil {
		t.Fatal(err)
	}
	kappa, people := *all.Binary.Judge.Kappa.Value, *all.Binary.Humans.Kappa.Value
	t.Logf("RAGAS faithfulness against people: kappa %.3f, AUROC %.3f, quadratic kappa %.3f; people among themselves: kappa %.3f",
		kappa, *all.Binary.AUROC.Value, *all.Graded.Kappa.Value, people)
	if !(kappa > 0.4 && kappa < 0.7 && people > 0.4 && people < 0.7) {
		t.Errorf("kappa %v, of people %v", kappa, people)
	}
	truth := all.Run.Labels.Mean
	good := func(r row) []*float64 {
		if r.Labels.Faithfulness[0] >= 3 {
			return []*float64{ptr(1.0)}
		}
		return []*float64{ptr(0.0)}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	const trials = 12
	held := 0
	for range trials {
		sample := with("rl_f", good)
		for i := range sample {
			if rng.IntN(3) > 0 {
				sample[i].Labels = nil
			}
		}
		// Clusters reach across both sets here.
		r, err := judge.Calibrate(sample, judge.CalibrateOptions{Threshold: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		if r.Run.PPI.CI.Contains(truth) {
			held++
		}
	}
	if held < trials-2 {
		t.Errorf("%d of %d intervals at 95 %% hold what all labels say, %.3f", held, trials, truth)
	}
}

// TestCorrectIsThatOfCalibrate: the quick estimate is the one of the whole calibration.
func TestCorrectIsThatOfCalibrate(t *testing.T) {
	t.Parallel()
	var items []judge.Rated
	for i := range 400 {
		score, label := float64(i%10)/10, float64(i/3%2)
		item := judge.Rated{Case: fmt.Sprint(i), Score: &score}
		if i%5 == 0 {
			item.Labels = []*float64{&label}
		}
		items = append(items, item)
	}
	o := judge.CalibrateOptions{Threshold: 0.5}
	whole, err := judge.Calibrate(items, o)
	if err != nil {
		t.Fatal(err)
	}
	quick, err := judge.Correct(items, o)
	if d := cmp.Diff(&whole.Run, quick, cmpopts.IgnoreUnexported(stats.Corrected{})); err != nil || d != "" {
		t.Errorf("%v (-whole +quick):\n%s", err, d)
	}
	if quick.PPI == nil || quick.LabelsForHalf == nil || *quick.LabelsForHalf < 100 {
		t.Errorf("%+v: want a corrected mean, and the labels that would halve its interval", quick)
	}
	if _, err := judge.Correct(nil, o); err == nil {
		t.Error("nothing was corrected")
	}
}
