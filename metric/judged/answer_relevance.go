package judged

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/text"
)

// AnswerRelevance is how close the question is to those the answer answers.
var AnswerRelevance = define(metric.Def{
	Name:  "answer_relevance",
	Title: "Answer relevance", LabelQuestion: assay.LabelOnTopic,
	Doc: "Whether the answer is about the question: how close the question is to the questions that a judge, without seeing it, " +
		"thinks the answer answers. A relative score: compare systems by it, on one embedder, and do not set an uncalibrated threshold.",
	Formula: "mean over the written questions of the cosine of their embedding with the question's, within 0…1; " +
		"0 if all of them are marked as noncommittal",
	Edges: "An empty answer scores 0, and so does one that only evades; if the case cannot be answered, they are abstained. " +
		"Questions that the judge left blank are skipped; without any there is no value. The bounds count a blank one as a cosine of -1 " +
		"and of 1. " +
		"The scale depends on the embedder: 0.7 is common for answers that miss the point. Long correct answers score below short ones.",
	Source: "Ragas answer_relevancy (Es et al., EACL 2024), held within 0…1. That of DeepEval is another measure: the share of the " +
		"answer's statements that are relevant",
	Reads:  metric.ReadAnswer,
	Embeds: true,
	Asks:   judge.Asks{question.Questions},
	New: func(metric.Params) metric.Func {
		return func(ctx context.Context, in metric.Input) (assay.Score, error) {
			written, err := question.Questions.Of(in.Assessment).Get()
			if err != nil {
				return assay.Score{}, err
			}
			if strings.TrimSpace(in.Response.Answer) == "" {
				return evaded(in, abstained(judge.Empty).Reason), nil
			}
			var texts []string
			for _, q := range written {
				if strings.TrimSpace(q.Question) != "" {
					texts = append(texts, q.Question)
				}
			}
			near, err := text.Cosines(ctx, in.Embedder, in.Case.Question, texts)
			if err != nil {
				return assay.Score{}, err
			}
			return relevance(in, written, near)
		}
	},
}, nil)

// evaded is the score of an answer that does not answer.
func evaded(in metric.Input, reason string) assay.Score {
	if !answerable(in) {
		return assay.Score{State: assay.Abstained, Reason: reason + ", and the case is not answerable"}
	}
	return because(0, reason)
}

// relevance scores an answer by the questions written for it; near holds the
// cosines of those that are not blank.
func relevance(in metric.Input, written []judge.Reversed, near []float64) (assay.Score, error) {
	evades, blank, sum, i := len(written) > 0, 0, 0.0, 0
	var evidence []assay.Evidence
	for _, q := range written {
		if strings.TrimSpace(q.Question) == "" {
			// An evasion may leave nothing to ask.
			if !q.Noncommittal {
				blank++
			}
			continue
		}
		evades = evades && q.Noncommittal
		evidence = append(evidence, assay.Evidence{Kind: "question", Text: q.Question, Where: fmt.Sprintf("cosine %.2f", near[i])})
		sum += near[i]
		i++
	}
	if blank == len(written) {
		return assay.Score{}, errors.New("the judge wrote no question")
	}
	if evades {
		s := evaded(in, "the answer is noncommittal")
		s.Evidence = evidence
		return s, nil
	}
	n, all := float64(len(near)), float64(len(near)+blank)
	s := assay.Value(clip(sum / n))
	if blank > 0 {
		s.Lower, s.Upper = min(s.Value, clip((sum-float64(blank))/all)), max(s.Value, clip((sum+float64(blank))/all))
		s.Reason = fmt.Sprintf("the judge left %d of %d questions blank", blank, len(written))
	}
	s.Evidence = evidence
	return s, nil
}
