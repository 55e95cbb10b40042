package question

import (
	"context"

	"github.com/assay-eval/assay/judge"
)

// Responses are an answer and the standard that it is compared with.
type Responses struct{ Standard, Answer string }

// A Comparison says how far an answer agrees with the standard, each 0 to 1.
type Comparison struct {
	Completeness, FactualAccuracy float64
	Comments                      string
}

// CompareResponses scores an answer against a standard answer to the question.
var CompareResponses = task(judge.Task[Responses, Comparison]{
	Name: "evaluate_response_comparison", Elements: true, Combine: judge.First[Responses, Comparison]{},
	StandIn: func([]byte) (any, error) {
		return object{"completeness_score": 1, "factual_accuracy_score": 1, "comments": "the stand-in finds no fault"}, nil
	},
	Model: func(ctx context.Context, m judge.Asker, s judge.Subject, in Responses) (c Comparison, err error) {
		elements := []judge.Element{
			{Name: "sub_question", Text: s.Question}, {Name: "ground_truth_response", Text: in.Standard},
			{Name: "pipeline_response", Text: in.Answer},
		}
		_, err = m.PutElements(ctx, s, elements, func(reply []byte) (err error) {
			c, err = readComparison(reply)
			return err
		})
		if err != nil {
			return Comparison{}, judge.GivesUp(ctx, err)
		}
		return c, nil
	},
})

// readComparison reads the two scores.
func readComparison(reply []byte) (c Comparison, err error) {
	object, err := fields(reply)
	if err != nil {
		return c, err
	}
	if c.Completeness, err = scoreField(object, "completeness_score", 1); err != nil {
		return c, err
	}
	if c.FactualAccuracy, err = scoreField(object, "factual_accuracy_score", 1); err != nil {
		return c, err
	}
	c.Comments, err = textField(object, "comments")
	return c, err
}
