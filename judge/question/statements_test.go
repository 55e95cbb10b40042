package question_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// holder rules that a claim is supported if the only source has its words.
type holder struct {
	asked []string
	fails bool
}

func (*holder) Info() assay.JudgeInfo { return assay.JudgeInfo{Provider: "holder"} }

func (h *holder) Ask(_ context.Context, _ judge.AnyTask, _ judge.Subject, given any) (any, error) {
	in, ok := given.(question.SupportInput)
	if !ok || len(in.Sources) != 1 {
		return nil, errors.New("want claims about the answer alone")
	}
	if h.fails {
		return nil, &judge.Error{Operation: "support", Message: "it is away"}
	}
	out := make([]judge.Finding, len(in.Claims))
	for i, c := range in.Claims {
		h.asked = append(h.asked, c.Text)
		switch {
		case c.Text == "unclear":
			out[i].Why = "no quote"
		case strings.Contains(in.Sources[0].Text, c.Text):
			out[i] = judge.Finding{Verdict: judge.Supported, Degree: 1, Quotes: []judge.Quote{{Text: c.Text, Alone: true}}}
		default:
			out[i] = judge.Finding{Verdict: judge.NotFound}
		}
	}
	return out, nil
}

// Statements of the case and of the run are asked about at once, each once, and only those of
// checks that apply.
func TestStatements(t *testing.T) {
	t.Parallel()
	must := func(when string, all ...any) assay.Check {
		return assay.Check{Kind: assay.CheckMustState, When: when, Value: all}
	}
	c := &assay.Case{ID: "a", Question: "Who pays?", Tags: []string{"hr"}, Want: assay.Want{Checks: []assay.Check{
		must("", "we pay", "unclear"), must(`"it" in tags`, "not asked"), {Kind: assay.CheckContains, Value: "x"},
		{Kind: assay.CheckSet, Checks: []assay.Check{{Kind: assay.CheckMustNotState, Value: "you pay"}}},
	}}}
	plan := judge.Plan{Asks: judge.Asks{question.Statements}, Checks: []assay.Check{must("", "we pay"), must(`"hr" in tags`, "of the run")}}
	j := &holder{}
	a, err := judge.Assess(t.Context(), j, plan, c, &assay.Response{Answer: "Yes, we pay."})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"we pay", "unclear", "you pay", "of the run"}; !slices.Equal(j.asked, want) {
		t.Errorf("asked about %q, want %q", j.asked, want)
	}
	for statement, want := range map[string]bool{"we pay": true, "you pay": false, "of the run": false} {
		if got, _, err := question.Stated(a, statement); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", statement, got, err, want)
		}
	}
	for statement, want := range map[string]string{"unclear": "no ruling: no quote", "not asked": "not asked about"} {
		if _, _, err := question.Stated(a, statement); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", statement, err, want)
		}
	}
	// An empty answer states nothing, and that is known without a call.
	j = &holder{fails: true}
	if a, err = judge.Assess(t.Context(), j, plan, c, &assay.Response{}); err != nil {
		t.Fatal(err)
	}
	if got, _, err := question.Stated(a, "we pay"); got || err != nil {
		t.Errorf("an empty answer: %v, %v", got, err)
	}
	if a, err = judge.Assess(t.Context(), j, plan, c, &assay.Response{Answer: "Yes."}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := question.Stated(a, "we pay"); err == nil || !strings.Contains(err.Error(), "it is away") {
		t.Errorf("a judge that is away: %v", err)
	}
	if a, err = judge.Assess(t.Context(), j, judge.Plan{Asks: plan.Asks}, &assay.Case{ID: "b", Question: "?"}, &assay.Response{Answer: "x"}); err != nil {
		t.Fatal(err)
	}
	if question.Statements.Of(a).Asked() {
		t.Error("a case without statements was asked about")
	}
}
