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
	ID           int    `json:"id"`
	Question     string `json:"question"`
	Noncommittal bool   `json:"noncommittal"`
}

// Questions writes n questions in one call. Those that cannot be read are
// blank, so that their share shows in what is made of the others; none at all is
// an error.
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
			return fmt.Errorf("it has %d questions with ids of their own: want %d, with the ids 1 to %d", got, n, n)
		}
		return nil
	})
	found := questionsOf(decode[questionItem](a.Items))
	if over(ctx, err) || err != nil && len(found) == 0 {
		return nil, give(ctx, task, err)
	}
	out := make([]judge.Reversed, n)
	copy(out, found)
	return out, nil
}

// questionsOf gives the questions that say something, each id once. Of two that
// share an id and differ nobody knows which was meant: neither counts.
func questionsOf(items []questionItem) []judge.Reversed {
	byID := map[int]questionItem{}
	torn := map[int]bool{}
	for i, item := range items {
		items[i].Question = strings.TrimSpace(item.Question)
		if other, again := byID[item.ID]; again && other != items[i] {
			torn[item.ID] = true
		}
		byID[item.ID] = items[i]
	}
	var out []judge.Reversed
	for _, i := range items {
		if _, first := byID[i.ID]; i.Question == "" || torn[i.ID] || !first {
			continue
		}
		delete(byID, i.ID)
		out = append(out, judge.Reversed{Question: i.Question, Noncommittal: i.Noncommittal})
	}
	return out
}
