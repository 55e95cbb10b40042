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
		Use:   "answers --dataset DATASET --output FILE",
		Short: "Generate reference answers from the relevant documents",
		Long: `Generate reference answers with a model, before any system is evaluated. The
answer to a case is written from the 3 to 5 documents with the highest grades, or
from its reference passages when it has no documents, in at most 500 tokens. The
case records the model, the sources and the time (metadata, "written").

Cases that have answers are skipped, and so are those marked as unanswerable;
--force overwrites existing answers (with --refresh, because the ledger otherwise
returns the same answer).
Every answer is in the ledger as soon as it is written: the same command without
--refresh continues where it stopped, and pays for nothing twice. FILE holds all
cases of the dataset, in assay's own format.

Generated answers are drafts: review some before you evaluate with them.`,
		Example: `  assay dataset answers --dataset scifact/ --limit 5 --selected --output five.json --writer ollama:qwen3 --dry-run
  assay dataset answers --dataset scifact/ --sample 50 --seed 7 --output scifact.json --writer openai:gpt-4.1-mini --max-cost 1
  assay dataset answers --dataset gold.yaml --corpus docs/ --output gold.yaml --writer anthropic:claude-sonnet-4-5`,
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
