package offline_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/offline"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/rag/embed"
)

// BenchmarkAssess asks what the common metrics need about an answer of four
// sentences with ten passages of five sentences each, none seen before: most of
// the time is the embedding.
func BenchmarkAssess(b *testing.B) {
	m, err := embed.New("minilm")
	if err != nil {
		b.Fatal(err)
	}
	for name, e := range map[string]assay.Embedder{"minilm": m, "words": nil} {
		b.Run(name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				n++
				if e != nil {
					e = embed.Memo(m)
				}
				c := &assay.Case{Question: fmt.Sprintf("What does ride %d cost?", n),
					Want: assay.Want{Answers: []string{fmt.Sprintf("Ride %d costs 5 dollars. Children pay 2.", n)}}}
				r := &assay.Response{Answer: fmt.Sprintf("Ride %d costs 5 dollars. It was raised in 2019. Children pay less. Ask at the gate.", n)}
				for i := range 10 {
					t := ""
					for k := range 5 {
						t += fmt.Sprintf("In the year %d the fare of line %d was set at %d dollars by the board of the company. ", 1900+n%100, i, k)
					}
					r.Passages = append(r.Passages, assay.Passage{Text: t})
				}
				asks := judge.Asks{question.AnswerPassages, question.ReferencePassages, question.Equivalence, question.Questions, question.Relevance}
				if _, err := judge.Assess(context.Background(), offline.New(e), judge.Plan{Asks: asks}, c, r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
