package gate_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
)

// grade draws a score in tenths; unknown is one that could not be given.
func grade(unknown bool) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		if unknown && rapid.IntRange(0, 3).Draw(t, "unknown") == 0 {
			return unread
		}
		return float64(rapid.IntRange(0, 10).Draw(t, "tenths")) / 10
	})
}

// plain draws a rule on the mean, or on its difference from a baseline.
func plain() *rapid.Generator[gate.Rule] {
	return rapid.Custom(func(t *rapid.T) gate.Rule {
		r := gate.Rule{Quantity: "m", Op: rapid.SampledFrom([]string{">=", ">", "<=", "<"}).Draw(t, "op")}
		r.Versus = rapid.Bool().Draw(t, "versus")
		r.Limit = float64(rapid.IntRange(0, 20).Draw(t, "limit")) / 20
		if r.Versus {
			r.Limit = 0.5 - r.Limit
		}
		return r
	})
}

func verdictOf(p gate.Policy, r gate.Rule, run recorded) gate.Verdict {
	p.Rules = []gate.Rule{r}
	o, _ := p.Judge(run.run())
	for _, res := range o.Results {
		if res.Rule == r.String() {
			return res.Verdict
		}
	}
	return ""
}

func binary(scores []any) []any {
	out := make([]any, len(scores))
	for i := range out {
		out[i] = 1
	}
	return out
}

// A plain rule passes exactly when it does for every way to complete what is not
// known by the worst and the best value, and fails exactly when it fails for all.
func TestPlainVerdictIsThatOfAllCompletions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(grade(true), 1, 6).Draw(t, "scores")
		var open []int
		for i, s := range scores {
			if _, ok := s.(assay.Score); ok {
				open = append(open, i)
			}
		}
		if len(open) == len(scores) { // fails, since nothing was measured
			return
		}
		b, err := gate.NewBaseline(one(ratio("m"), binary(scores)...).run(), "", day)
		if err != nil {
			t.Fatal(err)
		}
		p, r := gate.Policy{Baseline: b, MaxMissing: 1}, plain().Draw(t, "rule")
		passes, fails := 0, 0
		for pattern := range 1 << len(open) {
			complete := slices.Clone(scores)
			for j, i := range open {
				complete[i] = pattern >> j & 1
			}
			switch verdictOf(p, r, one(ratio("m"), complete...)) {
			case gate.Pass:
				passes++
			case gate.Fail:
				fails++
			default:
				t.Fatal("a run of which all is known is inconclusive")
			}
		}
		want := gate.Inconclusive
		switch {
		case fails == 0:
			want = gate.Pass
		case passes == 0:
			want = gate.Fail
		}
		if got := verdictOf(p, r, one(ratio("m"), scores...)); got != want {
			t.Fatalf("%s of %v: %s, but of its completions %d pass and %d fail", r, scores, got, passes, fails)
		}
	})
}

// floors are the rules that guard a metric of which more is better against being
// too bad.
var floors = []gate.Rule{
	{Quantity: "m", Op: ">=", Limit: 0.5}, {Quantity: "m", Op: ">", Limit: 0.3},
	{Quantity: "m", Versus: true, Op: ">=", Limit: -0.1}, {Quantity: "m", Versus: true, Op: ">=", Limit: 0},
	{Quantity: "new_total_losses", Op: "<=", Limit: 0.2},
}

// Making one score worse never makes a gate pass that did not.
func TestWorseNeverPasses(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(grade(true), 2, 12).Draw(t, "scores")
		critical := rapid.IntRange(0, len(scores)-1).Draw(t, "critical")
		was := rapid.SliceOfN(grade(false), len(scores), len(scores)).Draw(t, "baseline")
		b, err := gate.NewBaseline(one(ratio("m"), was...).run(), "", day)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(scores, func(s any) bool { _, ok := s.(float64); return ok }) {
			return // fails, since nothing was measured
		}
		i := rapid.IntRange(0, len(scores)-1).Draw(t, "case")
		worse := slices.Clone(scores)
		if v, ok := scores[i].(float64); ok {
			worse[i] = v * rapid.Float64Range(0, 1).Draw(t, "factor")
		} else {
			worse[i] = 0
		}
		p := gate.Policy{Baseline: b, MaxMissing: 1, Tolerances: map[string]float64{"m": 0.1}, Rules: floors}
		each(t, critically(p, critical, scores), critically(p, critical, worse), func(name string, before, after gate.Verdict) {
			if before != gate.Pass && after == gate.Pass {
				t.Fatalf("%s: %s of %v, but %s of %v", name, before, scores, after, worse)
			}
		})
	})
}

// A judgement that fails never makes a gate pass that did not: neither a rule on
// the mean nor one on a bound or a test.
func TestFailedJudgementNeverPasses(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(grade(true), 2, 12).Draw(t, "scores")
		was := rapid.SliceOfN(grade(false), len(scores), len(scores)).Draw(t, "baseline")
		b, err := gate.NewBaseline(one(ratio("m"), was...).run(), "", day)
		if err != nil {
			t.Fatal(err)
		}
		lost := slices.Clone(scores)
		lost[rapid.IntRange(0, len(scores)-1).Draw(t, "case")] = unread
		p := gate.Policy{Baseline: b, MaxMissing: 1, Tolerances: map[string]float64{"m": 0.1}, Rules: append([]gate.Rule{
			{Quantity: "m", Op: "<=", Limit: 0.5}, {Quantity: "m", Bound: "lower", Op: ">=", Limit: 0.3},
			{Quantity: "m", Bound: "upper", Op: "<=", Limit: 0.8},
			{Quantity: "m", Versus: true, Op: "<=", Limit: 0.1}, {Quantity: "m", Versus: true, Bound: "lower", Op: ">=", Limit: -0.2},
			{Quantity: "m", Versus: true, Bound: "upper", Op: "<=", Limit: 0.2}, {Quantity: "errors", Op: "<=", Limit: 0.1},
		}, floors...)}
		before, after := critically(p, 0, scores), critically(p, 0, lost)
		each(t, before, after, func(name string, before, after gate.Verdict) {
			if before != gate.Pass && after == gate.Pass {
				t.Fatalf("%s: %s of %v, but %s of %v", name, before, scores, after, lost)
			}
		})
	})
}

// critically judges a run with one critical case.
func critically(p gate.Policy, critical int, scores []any) gate.Outcome {
	run := one(ratio("m"), scores...)
	run.Records[critical].Case.Critical = true
	o, _ := p.Judge(of(run.Header.Metrics, run.Records).run())
	return o
}

func each(t *rapid.T, before, after gate.Outcome, f func(name string, before, after gate.Verdict)) {
	if len(before.Results) != len(after.Results) {
		t.Fatalf("%d results and %d", len(before.Results), len(after.Results))
	}
	for i, r := range before.Results {
		f(fmt.Sprintf("%d: %s", i, r.Rule), r.Verdict, after.Results[i].Verdict)
	}
	f("the gate", before.Verdict, after.Verdict)
}
