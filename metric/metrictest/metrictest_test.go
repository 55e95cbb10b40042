package metrictest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// good returns a definition that keeps every promise: the length of the answer,
// as a share of a thousand bytes.
func good() metric.Def {
	return metric.Def{
		Name: "length", Title: "Length", Group: metric.Answer, Doc: "How long the answer is.", Formula: "bytes / 1000, at most 1",
		Edges: "An answer of more than 1000 bytes scores 1.", Source: "own definition", Range: [2]float64{0, 1}, Needs: metric.NeedAnswers,
		Reads: metric.ReadAnswer, Version: 1,
		New: func(metric.Params) metric.Func {
			return func(_ context.Context, in metric.Input) (assay.Score, error) { return length(in), nil }
		},
	}
}

// judging returns a good definition that reads what a judge said.
func judging(f func(*judge.Assessment) (assay.Score, error)) metric.Def {
	d := good()
	d.Asks = judge.Asks{question.Answer}
	d.New = returns(func(in metric.Input) (assay.Score, error) { return f(in.Assessment) })
	return d
}

// claims scores the number of claims, at most ten.
func claims(a *judge.Assessment) (assay.Score, error) {
	r, err := question.Answer.Of(a).Get()
	return assay.Value(min(float64(len(r.Claims))/10, 1)), err
}

func length(in metric.Input) assay.Score {
	return assay.Value(min(float64(len(in.Response.Answer))/1000, 1))
}

// embedding returns a good definition that embeds.
func embedding() metric.Def {
	d := good()
	d.Embeds = true
	d.New = returns(func(in metric.Input) (assay.Score, error) {
		v, err := in.Embedder.Embed(context.Background(), []string{in.Response.Answer})
		switch {
		case err != nil:
			return assay.Score{}, err
		case len(v) != 1 || len(v[0]) != dimensions || math.IsNaN(float64(v[0][0])):
			return assay.Score{}, errors.New("no such vector")
		}
		return length(in), nil
	})
	return d
}

func returns(f func(metric.Input) (assay.Score, error)) func(metric.Params) metric.Func {
	return func(metric.Params) metric.Func {
		return func(_ context.Context, in metric.Input) (assay.Score, error) { return f(in) }
	}
}

// problems runs every check on a definition and gives what they report. A
// definition of the name "unsafe" is spared being called from many sides.
func problems(t *testing.T, d metric.Def, pairs ...Pair) []string {
	t.Helper()
	variants, err := variantsOf(&d)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range contract {
		if d.Name == "unsafe" && c.name == "concurrency" {
			continue
		}
		c.run(func(format string, args ...any) { out = append(out, c.name+": "+fmt.Sprintf(format, args...)) }, &d, variants, pairs)
	}
	return out
}

func TestGoodMetricsPass(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]metric.Def{"plain": good(), "embedding": embedding(), "judging": judging(claims)} {
		if got := problems(t, d); got != nil {
			t.Errorf("%s: %q", name, got)
		}
	}
	d := good()
	Run(t, &d, Pair{Worse: answerOf("short"), Better: answerOf("long answer")})
}

