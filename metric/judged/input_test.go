package judged_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/judged"
)

var catalog = metric.NewCatalog(judged.Defs()...)

// scored gives the score of a metric by name, as a user would ask for it.
func scored(t testing.TB, name string, in metric.Input) assay.Score {
	t.Helper()
	m, err := catalog.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return m.Score(t.Context(), in)
}

func value(t testing.TB, what string, s assay.Score, want float64) {
	t.Helper()
	if s.State != assay.Scored || math.Abs(s.Value-want) > 1e-9 {
		t.Errorf("%s: %s %v %q: want %v", what, s.State, s.Value, s.Reason, want)
	}
}

func state(t testing.TB, what string, s assay.Score, want assay.State) {
	t.Helper()
	if s.State != want || s.Value != 0 {
		t.Errorf("%s: %s %v %q: want %s", what, s.State, s.Value, s.Reason, want)
	}
}

// asked makes the input of a case with one reference answer, an answer and n
// passages, about which a judge has said nothing yet but that it answers.
func asked(n int) metric.Input {
	in := metric.Input{
		Case:       &assay.Case{ID: "a", Question: "Who built it?", Want: assay.Want{Answers: []string{"Eiffel did."}}},
		Response:   &assay.Response{Answer: "Eiffel built it.", Passages: []assay.Passage{}},
		Assessment: &judge.Assessment{Passages: n},
		Embedder:   table{},
	}
	question.Answer.Set(in.Assessment, judge.Known(judge.Reading{Kind: judge.Answered}))
	for i := range n {
		in.Response.Passages = append(in.Response.Passages, assay.Passage{Text: fmt.Sprintf("passage text %d", i+1)})
	}
	return in
}

// setBoth sets the rulings of a question, also as those that tell which passages suffice alone.
func setBoth[T any](a *judge.Assessment, of, alone *judge.Question[T], p judge.Part[T]) {
	of.Set(a, p)
	alone.Set(a, p)
}

// says makes a reading of n claims, one a sentence.
func says(k judge.AnswerKind, n int) judge.Part[judge.Reading] {
	r := judge.Reading{Kind: k}
	for i := range n {
		r.Claims = append(r.Claims, judge.Claim{Text: fmt.Sprintf("claim %d", i+1), Sentence: i + 1})
	}
	return judge.Known(r)
}

// rulings makes findings of the verdicts' words; "extra" is another for
// "not_found".
func rulings(t testing.TB, words ...string) judge.Part[[]judge.Finding] {
	t.Helper()
	out := []judge.Finding{}
	for _, w := range words {
		f := judge.Finding{Why: "why"}
		switch w {
		case "unknown":
		case "extra":
			f.Verdict = judge.NotFound
		default:
			for _, v := range []judge.Verdict{judge.Supported, judge.Contradicted, judge.NotFound} {
				if v.String() == w {
					f.Verdict = v
				}
			}
			if f.Verdict == judge.Unknown {
				t.Fatalf("no verdict %q", w)
			}
		}
		if f.Verdict == judge.Supported {
			f.Degree = 1
		}
		out = append(out, f)
	}
	return judge.Known(out)
}

// yesNo makes findings of ones and zeros.
func yesNo(values ...int) judge.Part[[]judge.Finding] {
	matrix := make([][]int, len(values))
	for i, v := range values {
		matrix[i] = []int{v}
	}
	return alone(matrix...)
}

// alone makes findings of a row for each claim, with 1 for each source that
// supports it alone.
func alone(matrix ...[]int) judge.Part[[]judge.Finding] {
	out := make([]judge.Finding, len(matrix))
	for i, row := range matrix {
		out[i] = judge.Finding{Verdict: judge.NotFound}
		for j, v := range row {
			if v == 1 {
				out[i].Verdict, out[i].Degree = judge.Supported, 1
				out[i].Quotes = append(out[i].Quotes, judge.Quote{Source: j, Text: "words", Alone: true})
			}
		}
	}
	return judge.Known(out)
}

var errJudge = errors.New("the judge said nothing")
