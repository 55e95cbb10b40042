package question

import (
	"context"
	"errors"

	"github.com/assay-eval/assay/judge"
)

// IdealResponse writes the answer to the question from chunks and nothing else,
// with the document of each statement in square brackets.
var IdealResponse = task(judge.Task[[]judge.Chunk, string]{
	Name: "evaluate_ideal_response", Elements: true, Combine: judge.First[[]judge.Chunk, string]{},
	StandIn: func([]byte) (any, error) { return "The documents answer this [stand-in].", nil },
	Model: func(ctx context.Context, m judge.Asker, s judge.Subject, chunks []judge.Chunk) (string, error) {
		return askElements(ctx, m, s, chunkElements(s.Question, chunks), func(reply []byte) (string, error) {
			if len(reply) == 0 {
				return "", errors.New("it is empty: want an answer")
			}
			return string(reply), nil
		})
	},
})