// Each defect must be seen by the check that it is for.
func TestDefectsAreSeen(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	changed := func(change func(*metric.Def)) metric.Def { d := good(); change(&d); return d }
	scoring := func(f func(metric.Input) assay.Score) metric.Def {
		return changed(func(d *metric.Def) { d.New = returns(func(in metric.Input) (assay.Score, error) { return f(in), nil }) })
	}
	for name, tc := range map[string]struct {
		def   metric.Def
		pairs []Pair
		want  string
	}{
		"no full stop":      {changed(func(d *metric.Def) { d.Doc = "How long" }), nil, "documentation: Doc"},
		"a note to self":    {changed(func(d *metric.Def) { d.Edges = "TODO." }), nil, "unfinished"},
		"two lines":         {changed(func(d *metric.Def) { d.Formula = "a\nb" }), nil, "documentation: Formula"},
		"a bad name":        {changed(func(d *metric.Def) { d.Name = "length_" }), nil, "documentation: name"},
		"a family's family": {changed(func(d *metric.Def) { d.Name = "length.of.it" }), nil, "documentation: name"},
		"no group":          {changed(func(d *metric.Def) { d.Group = "other" }), nil, "documentation: group"},
		"no unit":           {changed(func(d *metric.Def) { d.Range[1] = 100 }), nil, "documentation: range"},
		"a bad default": {changed(func(d *metric.Def) { d.Params = []metric.Param{{Name: "p", Doc: "p", Default: "0.50", Max: 1}} }), nil,
			"documentation: parameter"},
		"two owners": {changed(func(d *metric.Def) { d.Params = ambiguous }), nil, "belongs to"},
		"no state":   {scoring(func(metric.Input) assay.Score { return assay.Score{} }), nil, "scores: "},
		"not a number": {scoring(func(metric.Input) assay.Score { return assay.Score{State: assay.Scored, Value: math.NaN()} }), nil,
			"scores: "},
		"out of range":   {scoring(func(metric.Input) assay.Score { return assay.Value(1.5) }), nil, "scores: "},
		"no reason":      {scoring(func(metric.Input) assay.Score { return assay.None("") }), nil, "without a reason"},
		"never a score":  {scoring(func(metric.Input) assay.Score { return assay.None("never") }), nil, "scores no input"},
		"outside bounds": {scoring(func(metric.Input) assay.Score { return assay.Score{State: assay.Scored, Value: 0.5} }), nil, "bounds"},
		"evidence of what": {scoring(func(metric.Input) assay.Score {
			s := assay.Value(1)
			s.Evidence = []assay.Evidence{{Text: "x"}}
			return s
		}), nil, "no kind"},
		"words that are not there": {scoring(func(in metric.Input) assay.Score {
			s := assay.Value(1)
			s.Evidence = []assay.Evidence{{Kind: "claim", Spans: []assay.Span{{End: len(in.Response.Answer) + 1}}}}
			return s
		}), nil, "has no span"},
		"changes its input": {changed(func(d *metric.Def) {
			d.Name = "unsafe"
			d.New = returns(func(in metric.Input) (assay.Score, error) {
				in.Response.Warnings = append(in.Response.Warnings, "seen")
				return assay.Value(1), nil
			})
		}), nil, "changed its input"},
		"another each time": {scoring(func(metric.Input) assay.Score { return assay.Value(float64(calls.Add(1)%2) / 2) }), nil, "then"},
		"pooled of nothing": {changed(func(d *metric.Def) {
			d.Pooled = true
			d.New = returns(func(metric.Input) (assay.Score, error) { return assay.Score{State: assay.Scored, Num: 1}, nil })
		}), nil, "pooled"},
		"reads passages": {scoring(func(in metric.Input) assay.Score { return assay.Value(1 / float64(1+len(in.Response.Passages))) }), nil,
			"reads: "},
		"reads the answer": {changed(func(d *metric.Def) { d.Reads = metric.ReadPassages }), nil, "reads: "},
		"embeds":           {changed(func(d *metric.Def) { d.New = embedding().New }), nil, "embedder: "},
		"takes any vector": {changed(func(d *metric.Def) { d.Embeds = true }), nil, "embedder: "},
		"a failed judge scores": {judging(func(a *judge.Assessment) (assay.Score, error) {
			s, _ := claims(a)
			return s, nil
		}), nil, "judge: "},
		"one failed part scores": {changed(func(d *metric.Def) {
			*d = judging(func(a *judge.Assessment) (assay.Score, error) {
				if m, err := question.Marks.Of(a).Get(); err == nil {
					return assay.Value(float64(len(m)) / 10), nil
				}
				return claims(a)
			})
			d.Asks = d.Asks.Join(judge.Asks{question.Marks})
		}), nil, "judge: "},
		"asks more than it says": {judging(func(a *judge.Assessment) (assay.Score, error) {
			if _, err := question.Marks.Of(a).Get(); err != nil {
				return assay.Value(0), nil
			}
			return claims(a)
		}), nil, "does not say all that it asks"},
		"asks nothing and reads": {changed(func(d *metric.Def) {
			d.New = returns(func(in metric.Input) (assay.Score, error) {
				if in.Assessment == nil {
					return assay.Value(0), nil
				}
				return assay.Value(1), nil
			})
		}), nil, "reads what one says"},
		"trusts any list": {changed(func(d *metric.Def) {
			*d = judging(func(a *judge.Assessment) (assay.Score, error) {
				r, err := question.Answer.Of(a).Get()
				findings, err2 := question.AnswerPassages.Of(a).Get()
				return assay.Value(float64(len(findings)) / float64(max(len(r.Claims), 1))), errors.Join(err, err2)
			})
			d.Asks = d.Asks.Join(judge.Asks{question.AnswerPassages})
		}), nil, "metric length computed"},
		"follows in silence": {scoring(func(in metric.Input) assay.Score {
			if in.Attribution == nil {
				return assay.Value(0)
			}
			return assay.Value(1)
		}), nil, "does not say that it follows"},
		"follows nothing":  {changed(func(d *metric.Def) { d.Follows = true }), nil, "follows: "},
		"worse for better": {good(), []Pair{{Worse: answerOf("long answer"), Better: answerOf("short")}}, "order: "},
	} {
		if got := strings.Join(problems(t, tc.def, tc.pairs...), "\n"); !strings.Contains(got, tc.want) {
			t.Errorf("%s: want a report with %q, got %.300q", name, tc.want, got)
		}
	}
}

var ambiguous = []metric.Param{
	{Name: "p", Doc: "p", Default: "a", Values: []string{"a", "b"}},
	{Name: "q", Doc: "q", Default: "b", Values: []string{"b", "c"}},
}

func answerOf(s string) metric.Input {
	in := labelled()
	in.Response.Answer = s
	return in
}

// The embedder for tests must be what an embedder is: vectors of length 1, the
// same for the same text.
func TestEmbedder(t *testing.T) {
	t.Parallel()
	e := Embedder()
	v, err := e.Embed(t.Context(), []string{"the tower", "The  Tower", "cats sleep", ""})
	if err != nil || len(v) != 4 {
		t.Fatalf("%d vectors, %v", len(v), err)
	}
	for i, x := range v {
		sum := 0.0
		for _, y := range x {
			sum += float64(y) * float64(y)
		}
		if len(x) != e.Dimensions() || math.Abs(sum-1) > 1e-6 {
			t.Errorf("vector %d is %v", i, x)
		}
	}
	if fmt.Sprint(v[0]) != fmt.Sprint(v[1]) || fmt.Sprint(v[0]) == fmt.Sprint(v[2]) {
		t.Errorf("got %v", v)
	}
}
