package rag

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

// A Scorer scores how well texts answer a question, on a scale of its own: more is better.
// It is safe for concurrent use.
type Scorer interface {
	// Score returns a score for each text, in order, how many texts may have been cut to what
	// the scorer reads, and what that used.
	Score(ctx context.Context, question string, texts []string) (scores []float64, cut int, used assay.Usage, err error)
	// Identity changes whenever the scores might.
	Identity() string
}

// Reranker is a [Filter] that asks a scorer. Its scale is not 0 to 10, so that it needs
// [Config.Keep].
type Reranker struct{ Scorer Scorer }

// Identity is that of the scorer.
func (r Reranker) Identity() string { return r.Scorer.Identity() }

// Relevance asks for the scores of all passages together.
func (r Reranker) Relevance(ctx context.Context, _ Turn, question string, passages []assay.Passage) ([]float64, Step, error) {
	texts := make([]string, len(passages))
	for i, p := range passages {
		texts[i] = titled(p)
	}
	scores, cut, used, err := r.Scorer.Score(ctx, question, texts)
	step := Step{Usage: used}
	if cut > 0 {
		step.note(fmt.Sprintf("up to %d passages are longer than the reranker reads, and were scored by their beginning", cut))
	}
	return scores, step, err
}

// titled is the text of a passage by which it is rated: with its title, unless the text
// has it.
func titled(p assay.Passage) string {
	if strings.Contains(p.Text, p.Title) {
		return p.Text
	}
	return strings.TrimSpace(p.Title + " " + p.Text)
}
