package question

import (
	"context"
	"errors"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/llm/prompt"
)

// IdealResponse writes the answer to the question from chunks and nothing else,
// with the document of each statement in square brackets.
var IdealResponse = task(judge.Task[[]Chunk, string]{
	Name: "evaluate_ideal_response", Elements: true, Combine: judge.First[[]Chunk, string]{},
	StandIn: func([]byte) (any, error) { return "The documents answer this [stand-in].", nil },
	Model: func(ctx context.Context, m judge.Asker, s judge.Subject, chunks []Chunk) (answer string, err error) {
		elements := append([]string{element("sub_question", s.Question)}, chunkElements(chunks)...)
		_, err = m.PutElements(ctx, s, elements, func(reply string) error {
			if answer = prompt.AnswerOf(reply); answer == "" {
				return errors.New("it is empty: want an answer")
			}
			return nil
		})
		if err != nil {
			return "", judge.GivesUp(ctx, err)
		}
		return answer, nil
	},
})
