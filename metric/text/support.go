package text

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric"
)

// Support is the similarity of each sentence of the answer to the nearest retrieved sentence.
var Support = grounded(metric.Def{
	Name:  "support",
	Title: "Sentence support",
	Doc: "How close each sentence of the answer is in meaning to some sentence of the passages: an estimate of " +
		"faithfulness, with the least supported sentence shown.",
	Formula: "mean over the answer's sentences of max(0, largest cosine with a sentence of a passage); " +
		"stat=min takes the least supported sentence, stat=share the share of sentences at tau or above",
	Edges: groundless + "Sentences without a letter or digit do not count. " +
		"A sentence whose negations differ in number, even or odd, from those of the nearest sentence is shown as evidence and does not " +
		"change the score. " +
		"Values of different embedders are not comparable, and tau is not calibrated: set it from labels of your own.",
	Source: "own definition: the greedy matching of BERTScore (Zhang et al., ICLR 2020) with sentences in place of tokens",
	Embeds: true,
	Params: []metric.Param{
		{Name: "stat", Doc: "what to make of the sentences: their mean, the least, or the share at tau or above", Default: "mean",
			Values: []string{"mean", "min", "share"}},
		{Name: "tau", Doc: "the cosine from which a sentence counts as supported, for stat=share and for the evidence", Default: "0.7",
			Min: 0, Max: 1},
	},
}, func(ctx context.Context, in metric.Input, p metric.Params, g grounding) (assay.Score, error) {
	stat, tau := p.Word("stat"), p.Number("tau")
	said, found, ranks := g.sentences()
	switch {
	case len(said) == 0:
		return assay.None("the answer has no sentence"), nil
	case len(found) == 0:
		return assay.None(assay.NoTexts), nil
	}
	vectors, err := Vectors(ctx, in.Embedder, slices.Concat(said, found))
	if err != nil {
		return assay.Score{}, err
	}
	of := supportOf(vectors[:len(said)], vectors[len(said):], tau)
	s := assay.Value(map[string]float64{"mean": of.mean, "min": of.min, "share": of.share}[stat])
	where := func(i int) string {
		return fmt.Sprintf("sentence %d, %.2f with passage %d", i+1, of.sentences[i], ranks[of.nearest[i]])
	}
	s.Evidence = append(s.Evidence, assay.Evidence{Kind: "weakest", Text: said[of.weakest], Where: where(of.weakest)})
	for i, t := range said {
		if of.sentences[i] >= tau && NegationsDiffer(t, found[of.nearest[i]]) {
			s.Evidence = append(s.Evidence, assay.Evidence{Kind: "negation", Text: t, Where: where(i)})
		}
	}
	return s, nil
})

// sentences returns the sentences of the answer and of the passages, and for each
// of the latter the rank of its passage.
func (g grounding) sentences() (said, found []string, ranks []int) {
	said = withWords(g.answer)
	for i, t := range g.texts {
		for _, s := range withWords(t) {
			found, ranks = append(found, s), append(ranks, g.ranks[i])
		}
	}
	return said, found, ranks
}

// withWords returns the sentences of s that have a letter or a digit.
func withWords(s string) []string {
	var out []string
	for _, p := range text.Sentences(s) {
		if t := p.Of(s); strings.ContainsFunc(t, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			out = append(out, t)
		}
	}
	return out
}

// supported holds for each sentence its largest cosine, at least 0, and the index of
// the nearest sentence of the context, with aggregates of the cosines.
type supported struct {
	sentences        []float64
	nearest          []int
	weakest          int
	mean, min, share float64
}

// supportOf compares the vectors of an answer's sentences with those of the
// context; neither may be empty.
func supportOf(answer, context [][]float32, tau float64) supported {
	var out supported
	for i, v := range answer {
		at, best := nearest(v, context)
		best = max(best, 0)
		out.sentences, out.nearest = append(out.sentences, best), append(out.nearest, at)
		if best < out.sentences[out.weakest] {
			out.weakest = i
		}
		out.mean += best
		out.share += step(best, tau)
	}
	out.mean /= float64(len(answer))
	out.share /= float64(len(answer))
	out.min = out.sentences[out.weakest]
	return out
}
