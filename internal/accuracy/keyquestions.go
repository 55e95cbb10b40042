package accuracy

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
)

// A dimensionOfMarks is one of the marking scheme.
type dimensionOfMarks struct {
	name string
	most float64
	of   func(*Scores) *float64
}

// scheme is the marking scheme of the key questions: 100 points in four
// dimensions.
var scheme = []dimensionOfMarks{
	{"dimension_1_準確性", 40, func(s *Scores) *float64 { return &s.Accuracy }},
	{"dimension_2_完整性", 25, func(s *Scores) *float64 { return &s.Completeness }},
	{"dimension_3_清晰度", 20, func(s *Scores) *float64 { return &s.Clarity }},
	{"dimension_4_簡潔性", 15, func(s *Scores) *float64 { return &s.Conciseness }},
}

// maxScore is the sum of the scheme.
const maxScore = 100

// Total is the sum, 0 to 100.
func (s Scores) Total() float64 { return s.Accuracy + s.Completeness + s.Clarity + s.Conciseness }

// judges is how many judge the key questions.
const judges = 2

// markWaits are the waits before the tries of a judge after the first.
var markWaits = []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second}

// keyQuestions has both judges mark the key questions at the same time. There
// are no marks unless there are those of both.
func (e *evaluator) keyQuestions(ctx context.Context) (*KeyQuestionsEvaluation, error) {
	material := keyQuestionsMaterial(e.result)
	all := make([]Marks, judges)
	failed := make([]error, judges)
	var g errgroup.Group
	for i, m := range e.KeyQuestions {
		g.Go(func() error {
			all[i], failed[i] = e.mark(ctx, m, material)
			return nil
		})
	}
	_ = g.Wait() // what failed is in failed, of both judges
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	if err := errors.Join(failed...); err != nil {
		return nil, err
	}
	out := &KeyQuestionsEvaluation{Evaluations: all}
	for _, d := range scheme {
		for _, m := range all {
			*d.of(&out.AverageScores) += *d.of(&m.Scores) / judges
		}
	}
	for _, m := range all {
		out.AverageTotal += m.TotalScore / judges
	}
	return out, nil
}

func (e *evaluator) mark(ctx context.Context, m Model, material []string) (Marks, error) {
	began := e.Now()
	out := Marks{ModelName: m.Name, MaxScore: maxScore}
	reply, err := e.ask(ctx, m, taskKeyQuestions, markWaits, func(reply string) (err error) {
		out.Scores, out.Comments, err = readMarks(reply)
		return err
	}, material...)
	if err != nil {
		return Marks{}, fmt.Errorf("judge %q: %w", m.Name, err)
	}
	out.TotalScore = out.Scores.Total()
	out.ThinkingTrace = reply.Thinking
	out.TimeMS = e.since(began)
	return out, nil
}

func keyQuestionsMaterial(r *Result) []string {
	out := []string{element("original", r.Input.Text)}
	for i, q := range r.ExtractedKeyQuestions {
		out = append(out, element("key_question_"+strconv.Itoa(i+1), q))
	}
	return out
}
