package offline

import (
	"context"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// reverse returns the first claims of the answer in place of questions. Their cosine
// with the real question separates it from others better than that of a question made
// by a template, and as well as that of the whole answer, which an embedder may
// truncate; docs/results/offline-judge.md has the figures. An answer that declines is
// noncommittal.
func (j *Judge) reverse(ctx context.Context, s judge.Subject, in question.ReverseInput) ([]judge.Reversed, error) {
	if err := unmeasured(ofReverse, s); err != nil {
		return nil, err
	}
	answer, n := in.Answer, in.Count
	reading, err := j.read(ctx, judge.Subject{Language: s.Language}, answer)
	if err != nil {
		return nil, err
	}
	var out []judge.Reversed
	for _, c := range reading.Claims[:min(max(n, 0), len(reading.Claims))] {
		out = append(out, judge.Reversed{Question: c.Text})
	}
	if out == nil && hasWord(answer) && n > 0 {
		out = append(out, judge.Reversed{Question: text.Collapse(answer), Noncommittal: reading.Kind.Declines()})
	}
	return out, nil
}
