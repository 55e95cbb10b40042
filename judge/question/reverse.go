package question

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/standin"
)

// reversed is how many questions are written for an answer.
const reversed = 3

// ReverseInput is an answer, and how many questions to write for it.
type ReverseInput struct {
	Answer string
	Count  int
}

// Reverse writes questions that the answer would answer, without having seen the
// real one: the subject's question is not shown to the judge.
var Reverse = task(judge.Task[ReverseInput, []judge.Reversed]{
	Name: "questions", Version: "v2", Model: reverse, Combine: judge.First[ReverseInput, []judge.Reversed]{}, StandIn: played(playReverse),
})

// Questions has three questions that the answer would answer; none for a blank
// answer.
var Questions = about(judge.Question[[]judge.Reversed]{
	Name: "questions", Title: "questions that the answer answers", Tasks: []judge.AnyTask{Reverse},
	Find: func(ctx context.Context, h *judge.Hearing) ([]judge.Reversed, error) {
		if strings.TrimSpace(h.Response.Answer) == "" {
			return nil, nil
		}
		return Reverse.Ask(ctx, h.Judge, h.Subject, ReverseInput{h.Response.Answer, reversed})
	},
})

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

// reverse writes the questions in one call. Those that cannot be read are blank,
// so that their share shows in what is made of the others; none at all is an error.
func reverse(ctx context.Context, m judge.Asker, s judge.Subject, in ReverseInput) ([]judge.Reversed, error) {
	n := in.Count
	if n < 1 {
		return nil, nil
	}
	a, err := m.Put(ctx, s, questionsData{in.Answer, n}, decoded(func(reply itemsOf[questionItem]) error {
		if got := len(questionsOf(reply.Items)); got < n {
			return fmt.Errorf("it has %d questions with ids of their own: want %d, with the ids 1 to %d", got, n, n)
		}
		return nil
	}))
	found := questionsOf(decode[questionItem](a.Items))
	if judge.Over(ctx, err) || err != nil && len(found) == 0 || a.Listed(err) != nil {
		return nil, judge.GivesUp(ctx, err)
	}
	out := make([]judge.Reversed, n)
	copy(out, found)
	return out, nil
}

// questionsOf returns the questions that say something, each id once. Of two that
// share an id and differ no one knows which was meant: neither counts.
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

// playReverse asks for what the sentences of the answer are about.
func playReverse(r questionsData) object {
	const most = 20
	all := standin.Sentences(r.Answer)
	evades := standin.Declines(r.Answer)
	items := []object{}
	for i := range min(r.Count, most) {
		of := r.Answer
		if len(all) > 0 {
			of = all[i%len(all)].Text
		}
		items = append(items, object{"id": i + 1, "question": standin.QuestionAbout(i, of), "noncommittal": evades})
	}
	return object{"items": items}
}
