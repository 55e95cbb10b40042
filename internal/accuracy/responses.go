package accuracy

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/attack"
	"github.com/assay-eval/assay/judge/question"
)

// noneRelevant is why there is nothing to compare where the relevant chunks are known.
const noneRelevant = "no chunk is relevant"

// responses compares the answer to each sub-question with an ideal one; nil when
// ctx is done.
func (e *evaluator) responses(ctx context.Context, chunks *ChunkEvaluation) *ResponseEvaluation {
	out := &ResponseEvaluation{Status: Completed, PerSubQuestion: make([]ResponseTruth, len(chunks.PerSubQuestion))}
	parts := sectionsOf(e.result)
	failed := make([]error, len(out.PerSubQuestion))
	var all errgroup.Group
	all.SetLimit(10)
	for i, t := range chunks.PerSubQuestion {
		all.Go(func() error {
			out.PerSubQuestion[i], failed[i] = e.response(ctx, t, parts[i])
			return nil
		})
	}
	_ = all.Wait() // failed has the errors
	if ctx.Err() != nil {
		return nil
	}
	fails, skips := 0, 0
	var complete, accurate []*float64
	for i, q := range out.PerSubQuestion {
		complete, accurate = append(complete, q.CompletenessScore), append(accurate, q.FactualAccuracyScore)
		if failed[i] != nil {
			e.failed(Response, fmt.Errorf("sub-question %d: %w", i, failed[i]))
			out.Status = Partial
			fails++
		} else if q.Skipped != "" {
			skips++
			if q.Skipped != noneRelevant {
				out.Status = Partial
			}
		}
	}
	if n := len(failed); n > 0 && fails == n {
		out.Status = Failed
	} else if skips == n {
		out.Status = Skipped
	}
	out.OverallCompleteness, out.OverallFactualAccuracy = mean(complete), mean(accurate)
	return out
}

// response has the ideal answer to a sub-question written, and the answer compared
// with it. These two tasks are put one by one and not as a question about a case:
// the second compares two answers side by side, which no metric does, and the
// contract wants the time of each.
func (e *evaluator) response(ctx context.Context, t ChunkTruth, section string) (ResponseTruth, error) {
	out := ResponseTruth{SubQuestionIndex: t.SubQuestionIndex, SubQuestionText: t.SubQuestionText, PipelineResponseSection: section}
	var chunks []judge.Chunk
	for _, r := range t.GroundTruth.RelevantChunks {
		if at, ok := e.corpus.places[r]; ok && at < len(e.corpus.chunks) && strings.TrimSpace(e.corpus.chunks[at].Text) != "" {
			// The answer cites documents by their names.
			chunks = append(chunks, e.corpus.chunks[at].shown(e.corpus.chunks[at].Metadata.Filename))
		}
	}
	if len(chunks) == 0 {
		out.Skipped = noneRelevant
		switch g := t.GroundTruth; {
		case g.TotalRelevantChunks > 0:
			out.Skipped = "the relevant chunks are not in the corpus"
		case !g.known():
			out.Skipped = "the relevant chunks are not known"
		}
		out.Comments = "skipped: " + out.Skipped
		return out, nil
	}
	if part := attack.Forged(section); part != "" {
		return out, fmt.Errorf("withheld: the answer imitates the end of the judge's material, or a ruling: %q", text.Shorten(part, 80))
	}
	m := e.Options.Response
	j, err := e.judge(m, batchWaits)
	if err != nil {
		return out, err
	}
	began, about := e.Now(), judge.Subject{Question: t.SubQuestionText, Language: e.Language}
	out.GroundTruthResponse, err = question.IdealResponse.Ask(ctx, j, about, chunks)
	out.GroundTruthGenerationTimeMS = e.since(began)
	if err != nil {
		return out, fmt.Errorf("ideal answer: %w", m.explained(err))
	}
	began = e.Now()
	c, err := question.CompareResponses.Ask(ctx, j, about, question.Responses{Standard: out.GroundTruthResponse, Answer: section})
	out.ComparisonTimeMS = e.since(began)
	if err != nil {
		return out, fmt.Errorf("comparison: %w", m.explained(err))
	}
	out.CompletenessScore, out.FactualAccuracyScore, out.Comments = &c.Completeness, c.FactualAccuracy, c.Comments
	return out, nil
}
