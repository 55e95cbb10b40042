package question

import (
	"context"

	"github.com/assay-eval/assay/judge"
)

// Responses are an answer and the standard that it is compared with.
type Responses struct{ Standard, Answer string }

// A Comparison says how far an answer agrees with the standard.
type Comparison struct {
	// Completeness is one of 0, 0.25, 0.5, 0.75 and 1.
	Completeness float64
	// FactualAccuracy is one of the same; nil for an answer that states nothing: what is
	// not said is neither right nor wrong.
	FactualAccuracy *float64
	Comments        string
}

// topLevel is the highest level of a comparison; the prompt says what each level means.
const topLevel = 4

// CompareResponses scores an answer against a standard answer to the question.
var CompareResponses = task(judge.Task[Responses, Comparison]{
	Name: "evaluate_response_comparison", Version: "v2", Elements: true, Combine: judge.First[Responses, Comparison]{},
	StandIn: func([]byte) (any, error) {
		return object{
			"comments": "the stand-in finds no fault", "declines": false, "completeness_level": topLevel, "factual_accuracy_level": topLevel,
		}, nil
	},
	Model: func(ctx context.Context, m judge.Asker, s judge.Subject, in Responses) (Comparison, error) {
		return askElements(ctx, m, s, []judge.Element{
			{Name: "sub_question", Text: s.Question}, {Name: "ground_truth_response", Text: in.Standard},
			{Name: "pipeline_response", Text: in.Answer},
		}, readComparison)
	},
})

// readComparison reads the two levels.
func readComparison(reply []byte) (c Comparison, err error) {
	object, err := fields(reply)
	if err != nil {
		return c, err
	}
	if c.Comments, err = textField(object, "comments"); err != nil {
		return c, err
	}
	declines, err := field[bool](object, "declines", "true or false")
	if err != nil || declines {
		return c, err
	}
	if c.Completeness, err = levelField(object, "completeness_level", topLevel); err != nil {
		return c, err
	}
	accuracy, err := levelField(object, "factual_accuracy_level", topLevel)
	c.FactualAccuracy = &accuracy
	return c, err
}
