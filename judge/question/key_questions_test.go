package question_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// The scheme has 100 points, which are the weights of its dimensions.
func TestKeyQuestionsScheme(t *testing.T) {
	t.Parallel()
	points := 0
	for _, d := range question.KeyQuestionsRubric().Dimensions {
		points += d.Max()
		if d.Weight != float64(d.Max()) {
			t.Errorf("%+v: want the points as weight", d)
		}
	}
	if points != 100 {
		t.Errorf("%d points", points)
	}
}

// schemer is a judge that keeps what it was given to mark.
type schemer struct{ given [][]string }

func (*schemer) Info() assay.JudgeInfo { return assay.JudgeInfo{Provider: "schemer"} }

func (m *schemer) Ask(ctx context.Context, t judge.AnyTask, s judge.Subject, given any) (any, error) {
	return judge.NewAnswers(question.MarkKeyQuestions.By(m.mark)).Ask(ctx, t, s, given)
}

func (m *schemer) mark(_ context.Context, _ judge.Subject, questions []string) ([]judge.Mark, error) {
	m.given = append(m.given, questions)
	return make([]judge.Mark, 4), nil
}

// The sub-questions are marked; a response without any is not asked about.
func TestKeyQuestionsAreMarked(t *testing.T) {
	t.Parallel()
	keyQuestions := judge.Asks{question.KeyQuestions}
	m := &schemer{}
	a, err := judge.Assess(
		t.Context(), m, judge.Plan{Asks: keyQuestions}, &assay.Case{ID: "a", Question: "Who built it, and when?"},
		&assay.Response{Answer: "yes", Trace: &assay.Trace{Stages: []assay.Stage{
			{Name: assay.StageDecompose, Output: json.RawMessage(`["Who built it?","When was it built?"]`)},
		}}},
	)
	if err != nil || !question.KeyQuestions.Of(a).Asked() {
		t.Fatal(err)
	}
	if d := cmp.Diff([][]string{{"Who built it?", "When was it built?"}}, m.given); d != "" {
		t.Error(d)
	}
	m = &schemer{}
	a, err = judge.Assess(
		t.Context(), m, judge.Plan{Asks: keyQuestions}, &assay.Case{ID: "a", Question: "Who?"}, &assay.Response{Answer: "He."},
	)
	if err != nil || question.KeyQuestions.Of(a).Asked() || len(m.given) > 0 {
		t.Errorf("asked %v: %v, %v", question.KeyQuestions.Of(a).Asked(), m.given, err)
	}
}
