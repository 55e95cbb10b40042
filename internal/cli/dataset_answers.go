package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/groundtruth"
	"github.com/assay-eval/assay/internal/job"
	"github.com/assay-eval/assay/judge"
)

func newDatasetAnswers(env *Env) *cobra.Command {
	var f writingFlags
	var force, selected bool
	cmd := &cobra.Command{
		Use:   "answers --dataset DATASET --output FILE",
		Short: "Have a model write reference answers from the relevant documents",
		Long: `Have a model write reference answers: once, before any system is asked. The answer
to a case is written from the 3 to 5 documents with the highest grades, or from
its reference passages when it has no documents, in 500 tokens at most. The case
keeps by whom, from what and when it was written (metadata, "written").

Cases that have answers are left alone, and so are those marked as unanswerable;
--force writes to the former too (with --refresh, or the ledger gives the same
answer again).
Every answer is kept as it is made (FILE.partial, and the ledger): the same
command goes on where it was stopped, and pays for nothing twice. FILE holds all
cases of the data set, in assay's own format.

A model's answer is a draft: read some before others are measured by it.`,
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
	cmd.Flags().BoolVar(&selected, "selected", false, "write only the chosen cases to FILE (default: all of the data set)")
	return cmd
}

// A task is what is to be written about the cases of a data set.
type task struct {
	data *dataset.Dataset
	// chosen are the cases that were asked for, ids those among them that
	// something is to be written for.
	chosen []assay.Case
	ids    []string
	// problems are cases that nothing can be written for.
	problems map[string]error
}

// load reads the data set and the documents. needs tells of a case whether
// something is to be written for it.
func (w *writing) load(ctx context.Context, needs func(*assay.Case) bool) (*task, *groundtruth.Corpus, error) {
	if w.r.Dataset == "" {
		return nil, nil, noDataset()
	}
	data, cases, err := job.Cases(ctx, w.r.Config, w.world)
	if err != nil {
		return nil, nil, err
	}
	warnDataset(w.env, data)
	t := &task{data: data, chosen: cases, problems: map[string]error{}}
	documents, passages := false, 0
	for i := range cases {
		if needs(&cases[i]) {
			t.ids = append(t.ids, cases[i].ID)
			documents = documents || len(cases[i].Want.Documents) > 0
			passages += len(cases[i].Want.Passages)
		}
	}
	var docs []assay.Document
	if documents {
		var warnings []string
		docs, warnings, err = job.Documents(ctx, w.r.Config, w.world, data)
		if err != nil && (passages == 0 || !errors.Is(err, job.ErrNoDocuments)) {
			return nil, nil, err
		}
		for _, warning := range warnings {
			w.env.Warn("warning: %s", warning)
		}
	}
	return t, groundtruth.NewCorpus(docs), nil
}

// usable reports whether something can be written for a case that should have
// an answer at all.
func usable(c *assay.Case) bool { return c.Want.Answerable == nil || *c.Want.Answerable }

func (w *writing) answers(ctx context.Context, force, selected bool) error {
	t, corpus, err := w.load(ctx, func(c *assay.Case) bool { return usable(c) && (force || len(c.Want.Answers) == 0) })
	if err != nil {
		return err
	}
	if left := len(t.chosen) - len(t.ids); left > 0 {
		w.env.Warn("%s left alone: they have answers, or are marked as unanswerable%s", countCases(left), map[bool]string{false: " (--force writes new answers)"}[force])
	}
	if len(t.ids) == 0 {
		return nil
	}
	cases := place(t.chosen)
	sources := map[string][]assay.Document{}
	warnings := map[string]int{}
	var ids []string
	for _, id := range t.ids {
		docs, remarks, err := corpus.Sources(cases[id])
		if err != nil {
			t.problems[id] = err
			continue
		}
		for range remarks {
			warnings["expected documents that the corpus lacks"]++
		}
		sources[id] = docs
		ids = append(ids, id)
	}
	tellOnce(w.env, warnings)
	if ids == nil {
		return tellProblems(w.env, t.problems, t.ids)
	}
	err = w.do(ctx, false, "writing answers", func(ctx context.Context, done func(int, int)) error {
		j, kept, err := w.journal("answers", t.data.Info.Hash, fmt.Sprint("force ", force))
		if err != nil {
			return err
		}
		results, problems, err := groundtruth.Work(ctx, ids, w.r.Judge.Concurrency, j, kept, func(ctx context.Context, i int) (groundtruth.Answer, error) {
			return w.writer.Answer(ctx, cases[ids[i]].Question, sources[ids[i]])
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
			if a, ok := results[c.ID]; ok {
				a.Apply(c)
				for _, warning := range a.Warnings {
					judge.Warn(ctx, fmt.Sprintf("case %q: %s", c.ID, warning))
				}
			}
		})
	})
	if err != nil || w.flags.dryRun {
		return err
	}
	return tellProblems(w.env, t.problems, t.ids)
}

// keep applies what was written to the cases and writes the data set.
func (w *writing) keep(t *task, selected bool, j *groundtruth.Journal, apply func(*assay.Case)) error {
	out := *t.data
	if selected {
		out.Cases = t.chosen
	}
	for i := range out.Cases {
		apply(&out.Cases[i])
	}
	return w.finish(&out, j)
}
