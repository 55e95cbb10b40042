package judge_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// In both languages the scheme has 100 points, in the same dimensions and steps,
// each said in words.
func TestKeyQuestionsScheme(t *testing.T) {
	t.Parallel()
	english, chinese := judge.KeyQuestions(judge.English), judge.KeyQuestions(judge.Chinese)
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
type schemer struct {
	clerk
	rubric judge.Rubric
	work   judge.Work
}

func (m *schemer) Mark(ctx context.Context, s judge.Subject, r judge.Rubric, w judge.Work) ([]judge.Mark, error) {
	m.rubric, m.work = r, w
	return m.clerk.Mark(ctx, s, r, w)
}

// What is marked are the sub-questions, by the scheme in the language of the
// question; a response without any is not asked about.
func TestKeyQuestionsAreMarked(t *testing.T) {
	t.Parallel()
	asked := func(parts string) *assay.Response {
		return &assay.Response{Answer: "yes", Trace: &assay.Trace{Stages: []assay.Stage{{Name: assay.StageDecompose, Output: json.RawMessage(parts)}}}}
	}
	for question, lang := range map[string]judge.Language{"Who built it, and when?": judge.English, "誰建造的？甚麼時候？": judge.Chinese} {
		m := &schemer{}
		a, err := judge.Assess(t.Context(), m, judge.Plan{Asks: judge.AskKeyQuestions}, &assay.Case{ID: "a", Question: question}, asked(`["Who built it?","When\nwas it built?"]`))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(judge.KeyQuestions(lang), m.rubric); d != "" {
			t.Errorf("%q: %s", question, d)
		}
		if m.work.Answer != "1. Who built it?\n2. When was it built?" || !a.KeyQuestions.Asked() {
			t.Errorf("%q is given to mark, asked %v", m.work.Answer, a.KeyQuestions.Asked())
		}
	}
	m := &schemer{}
	a, err := judge.Assess(t.Context(), m, judge.Plan{Asks: judge.AskKeyQuestions}, &assay.Case{ID: "a", Question: "Who?"}, &assay.Response{Answer: "He."})
	if err != nil || a.KeyQuestions.Asked() || len(m.made()) > 0 {
		t.Errorf("asked %v: %v, %v", a.KeyQuestions.Asked(), m.made(), err)
	}
}
