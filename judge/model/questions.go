package model

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-eval/assay/judge"
)

// questionsData has no field for the question that was asked: a judge that saw
// it would only say it again.
type questionsData struct {
	Answer string `json:"answer"`
	Count  int    `json:"count"`
}

type questionItem struct {
	Question     string `json:"question"`
	Noncommittal bool   `json:"noncommittal"`
}

// Questions writes n questions in one call. When fewer can be read, those are
// given; none is an error.
func (j *Judge) Questions(ctx context.Context, s judge.Subject, answer string, n int) ([]judge.Reversed, error) {
	const task = "questions"
	if n < 1 {
		return nil, nil
	}
	a, err := j.ask(ctx, task, s, questionsData{answer, n}, func(raw json.RawMessage) error {
		var reply struct {
			Items []questionItem `json:"items"`
		}
		if err := json.Unmarshal(raw, &reply); err != nil {
			return err
		}
		if got := len(questionsOf(reply.Items)); got < n {
			return fmt.Errorf("it has %d questions: want %d", got, n)
		}
		return nil
	})
	items := questionsOf(decode[questionItem](a.Items))
	if over(ctx, err) || err != nil && len(items) == 0 {
		return nil, give(ctx, task, err)
	}
	return items[:min(n, len(items))], nil
}

func questionsOf(items []questionItem) []judge.Reversed {
	var out []judge.Reversed
	for _, i := range items {
		if q := strings.TrimSpace(i.Question); q != "" {
			out = append(out, judge.Reversed{Question: q, Noncommittal: i.Noncommittal})
		}
	}
	return out
}
