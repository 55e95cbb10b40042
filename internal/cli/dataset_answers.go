package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset/generate"
	"github.com/assay-eval/assay/judge"
)

func newDatasetAnswers(env *Env) *cobra.Command {
	return writingCommand(env, "answers", "write new answers to cases that have some", (*writing).answers)
}

func (w *writing) answers(ctx context.Context, force, selected bool) error {
	return writeCases(ctx, w, part[assay.Document, generate.Answer]{
		doing: "writing answers", force: force, selected: selected,
		has:  func(c *assay.Case) bool { return len(c.Want.Answers) > 0 },
		left: "they have answers", again: "writes new answers",
		from: (*generate.Corpus).Sources,
		write: func(ctx context.Context, s judge.Subject, from []assay.Document) (generate.Answer, error) {
			return w.writer.Answer(ctx, s, from)
		},
		apply: func(c *assay.Case, a generate.Answer) (warnings []string) {
			a.Apply(c)
			return a.Warnings
		},
	})
}
