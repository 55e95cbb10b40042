// Package text scores answers without a judge. Each file has one metric or a family
// of metrics, in two separate groups:
//
//   - answer metrics (token_f1, rouge_l, bleu …) compare the answer with reference
//     answers, or with keywords that it should contain;
//   - grounding metrics (support, k_precision …) compare the answer with the passages
//     that it was generated from. They are estimates of faithfulness, because they
//     compare words and vectors, not meaning.
package text

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

var set metric.Set

// Defs returns the definitions of the package.
func Defs() []*metric.Def { return set.Defs() }

const (
	noReference = "the case has no reference answer"
	emptyAnswer = "the answer is empty"
	nothing     = "nothing was retrieved"

	bestReference = "The best of several reference answers counts; with none there is no value. "
	groundless    = "An empty answer has no value; an answer without retrieved passages scores 0; passages without text give no value. "
)

// A formula scores one case.
type formula func(ctx context.Context, in metric.Input, p metric.Params) (assay.Score, error)

// A comparison is an answer beside one of the references.
type comparison struct {
	in                metric.Input
	answer, reference string
	// at is the index of the reference.
	at int
}

// tokens returns the tokens of both sides as numbers, equal for equal tokens. They are
// computed once for all metrics and references of a case.
func (c comparison) tokens(by *tokenizer) (answer, reference []uint32) {
	texts := metric.Once(c.in.Memo, by, func() [][]uint32 {
		return by.numbered(append([]string{c.answer}, c.in.Case.Want.Answers...)...)
	})
	return texts[0], texts[1+c.at]
}

// compared defines a metric that compares the answer with each reference and keeps
// the best score.
func compared(d metric.Def, compare func(p metric.Params, c comparison) float64) *metric.Def {
	d.Needs |= metric.NeedAnswers
	return answers(d, func(_ context.Context, in metric.Input, p metric.Params) (assay.Score, error) {
		refs := in.Case.Want.Answers
		if len(refs) == 0 {
			return assay.None(noReference), nil
		}
		best, at := 0.0, -1
		for i, r := range refs {
			if v := compare(p, comparison{in, in.Response.Answer, r, i}); at < 0 || v > best {
				best, at = v, i
			}
		}
		return matched(assay.Value(best), refs, at), nil
	})
}

// matched records which of several reference answers a score was computed from.
func matched(s assay.Score, refs []string, at int) assay.Score {
	if len(refs) > 1 {
		s.Evidence = append(s.Evidence, assay.Evidence{Kind: "matched", Text: refs[at], Where: fmt.Sprintf("reference answer %d", at+1)})
	}
	return s
}

// answers defines an answer metric.
func answers(d metric.Def, f formula) *metric.Def {
	d.Group = metric.Answer
	d.Reads |= metric.ReadAnswer
	return define(d, f)
}

// A grounding is an answer with the texts of the passages that have one, and the
// rank of each.
type grounding struct {
	answer string
	texts  []string
	ranks  []int
}

// grounded defines an estimate of how well the passages support the answer. The
// function is called only if both have text.
func grounded(
	d metric.Def, score func(ctx context.Context, in metric.Input, p metric.Params, g grounding) (assay.Score, error),
) *metric.Def {
	d.Group, d.Estimate = metric.Grounding, true
	d.Reads |= metric.ReadAnswer | metric.ReadPassages
	return define(d, func(ctx context.Context, in metric.Input, p metric.Params) (assay.Score, error) {
		g := grounding{answer: in.Response.Answer}
		for i, p := range in.Response.Passages {
			if strings.TrimSpace(p.Text) != "" {
				g.texts, g.ranks = append(g.texts, p.Text), append(g.ranks, i+1)
			}
		}
		switch {
		case strings.TrimSpace(g.answer) == "":
			return assay.None(emptyAnswer), nil
		case len(in.Response.Passages) == 0:
			s := assay.Value(0)
			s.Reason = nothing
			return s, nil
		case len(g.texts) == 0:
			return assay.None(assay.NoTexts), nil
		}
		return score(ctx, in, p, g)
	})
}

func define(d metric.Def, f formula) *metric.Def {
	d.New = func(p metric.Params) metric.Func {
		return func(ctx context.Context, in metric.Input) (assay.Score, error) { return f(ctx, in, p) }
	}
	return set.Define(d)
}
