package model

import (
	"context"
	"encoding/json"

	"github.com/assay-eval/assay/judge"
)

type equivalenceData struct {
	Question   string   `json:"question"`
	Answer     string   `json:"answer"`
	References []string `json:"references"`
}

// Equivalent rules whether the answer says what one of the references does, in
// one call.
func (j *Judge) Equivalent(ctx context.Context, s judge.Subject, answer string, references []string) (judge.Ruling, error) {
	const task = "equivalence"
	if len(references) == 0 {
		return judge.Ruling{}, &judge.Error{Operation: task, Message: "no reference: want at least one"}
	}
	a, err := j.ask(ctx, task, s, equivalenceData{s.Question, answer, turn(references, j.config.Draw)}, nil)
	if err != nil {
		return judge.Ruling{}, give(ctx, task, err)
	}
	var reply struct {
		Why        string `json:"why"`
		Equivalent bool   `json:"equivalent"`
	}
	if err := json.Unmarshal(a.JSON, &reply); err != nil {
		return judge.Ruling{}, give(ctx, task, err)
	}
	r := judge.Ruling{Holds: reply.Equivalent, Why: reply.Why}
	if r.Holds {
		r.Degree = 1
	}
	return r, nil
}
