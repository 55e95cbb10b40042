package probe_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/probe"
)

func find(t *testing.T, r *probe.Report, name string) probe.Test {
	t.Helper()
	for _, test := range r.Tests {
		if test.Name == name {
			return test
		}
	}
	t.Fatalf("no test %q in %+v", name, r.Tests)
	return probe.Test{}
}

func failed(r *probe.Report) string {
	var out []string
	for _, test := range r.Tests {
		if test.Outcome == probe.Fail {
			out = append(out, test.Name)
		}
	}
	return strings.Join(out, ", ")
}

func TestItems(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, it := range probe.Items() {
		if seen[it.ID] {
			t.Errorf("%s is there twice", it.ID)
		}
		seen[it.ID] = true
		if judge.LanguageOf(it.Passage) != it.Language || judge.LanguageOf(it.Question) != it.Language {
			t.Errorf("%s: language %q", it.ID, it.Language)
		}
		for c := range it.Corrupted {
			for _, s := range []string{it.Statements[c], it.Corrupted[c]} {
				if s == "" || seen[s] {
					t.Errorf("%s: statement %q is empty or there twice", it.ID, s)
				}
				seen[s] = true
			}
		}
		if it.Answer(1) == it.Answer(-1) || !strings.Contains(it.Answer(1), it.Corrupted[1]) ||
			!strings.Contains(it.Answer(1), it.Statements[0]) {
			t.Errorf("%s: %q", it.ID, it.Answer(1))
		}
	}
	if len(probe.Items()) != 20 {
		t.Errorf("%d items, want 20", len(probe.Items()))
	}
}

func TestBiasOfAFairJudge(t *testing.T) {
	t.Parallel()
	var m judge.Meter
	r, err := probe.Bias(judge.WithMeter(t.Context(), &m), knowing{}, probe.BiasOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Fit {
		t.Errorf("unfit: %q", r.Reasons)
	}
	// 20 shuffles asked twice; 40 answers in 4 forms with 5 questions each; 16
	// master keys that are not empty with 3: a master key holds no claim here, so
	// that its support is not asked about.
	if spent, _ := m.Total(); spent.Calls != 40+800+48 {
		t.Errorf("%d calls, want 888", spent.Calls)
	}
	for name, c := range map[string]struct {
		outcome probe.Outcome
		n       int
	}{
		"position": {probe.Pass, 80}, "position, pairwise": {probe.NotMeasured, 0}, "verbosity": {probe.Pass, 40},
		"style: markdown": {probe.Pass, 40},
		"style: bullets":  {probe.Pass, 40}, "length": {probe.NotMeasured, 0}, "master keys": {probe.Pass, 20},
		"self-preference": {probe.NotMeasured, 0},
	} {
		test := find(t, r, name)
		if test.Outcome != c.outcome || test.N != c.n || test.Effect != 0 || c.outcome == probe.NotMeasured && test.Note == "" {
			t.Errorf("%s: %+v, want %s of %d", name, test, c.outcome, c.n)
		}
	}
}

func TestEstimatesAreNotAskedToMark(t *testing.T) {
	t.Parallel()
	r, err := probe.Bias(t.Context(), knowing{estimate: true}, probe.BiasOptions{Options: probe.Options{Items: 4}})
	if err != nil || !r.Fit {
		t.Errorf("bias: %+v, %v", r, err)
	}
}

func TestBiasIsFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		judge knowing
		want  string
	}{
		{"reads the first claim alone", knowing{first: true}, "position"},
		{"likes to be thanked", knowing{likes: "Thank you"}, "verbosity"},
		{"likes bold type", knowing{likes: "**"}, "style: markdown"},
		{"likes lists", knowing{likes: "- "}, "style: bullets"},
		{"accepts a colon", knowing{likes: ":"}, "master keys"},
	} {
		r, err := probe.Bias(t.Context(), c.judge, probe.BiasOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := failed(r); got != c.want || r.Fit {
			t.Errorf("a judge that %s fails %q, want %q: %q", c.name, got, c.want, r.Reasons)
		}
	}
}

