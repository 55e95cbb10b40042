package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset/generate"
	"github.com/assay-eval/assay/judge"
)

func newDatasetIdeal(env *Env) *cobra.Command {
	return writingCommand(env, "ideal", "write new ideal answers to cases that have one: a new version of the dataset", (*writing).ideals)
}

func (w *writing) ideals(ctx context.Context, force, selected bool) error {
	replaced, dropped := 0, 0
	return writeCases(ctx, w, part[assay.Passage, generate.Ideal]{
		doing: "writing ideal answers", checks: true, force: force, selected: selected,
		has:  func(c *assay.Case) bool { return c.Want.Ideal != nil },
		left: "they have an ideal answer", again: "writes new ones",
		from: (*generate.Corpus).Passages,
		write: func(ctx context.Context, s judge.Subject, from []assay.Passage) (generate.Ideal, error) {
			return w.writer.Ideal(ctx, w.judge, s, from)
		},
		apply: func(c *assay.Case, ideal generate.Ideal) (warnings []string) {
			if c.Want.Ideal != nil {
				replaced++
			}
			dropped += len(ideal.Dropped)
			ideal.Apply(c)
			return ideal.Written.Warnings
		},
		summarize: func() {
			if dropped > 0 {
				w.env.Warn("%s dropped: not supported by any passage", counted(dropped, "point"))
			}
			if replaced > 0 {
				w.env.Warn("%s with a changed ideal answer: this is a new version of the dataset, and its scores are not comparable with "+
					"earlier ones",
					countCases(replaced))
			}
		},
	})
}
