package accuracy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay/judge/question"
)

// points gives the points of the dimensions, in the order of
// [question.KeyQuestionsRubric].
func (s *Scores) points() []*float64 {
	return []*float64{&s.Accuracy, &s.Completeness, &s.Clarity, &s.Conciseness}
}

// maxScore is the sum of the marking scheme.
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
	all := make([]Marks, judges)
	failed := make([]error, judges)
	var g errgroup.Group
	for i, m := range e.KeyQuestions {
		g.Go(func() error {
			all[i], failed[i] = e.mark(ctx, m)
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
	for _, m := range all {
		for i, p := range out.AverageScores.points() {
			*p += *m.Scores.points()[i] / judges
		}
		out.AverageTotal += m.TotalScore / judges
	}
	return out, nil
}

func (e *evaluator) mark(ctx context.Context, m Model) (Marks, error) {
	began := e.Now()
	j, err := e.judge(m, markWaits)
	if err != nil {
		return Marks{}, err
	}
	marks, err := question.MarkKeyQuestions.Ask(ctx, j, e.about(e.result.Input.Text), e.result.ExtractedKeyQuestions)
	if err != nil {
		return Marks{}, fmt.Errorf("judge %q: %w", m.Name, m.explained(err))
	}
	out := Marks{ModelName: m.Name, MaxScore: maxScore, Comments: marks[0].Why, ThinkingTrace: marks[0].Thinking}
	for i, p := range out.Scores.points() {
		*p = marks[i].Level
	}
	out.TotalScore = out.Scores.Total()
	out.TimeMS = e.since(began)
	return out, nil
}