func TestBiasCountsWhatIsUnread(t *testing.T) {
	t.Parallel()
	r, err := probe.Bias(t.Context(), knowing{fail: func(string) error { return &judge.Error{Operation: "x", Message: "garbled"} }},
		probe.BiasOptions{Options: probe.Options{Items: 4}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := failed(r), "position, verbosity, style: markdown, style: bullets, master keys"; got != want {
		t.Errorf("fails %q, want %q", got, want)
	}
	for _, test := range r.Tests {
		// The empty master keys are refused without asking.
		if test.Outcome == probe.Fail && test.N > 0 && test.Name != "master keys" || math.IsNaN(test.Effect) {
			t.Errorf("%+v: want no effect", test)
		}
	}
}

// answers makes n labelled answers of different lengths; the family alternates.
func answers(n int, human func(i, words int) float64) []probe.Label {
	var out []probe.Label
	for i := range n {
		words := 5 + 3*(i/2)
		h := human(i, words)
		out = append(out, probe.Label{
			ID: fmt.Sprint(i), Question: "What?", Answer: strings.TrimSpace(strings.Repeat("word ", words)), References: []string{"word"},
			Human: &h, Family: []string{"apple", "pear"}[i%2],
		})
	}
	return out
}

func biasOf(t *testing.T, j judge.Judge, o probe.BiasOptions) *probe.Report {
	t.Helper()
	o.Items = 4
	r, err := probe.Bias(t.Context(), j, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// words scores a text by its length: 0.1 for every e-fold, from 0.
func words(s string) float64 {
	return min(1, 0.1*math.Log(float64(len(strings.Fields(s)))))
}

func TestLengthBias(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	noise := func(int, int) float64 { return 0.5 + 0.1*rng.Float64() }
	r := biasOf(t, knowing{bonus: words}, probe.BiasOptions{Labels: answers(60, noise)})
	got := find(t, r, "length")
	// The score grows by 0.1 for every unit of log(words), people's does not.
	// Words go from 5 to 92 in steps of 3; the quartiles of the logarithm are
	// those of 26 and 71 words, ln(71/26) = 1.005 apart, so the effect is 0.1.
	if math.Abs(got.Effect-0.1) > 0.03 || got.Outcome != probe.Fail || got.N != 60 || !got.Interval.Contains(got.Effect) {
		t.Errorf("length %+v, want an effect of about 0.1 that fails", got)
	}
	// People who like length as much leave no slope.
	r = biasOf(t, knowing{bonus: words}, probe.BiasOptions{Labels: answers(60, func(_, n int) float64 { return 0.1 * math.Log(float64(n)) })})
	if got := find(t, r, "length"); math.Abs(got.Effect) > 1e-9 || got.Outcome != probe.Pass {
		t.Errorf("length %+v, want none", got)
	}
	r = biasOf(t, knowing{}, probe.BiasOptions{Labels: answers(19, noise)})
	if got := find(t, r, "length"); got.Outcome != probe.NotMeasured || !strings.Contains(got.Note, "there are 19") {
		t.Errorf("length %+v, want it unmeasured", got)
	}
}

func TestSelfPreference(t *testing.T) {
	t.Parallel()
	half := knowing{bonus: func(string) float64 { return 0.5 }}
	// People mark the apples 0.5 and the pears 0.8; the judge all 0.5: it is 0.3
	// kinder to apples.
	labels := answers(60, func(i, _ int) float64 { return []float64{0.5, 0.8}[i%2] })
	got := find(t, biasOf(t, half, probe.BiasOptions{Labels: labels, Own: "Apple"}), "self-preference")
	if math.Abs(got.Effect-0.3) > 1e-9 || got.Outcome != probe.Fail || got.N != 60 {
		t.Errorf("%+v, want 0.3", got)
	}
	if got := find(t, biasOf(t, half, probe.BiasOptions{Labels: labels}), "self-preference"); got.Outcome != probe.NotMeasured {
		t.Errorf("%+v: want it unmeasured without a family", got)
	}
	// Without people a second judge that rules alike shows no preference.
	for i := range labels {
		labels[i].Human = nil
	}
	got = find(t, biasOf(t, half, probe.BiasOptions{Labels: labels, Own: "pear", Second: half}), "self-preference")
	if got.Effect != 0 || got.Outcome != probe.Pass || got.N != 60 {
		t.Errorf("%+v, want none", got)
	}
	if got := find(t, biasOf(t, half, probe.BiasOptions{Labels: labels, Own: "pear"}), "self-preference"); got.Outcome != probe.NotMeasured {
		t.Errorf("%+v: want it unmeasured without marks and without a second judge", got)
	}
}

func TestLabelsAreChecked(t *testing.T) {
	t.Parallel()
	bad := 1.5
	for _, l := range []probe.Label{
		{ID: "a", Answer: "b", References: []string{"c"}},
		{ID: "a", Question: "q", References: []string{"c"}},
		{ID: "a", Question: "q", Answer: "b"},
		{ID: "a", Question: "q", Answer: "b", References: []string{"c"}, Human: &bad},
	} {
		if _, err := probe.Bias(t.Context(), knowing{}, probe.BiasOptions{Labels: []probe.Label{l}}); err == nil ||
			!strings.Contains(err.Error(), `label 1 "a"`) {
			t.Errorf("label %+v: got %v, want an error that names it", l, err)
		}
	}
}

func TestBiasEnds(t *testing.T) {
	t.Parallel()
	fatal := &judge.FatalError{Err: errors.New("no key")}
	if _, err := probe.Bias(t.Context(), knowing{fail: func(string) error { return fatal }}, probe.BiasOptions{}); !errors.Is(err, fatal) {
		t.Errorf("got %v, want the fatal error", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := probe.Bias(ctx, knowing{}, probe.BiasOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want it canceled", err)
	}
	for _, o := range []probe.Options{{Items: 3}, {Items: 11}, {Concurrency: -1}, {Level: 1}} {
		if _, err := probe.Bias(t.Context(), knowing{}, probe.BiasOptions{Options: o}); err == nil {
			t.Errorf("options %+v: want an error", o)
		}
	}
}

func TestFamilies(t *testing.T) {
	t.Parallel()
	names, counts := probe.Families(append(answers(5, func(int, int) float64 { return 0 }), probe.Label{}))
	if fmt.Sprint(names, counts) != "[apple pear] [3 2]" {
		t.Errorf("got %v %v", names, counts)
	}
}
