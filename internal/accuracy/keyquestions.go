package accuracy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/attack"
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

// keyQuestions asks both judges for their marks at the same time. If one has none,
// there are no marks.
func (e *evaluator) keyQuestions(ctx context.Context) (*KeyQuestionsEvaluation, error) {
	for _, q := range e.result.ExtractedKeyQuestions {
		if part := attack.Forged(q); part != "" {
			return nil, fmt.Errorf("withheld: a key question imitates the end of the judge's material, or a ruling: %q", text.Shorten(part, 80))
		}
	}
	n := len(e.KeyQuestions)
	out := &KeyQuestionsEvaluation{Evaluations: make([]Marks, n)}
	failed := make([]error, n)
	var both sync.WaitGroup
	for i, m := range e.KeyQuestions {
		both.Go(func() { out.Evaluations[i], failed[i] = e.mark(ctx, m) })
	}
	both.Wait()
	if err := errors.Join(failed...); err != nil {
		return nil, err
	}
	for _, m := range out.Evaluations {
		for i, p := range out.AverageScores.points() {
			*p += *m.Scores.points()[i] / float64(n)
		}
		out.AverageTotal += m.TotalScore / float64(n)
		for _, other := range out.Evaluations {
			out.Disagreement.TotalDifference = max(out.Disagreement.TotalDifference, m.TotalScore-other.TotalScore)
		}
	}
	out.Disagreement.Bound = maxScore * judge.FarApart
	if e.MaxDisagreement != nil {
		out.Disagreement.Bound = *e.MaxDisagreement
	}
	out.Disagreement.Flagged = out.Disagreement.TotalDifference > out.Disagreement.Bound
	return out, nil
}

func (e *evaluator) mark(ctx context.Context, m Model) (Marks, error) {
	began := e.Now()
	parts, err := json.Marshal(e.result.ExtractedKeyQuestions)
	if err != nil {
		return Marks{}, err
	}
	r := assay.Response{Trace: &assay.Trace{Stages: []assay.Stage{{Name: assay.StageDecompose, Output: parts}}}}
	said, err := e.assess(ctx, m, markWaits, judge.Plan{Asks: judge.Asks{question.KeyQuestions}}, e.result.Input.Text, r)
	var marks []judge.Mark
	if err == nil {
		marks, err = question.KeyQuestions.Of(said).Get()
	}
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
