package suite_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/suite"
)

func find(t *testing.T, r *suite.Report, name string) suite.Test {
	t.Helper()
	for _, test := range r.Tests {
		if test.Name == name {
			return test
		}
	}
	t.Fatalf("no test %q in %+v", name, r.Tests)
	return suite.Test{}
}

func failed(r *suite.Report) string {
	var out []string
	for _, test := range r.Tests {
		if test.Outcome == suite.Fail {
			out = append(out, test.Name)
		}
	}
	return strings.Join(out, ", ")
}

func TestItems(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, it := range suite.Items() {
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
	if len(suite.Items()) != 20 {
		t.Errorf("%d items, want 20", len(suite.Items()))
	}
}

func TestBiasOfAFairJudge(t *testing.T) {
	t.Parallel()
	var m judge.Meter
	r, err := suite.Bias.Run(judge.WithMeter(t.Context(), &m), knowing{}, suite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Fit {
		t.Errorf("unfit: %q", r.Reasons)
	}
	// 20 shuffles asked twice; 40 answers in 4 forms with 5 questions each.
	if spent, _ := m.Total(); spent.Calls != 40+800 {
		t.Errorf("%d calls, want 840", spent.Calls)
	}
	for name, c := range map[string]struct {
		outcome suite.Outcome
		n       int
	}{
		"position": {suite.Pass, 80}, "verbosity": {suite.Pass, 40},
		"style: markdown": {suite.Pass, 40},
		"style: bullets":  {suite.Pass, 40},
	} {
		test := find(t, r, name)
		if test.Outcome != c.outcome || test.N != c.n || test.Effect != 0 {
			t.Errorf("%s: %+v, want %s of %d", name, test, c.outcome, c.n)
		}
		// Equal changes have no error to estimate: no interval of width 0 says that the judge is sure.
		for _, p := range append(test.Parts, test.Part) {
			if ci := p.Interval; ci != nil && ci.Hi <= ci.Lo {
				t.Errorf("%s: interval %v", p.Name, *ci)
			}
		}
	}
}

func TestEstimatesAreNotAskedToMark(t *testing.T) {
	t.Parallel()
	r, err := suite.Bias.Run(t.Context(), knowing{estimate: true}, suite.Options{Size: 4})
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
	} {
		r, err := suite.Bias.Run(t.Context(), c.judge, suite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := failed(r); got != c.want || r.Fit {
			t.Errorf("a judge that %s fails %q, want %q: %q", c.name, got, c.want, r.Reasons)
		}
		// The interval of an equivalence test has the level of its limit, in the parts too.
		for _, test := range r.Tests {
			for _, p := range append(test.Parts, test.Part) {
				if equal := strings.HasPrefix(test.Limit, "90 %"); p.Interval != nil && equal != (p.Level == 0.9) || !equal && p.Level != 0 {
					t.Errorf("%s of %s: level %v of %v, limit %q", p.Name, test.Name, p.Level, p.Interval, test.Limit)
				}
			}
		}
	}
}

func TestBiasCountsWhatIsUnread(t *testing.T) {
	t.Parallel()
	r, err := suite.Bias.Run(t.Context(), knowing{fail: func(string) error { return &judge.Error{Operation: "x", Message: "garbled"} }},
		suite.Options{Size: 4})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := failed(r), "position, verbosity, style: markdown, style: bullets"; got != want {
		t.Errorf("fails %q, want %q", got, want)
	}
	for _, test := range r.Tests {
		if test.Outcome == suite.Fail && test.N > 0 || math.IsNaN(test.Effect) {
			t.Errorf("%+v: want no effect", test)
		}
	}
}

func TestBiasEnds(t *testing.T) {
	t.Parallel()
	fatal := &judge.FatalError{Err: errors.New("no key")}
	if _, err := suite.Bias.Run(t.Context(), knowing{fail: func(string) error { return fatal }}, suite.Options{}); !errors.Is(err, fatal) {
		t.Errorf("got %v, want the fatal error", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := suite.Bias.Run(ctx, knowing{}, suite.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want it canceled", err)
	}
	for _, o := range []suite.Options{{Size: 3}, {Size: 11}} {
		if _, err := suite.Bias.Run(t.Context(), knowing{}, o); err == nil {
			t.Errorf("options %+v: want an error", o)
		}
	}
}
