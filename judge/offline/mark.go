package offline

import (
	"context"

	"github.com/assay-eval/assay/judge"
)

// Mark always returns a *[judge.Error]: the levels of a rubric are described in
// words, and no formula here reads them. A number all the same would look like
// a mark.
func (j *Judge) Mark(ctx context.Context, _ judge.Subject, _ judge.Rubric, _ judge.Work) ([]judge.Mark, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, &judge.Error{Operation: "mark", Message: "the offline judge cannot mark by a rubric: configure a provider with a model (--judge)"}
}
