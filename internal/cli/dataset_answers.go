package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset/generate"
	"github.com/assay-eval/assay/judge"
)

func newDatasetAnswers(env *Env) *cobra.Command {
	var f writingFlags
	var force, selected bool
	cmd := &cobra.Command{
		Use:  "answers --dataset DATASET --output FILE",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := f.begin(cmd, env)
			if err != nil {
				return err
			}
			return w.answers(cmd.Context(), force, selected)
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&force, "force", false, "write new answers to cases that have some")
	cmd.Flags().BoolVar(&selected, "selected", false, "write only the chosen cases to FILE (default: all of the dataset)")
	return cmd
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
