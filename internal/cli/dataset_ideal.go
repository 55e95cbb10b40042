package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/groundtruth"
	"github.com/assay-eval/assay/judge"
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
	t, corpus, err := w.load(ctx, func(c *assay.Case) bool { return usable(c) && (force || c.Want.Ideal == nil) })
	if err != nil {
		return err
	}
	if left := len(t.chosen) - len(t.ids); left > 0 {
		w.env.Warn("%s left alone: they have an ideal answer, or are marked as unanswerable%s", countCases(left), map[bool]string{false: " (--force writes new ones)"}[force])
	}
	if len(t.ids) == 0 {
		return nil
	}
	cases := place(t.chosen)
	passages := map[string][]assay.Passage{}
	warnings := map[string]int{}
	var ids []string
	for _, id := range t.ids {
		texts, remarks, err := corpus.Passages(cases[id])
		if err != nil {
			t.problems[id] = err
			continue
		}
		for range remarks {
			warnings["expected documents that the corpus lacks"]++
		}
		passages[id] = texts
		ids = append(ids, id)
	}
	tellOnce(w.env, warnings)
	if ids == nil {
		return tellProblems(w.env, t.problems, t.ids)
	}
	replaced, dropped := 0, 0
	err = w.do(ctx, true, "writing ideal answers", func(ctx context.Context, done func(int, int)) error {
		j, kept, err := w.journal("ideal", t.data.Info.Hash, fmt.Sprint("force ", force), judgeLine(w.judge.Info()))
		if err != nil {
			return err
		}
		results, problems, err := groundtruth.Work(ctx, ids, w.r.Judge.Concurrency, j, kept, func(ctx context.Context, i int) (groundtruth.Ideal, error) {
			return w.writer.Ideal(ctx, w.judge, cases[ids[i]].Question, passages[ids[i]])
		}, done)
		if w.flags.dryRun {
			return err
		}
		if err != nil {
			return errors.Join(err, j.Close())
		}
		for id, p := range problems {
			t.problems[id] = p
		}
		return w.keep(t, selected, j, func(c *assay.Case) {
			ideal, ok := results[c.ID]
			if !ok {
				return
			}
			if c.Want.Ideal != nil {
				replaced++
			}
			dropped += len(ideal.Dropped)
			ideal.Apply(c)
			for _, warning := range ideal.Written.Warnings {
				judge.Warn(ctx, fmt.Sprintf("case %q: %s", c.ID, warning))
			}
		})
	})
	if err != nil || w.flags.dryRun {
		return err
	}
	if dropped > 0 {
		w.env.Warn("%s dropped, which no passage bears out", counted(dropped, "point"))
	}
	if replaced > 0 {
		w.env.Warn("%s with another ideal answer than before: this is a new version of the data set, and scores are not comparable with those of the old one", countCases(replaced))
	}
	return tellProblems(w.env, t.problems, t.ids)
}
