package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/groundtruth"
	"github.com/assay-eval/assay/internal/atomic"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/job"
	"github.com/assay-eval/assay/judge"
)

// writingFlags are those of the commands that have a model write a data set.
type writingFlags struct {
	config        string
	dryRun, quiet bool
}

// chosen are the settings by which cases are read and chosen.
var chosen = []string{"dataset", "format", "split", "queries", "min-relevance", "map", "qrels", "corpus", "unreadable", "limit", "sample", "tags", "ids", "output"}

func (f *writingFlags) add(cmd *cobra.Command, more ...string) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.config, "config", "", `configuration file (default "eval-config.yaml" when it is there)`)
	flags.BoolVar(&f.dryRun, "dry-run", false, "check everything, print what it would take, and stop before anything is spent")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show no progress")
	addJudgeSettings(flags, append(more, chosen...)...)
	flags.Lookup("output").Usage = "file to write the data set to: .json, .jsonl or .yaml"
	flags.Lookup("dataset").Usage = "data set: a file, or a BEIR directory or zip"
	flags.Lookup("corpus").Usage = "folder of documents (a BEIR data set brings its own)"
}

// A writing is the work of one such command.
type writing struct {
	env   *Env
	flags *writingFlags
	r     *config.Resolved
	world job.World
	// output is the file to write, form its form.
	output, form string
	writer       *groundtruth.Writer
	judge        judge.Judge
	models       *job.Models
}

// begin reads the settings. Nothing is loaded yet.
func (f *writingFlags) begin(cmd *cobra.Command, env *Env) (*writing, error) {
	r, err := resolve(env, cmd.Flags(), f.config)
	if err != nil {
		return nil, err
	}
	w := &writing{env: env, flags: f, r: r, world: newWorld(env, r, silent{}, nil)}
	if cmd.Flags().Changed("output") {
		w.output = cmd.Flags().Lookup("output").Value.String()
	}
	switch {
	case w.output == "" && f.dryRun:
	case w.output == "" || w.output == "-":
		return nil, errors.New("--output: want the file to write the data set to")
	default:
		if w.form, err = formOf(w.output); err != nil {
			return nil, fmt.Errorf("--output %s: its extension tells no form: want .json, .jsonl or .yaml", w.output)
		}
	}
	if w.output == "" || w.same(r.Dataset) {
		return w, nil
	}
	if _, err := os.Stat(env.Path(w.output)); err == nil {
		return nil, hinted(fmt.Errorf("%s: is there already: want a new file, or that of --dataset to add to it", w.output))
	}
	return w, nil
}

// same reports whether the output is the file that the data set is read from.
func (w *writing) same(path string) bool {
	a, err := os.Stat(w.env.Path(path))
	if err != nil {
		return false
	}
	b, err := os.Stat(w.env.Path(w.output))
	return err == nil && os.SameFile(a, b)
}

// open names the models: the writer, and the judge that checks what it wrote.
func (w *writing) open(m *job.Models, checks bool) error {
	spec := w.r.Writer
	if spec == "" && len(w.r.Judges) > 0 {
		spec = w.r.Judges[0]
	}
	if spec == "" || spec == "offline" {
		return hinted(errors.New("no model to write: want --writer PROVIDER:MODEL"), "such as --writer ollama:qwen3 or --writer anthropic:claude-sonnet-4-5")
	}
	opened, err := m.Open(spec)
	if err != nil {
		return fmt.Errorf("writer %q: %w", spec, err)
	}
	w.models = m
	if w.writer, err = groundtruth.New(groundtruth.Config{Provider: opened.Provider, Base: opened.Base, Window: w.r.Judge.Window, Now: w.world.Now}); err != nil || !checks {
		return err
	}
	cfg := w.r.Config
	if len(cfg.Judges) == 0 {
		// The writer's own eyes are better than none.
		cfg.Judges, cfg.Passes = []string{spec}, 1
	}
	if slices.Equal(cfg.Judges, []string{"offline"}) {
		return errors.New("judge offline: estimates cannot check what a model wrote: want a model, or no --judge for the writer itself")
	}
	w.judge, err = m.Judge(cfg)
	return err
}

// do opens the models and does the work, or says what it would take.
func (w *writing) do(ctx context.Context, checks bool, what string, work func(ctx context.Context, done func(done, total int)) error) error {
	ctx, stop := untilInterrupted(ctx, w.env)
	defer stop()
	open := func(m *job.Models) error { return w.open(m, checks) }
	if w.flags.dryRun {
		models, err := job.OpenModels(w.r.Config, w.world)
		if err != nil {
			return err
		}
		if err := open(models); err != nil {
			return err
		}
		return rehearse(ctx, w.env, models, w.r.Passes, func(ctx context.Context) error { return work(ctx, nil) })
	}
	s, err := newSession(ctx, w.env, w.r, open)
	if err != nil {
		return err
	}
	var m judge.Meter
	done, end := progressOf(w.env, w.flags.quiet, what)
	err = work(judge.WithMeter(ctx, &m), done)
	end()
	return errors.Join(unfinished(err), tellSpent(ctx, w.env, s, &m), s.Close())
}

// unfinished puts the end of writing into the program's terms.
func unfinished(err error) error {
	if err != nil && groundtruth.Fatal(err) && !judge.Fatal(err) {
		err = &judge.FatalError{Err: err}
	}
	return stopped(err)
}

// journal opens the file that keeps what was written until the whole is done;
// nil when nothing is to be kept.
func (w *writing) journal(head ...string) (*groundtruth.Journal, map[string]json.RawMessage, error) {
	if w.flags.dryRun {
		return nil, nil, nil
	}
	path := w.output + ".partial"
	j, kept, err := groundtruth.OpenJournal(w.env.Path(path), strings.Join(append(head, w.writer.Model(), w.writer.Hash()), " · "))
	if err != nil {
		return nil, nil, hinted(err, path+" keeps what an unfinished command of the same output wrote")
	}
	if len(kept) > 0 {
		w.env.Warn("%s: going on, with what is written already: %d", path, len(kept))
	}
	return j, kept, nil
}

// finish writes the data set and ends the journal.
func (w *writing) finish(d *dataset.Dataset, j *groundtruth.Journal) error {
	var lost []string
	err := atomic.WriteFile(w.env.Path(w.output), func(out io.Writer) (err error) {
		lost, err = dataset.Write(out, d, w.form)
		return err
	})
	if err != nil {
		return errors.Join(err, j.Close())
	}
	tellWritten(w.env, d, w.output, w.form, lost)
	return j.Remove()
}

// tellProblems lists the cases that came to nothing, and ends with exit code 1
// when there are any.
func tellProblems(env *Env, problems map[string]error, order []string) error {
	if len(problems) == 0 {
		return nil
	}
	for _, id := range order {
		if err := problems[id]; err != nil {
			env.Warn("case %q: %s", id, wrapLine(err.Error()))
		}
	}
	return &ExitError{Code: ExitThreshold, Err: fmt.Errorf("%d of %s came to nothing", len(problems), countCases(len(order)))}
}

// tellOnce writes each warning once, with how many cases have it.
func tellOnce(env *Env, warnings map[string]int) {
	for _, warning := range slices.Sorted(maps.Keys(warnings)) {
		env.Warn("warning: %s (%s)", warning, countCases(warnings[warning]))
	}
}

// place finds the cases of a data set by id.
func place(cases []assay.Case) map[string]*assay.Case {
	out := make(map[string]*assay.Case, len(cases))
	for i := range cases {
		out[cases[i].ID] = &cases[i]
	}
	return out
}

// counted gives a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
