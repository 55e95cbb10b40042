package stage

import (
	"context"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric"
	lexical "github.com/assay-eval/assay/metric/text"
)

// SubQuestionRecall is the share of labelled sub-questions that were asked.
var SubQuestionRecall = define(metric.Def{
	Name:  "sub_question_recall",
	Title: "Sub-question recall",
	Doc:   "How many of the labelled key questions the decomposition asks, in any words.",
	Formula: "labelled sub-questions with a similar sub-question in the decomposition / labelled sub-questions; " +
		"similar is a similarity of at least tau, the larger of the F1 of their tokens and the cosine of their embeddings",
	Edges: "An empty decomposition scores 0. " +
		"Not applicable if no sub-question is labelled, or the trace does not report a decomposition.",
	Source: "own definition: tokens or embeddings, because paraphrases share few words and embedders support few languages",
	Needs:  metric.NeedSubQuestions,
	Reads:  metric.ReadTrace,
	Embeds: true,
	Params: []metric.Param{{Name: "tau", Doc: "least similarity at which two questions are the same", Default: "0.7", Min: 0, Max: 1}},
	New: func(p metric.Params) metric.Func {
		tau := p.Number("tau")
		return func(ctx context.Context, in metric.Input) (assay.Score, error) {
			want := in.Case.Want.SubQuestions
			asked, ok := in.Response.SubQuestions()
			switch {
			case len(want) == 0:
				return assay.None("no sub-question is labelled"), nil
			case !ok:
				return assay.None("the trace does not report a decomposition"), nil
			}
			similarity, err := similarities(ctx, in.Embedder, want, asked)
			if err != nil {
				return assay.Score{}, err
			}
			found := 0
			var missing []assay.Evidence
			for i, v := range similarity {
				if v >= tau && len(asked) > 0 {
					found++
				} else {
					missing = append(missing, assay.Evidence{Kind: "missing", Text: want[i]})
				}
			}
			s := assay.Value(float64(found) / float64(len(want)))
			s.Evidence = missing
			return s, nil
		}
	},
}, nil)

// similarities returns the similarity of each wanted text to the most similar of the others.
func similarities(ctx context.Context, e assay.Embedder, want, others []string) ([]float64, error) {
	vectors, err := lexical.Vectors(ctx, e, slices.Concat(want, others))
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(want))
	for i, w := range want {
		for j, o := range others {
			out[i] = max(out[i], tokenF1(w, o), lexical.Cosine(vectors[i], vectors[len(want)+j]))
		}
	}
	return out, nil
}

// tokenF1 is the F1 of two texts' tokens as multisets, 0 to 1; 0 if both have no token.
func tokenF1(a, b string) float64 {
	x, y := words(text.MatchForm(a)), words(text.MatchForm(b))
	if len(x)+len(y) == 0 {
		return 0
	}
	count := map[string]int{}
	for _, t := range x {
		count[t]++
	}
	common := 0
	for _, t := range y {
		if count[t] > 0 {
			count[t]--
			common++
		}
	}
	return 2 * float64(common) / float64(len(x)+len(y))
}
