package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/dataset/generate"
	"github.com/assay-eval/assay/internal/wire"
)

func newDatasetQuestions(env *Env) *cobra.Command {
	var f writingFlags
	var plan generate.Plan
	var unchecked bool
	cmd := &cobra.Command{
		Use:  "questions --corpus DIR --output FILE",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := f.begin(cmd, env)
			if err != nil {
				return err
			}
			if plan.SingleHop < 0 || plan.MultiHop < 0 || plan.Unanswerable < 0 || plan.SingleHop+plan.MultiHop+plan.Unanswerable == 0 {
				return errors.New("--single-hop, --multi-hop, --unanswerable: expected numbers from 0, at least one of them above 0")
			}
			return w.questions(cmd.Context(), plan, !unchecked)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&plan.SingleHop, "single-hop", 10, "questions that one passage answers")
	flags.IntVar(&plan.MultiHop, "multi-hop", 5, "questions that need several passages")
	flags.IntVar(&plan.Unanswerable, "unanswerable", 5, "questions that the corpus does not answer")
	flags.BoolVar(&unchecked, "no-check", false, "have no judge check what was written; the cases say so")
	f.add(cmd, "chunk.method", "chunk.size", "chunk.overlap")
	return cmd
}

func (w *writing) questions(ctx context.Context, plan generate.Plan, checks bool) error {
	var data *dataset.Dataset
	if w.r.Dataset != "" {
		var err error
		if data, _, err = wire.Cases(ctx, w.r.Config, w.world); err != nil {
			return err
		}
		plan.Known = data.Cases.List()
		if w.output != "" && w.same(w.r.Dataset) {
			return fmt.Errorf("--output %s: this is the dataset itself; name a new file for the new cases", w.output)
		}
	}
	docs, warnings, err := wire.Documents(ctx, w.r.Config, w.world, data)
	if err != nil {
		return err
	}
	for _, warning := range warnings {
		w.env.Warn("warning: %s", warning)
	}
	passages, err := wire.Passages(w.r.Config, docs)
	if err != nil {
		return err
	}
	plan.Seed, plan.Concurrency = w.r.Seed, w.r.Judge.Concurrency
	var out generate.Questions
	err = w.do(ctx, checks, "writing questions", func(ctx context.Context, done func(int, int)) error {
		if checks {
			plan.Judge = w.judge
		}
		plan.Done = done
		if out, err = w.writer.Questions(ctx, passages, plan); err != nil || w.flags.dryRun {
			return err
		}
		if len(out.Cases) == 0 {
			printDropped(w.env, out)
			return errors.New("no question was generated: nothing is written")
		}
		return w.finish(newCases(w, out.Cases))
	})
	if err != nil || w.flags.dryRun {
		return err
	}
	printDropped(w.env, out)
	if len(out.Short) > 0 {
		return &ExitError{Code: ExitThreshold, Err: fmt.Errorf("fewer questions than requested: %s", short(out.Short)), Hints: []string{
			"a larger corpus, or another --seed, has other passages to ask about",
		}}
	}
	return nil
}

// newCases returns a dataset of the new cases.
func newCases(w *writing, cases []assay.Case) *dataset.Dataset {
	return &dataset.Dataset{Cases: assay.CasesOf(cases...), Metadata: map[string]any{
		"created": w.world.Now().UTC().Format("2006-01-02"), "written_by": w.writer.Model(), "prompt_hash": w.writer.Hash(),
	}}
}

func printDropped(env *Env, q generate.Questions) {
	for _, reason := range slices.Sorted(maps.Keys(q.Dropped)) {
		env.Warn("dropped %d: %s", q.Dropped[reason], reason)
	}
	for _, p := range q.Problems {
		env.Warn("%s", wrapLine(p.Error()))
	}
}

func short(kinds map[string]int) string {
	s := ""
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		if s != "" {
			s += ", "
		}
		s += fmt.Sprintf("%d of kind %s", kinds[kind], kind)
	}
	return s
}
