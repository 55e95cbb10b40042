package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset/generate"
)

func newDatasetIdeal(env *Env) *cobra.Command {
	var f writingFlags
	var force, selected bool
	cmd := &cobra.Command{
		Use:   "ideal --dataset DATASET --output FILE",
		Short: "Have a model write frozen ideal answers from ground-truth passages",
		Long: `Have a model write ideal answers, which completeness and factual accuracy are
measured by: the key points of a complete answer, vital or not, and an answer that
says them. They are written from the reference passages of a case, else from its
3 to 5 most relevant documents.

Points that no passage bears out alone are dropped and counted: the judge rules on
each (--judge; without one the writer itself, in one pass). The ideal answer is
frozen with a hash: to change it is to make a new version of the data set, and
scores across versions are not comparable.

Every ideal answer is kept as it is made (FILE.partial, and the ledger): the same
command goes on where it was stopped.`,
		Example: `  assay dataset ideal --dataset gold.json --corpus docs/ --output gold.json --writer openai:gpt-4.1-mini --dry-run
  assay dataset ideal --dataset gold.json --output ideal.json --writer ollama:qwen3 --judge openai:gpt-4.1-mini`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := f.begin(cmd, env)
			if err != nil {
				return err
			}
			return w.ideals(cmd.Context(), force, selected)
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&force, "force", false, "write new ideal answers to cases that have one: a new version of the data set")
	cmd.Flags().BoolVar(&selected, "selected", false, "write only the chosen cases to FILE (default: all of the data set)")
	return cmd
}

func (w *writing) ideals(ctx context.Context, force, selected bool) error {
	replaced, dropped := 0, 0
	return writeCases(ctx, w, part[assay.Passage, generate.Ideal]{
		name: "ideal", doing: "writing ideal answers", checks: true, force: force, selected: selected,
		has:  func(c *assay.Case) bool { return c.Want.Ideal != nil },
		left: "they have an ideal answer", again: "writes new ones",
		from: (*generate.Corpus).Passages,
		write: func(ctx context.Context, question string, from []assay.Passage) (generate.Ideal, error) {
			return w.writer.Ideal(ctx, w.judge, question, from)
		},
		apply: func(c *assay.Case, ideal generate.Ideal) (warnings []string) {
			if c.Want.Ideal != nil {
				replaced++
			}
			dropped += len(ideal.Dropped)
			ideal.Apply(c)
			return ideal.Written.Warnings
		},
		tell: func() {
			if dropped > 0 {
				w.env.Warn("%s dropped, which no passage bears out", counted(dropped, "point"))
			}
			if replaced > 0 {
				w.env.Warn("%s with another ideal answer than before: this is a new version of the data set, and scores are not comparable with those of the old one", countCases(replaced))
			}
		},
	})
}
