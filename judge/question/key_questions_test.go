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

// In both languages the scheme has 100 points, in the same dimensions and steps,
// each said in words.
func TestKeyQuestionsScheme(t *testing.T) {
	t.Parallel()
	english, chinese := question.KeyQuestionsRubric(judge.English), question.KeyQuestionsRubric(judge.Chinese)
	points := 0.0
	for i, d := range english.Dimensions {
		points += d.Weight
		c := chinese.Dimensions[i]
		if d.Name != c.Name || d.Weight != c.Weight || d.Max() != 4 || c.Max() != 4 || d.Doc == "" || d.Doc == c.Doc {
			t.Errorf("%+v and %+v", d, c)
		}
		for j, anchor := range d.Anchors {
			if anchor == "" || c.Anchors[j] == "" || anchor == c.Anchors[j] {
				t.Errorf("%s, step %d: %q and %q", d.Name, j, anchor, c.Anchors[j])
			}
		}
	}
	if points != 100 || len(chinese.Dimensions) != len(english.Dimensions) || english.Task == chinese.Task {
		t.Errorf("%v points", points)
	}
}

// schemer is a judge that keeps what it was given to mark.
type schemer struct{ given []question.MarkInput }

func (*schemer) Info() assay.JudgeInfo { return assay.JudgeInfo{Provider: "schemer"} }

func (m *schemer) Ask(ctx context.Context, t judge.AnyTask, s judge.Subject, given any) (any, error) {
	return judge.NewAnswers(question.Mark.By(m.mark)).Ask(ctx, t, s, given)
}

func (m *schemer) mark(_ context.Context, _ judge.Subject, in question.MarkInput) ([]judge.Mark, error) {
	m.given = append(m.given, in)
	return make([]judge.Mark, len(in.Rubric.Dimensions)), nil
}

// What is marked are the sub-questions, by the scheme in the language of the
// question; a response without any is not asked about.
func TestKeyQuestionsAreMarked(t *testing.T) {
	t.Parallel()
	keyQuestions := judge.Asks{question.KeyQuestions}
	asked := func(parts string) *assay.Response {
		return &assay.Response{
			Answer: "yes", Trace: &assay.Trace{Stages: []assay.Stage{{Name: assay.StageDecompose, Output: json.RawMessage(parts)}}},
		}
	}
	for about, lang := range map[string]judge.Language{
		"Who built it, and when?": judge.English, "誰建造的？甚麼時候？": judge.Chinese,
	} {
		m := &schemer{}
		a, err := judge.Assess(
			t.Context(), m, judge.Plan{Asks: keyQuestions}, &assay.Case{ID: "a", Question: about},
			asked(`["Who built it?","When\nwas it built?"]`),
		)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.given) != 1 || !question.KeyQuestions.Of(a).Asked() {
			t.Fatalf("%q: %d times marked, asked %v", about, len(m.given), question.KeyQuestions.Of(a).Asked())
		}
		if d := cmp.Diff(question.KeyQuestionsRubric(lang), m.given[0].Rubric); d != "" {
			t.Errorf("%q: %s", about, d)
		}
		if got := m.given[0].Work.Answer; got != "1. Who built it?\n2. When was it built?" {
			t.Errorf("%q is given to mark", got)
		}
	}
	m := &schemer{}
	a, err := judge.Assess(
		t.Context(), m, judge.Plan{Asks: keyQuestions}, &assay.Case{ID: "a", Question: "Who?"}, &assay.Response{Answer: "He."},
	)
	if err != nil || question.KeyQuestions.Of(a).Asked() || len(m.given) > 0 {
		t.Errorf("asked %v: %v, %v", question.KeyQuestions.Of(a).Asked(), m.given, err)
	}
}
