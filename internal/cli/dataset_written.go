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
	"github.com/assay-eval/assay/dataset/generate"
	"github.com/assay-eval/assay/internal/atomic"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge"
)

// writingFlags are those of the commands that have a model write a dataset.
type writingFlags struct {
	config        string
	dryRun, quiet bool
}

// chosen are the settings by which cases are read and chosen.
var chosen = []string{"dataset", "format", "split", "queries", "min-relevance", "map", "qrels", "corpus", "unreadable", "limit", "sample",
	"tags", "ids", "output"}

func (f *writingFlags) add(cmd *cobra.Command, more ...string) {
	flags := cmd.Flags()
	flags.SortFlags = false
	configFlag(cmd, &f.config)
	flags.BoolVar(&f.dryRun, "dry-run", false, "check everything, print what it would take, and stop before anything is spent")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show no progress")
	addJudgeSettings(cmd, append(more, chosen...)...)
	flags.Lookup("output").Usage = "file to write the dataset to: .json, .jsonl or .yaml"
	flags.Lookup("dataset").Usage = "dataset: a file, or a BEIR directory or zip"
	flags.Lookup("corpus").Usage = "folder of documents (a BEIR dataset brings its own)"
}

// A writing is the work of one such command.
type writing struct {
	env   *Env
	flags *writingFlags
	r     *config.Resolved
	world wire.World
	// output is the file to write, form its form.
	output, form string
	writer       *generate.Writer
	judge        judge.Judge
	models       *wire.Models
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
		return nil, errors.New("--output: want a file for the dataset")
	default:
		if w.form, err = formOf(w.output); err != nil {
			return nil, fmt.Errorf("--output %s: unknown extension: want .json, .jsonl or .yaml", w.output)
		}
	}
	if w.output == "" || w.same(r.Dataset) {
		return w, nil
	}
	if _, err := os.Stat(env.Path(w.output)); err == nil {
		return nil, hinted(fmt.Errorf("%s: already exists: want a new file, or the file of --dataset to extend it", w.output))
	}
	return w, nil
}

// same reports whether the output is the file that the dataset is read from.
func (w *writing) same(path string) bool {
	a, err := os.Stat(w.env.Path(path))
	if err != nil {
		return false
	}
	b, err := os.Stat(w.env.Path(w.output))
	return err == nil && os.SameFile(a, b)
}

// open names the models: the writer, and the judge that checks what it wrote.
func (w *writing) open(m *wire.Models, checks bool) error {
	spec := w.r.Writer
	if spec == "" && len(w.r.Judges) > 0 {
		spec = w.r.Judges[0]
	}
	if spec == "" || spec == "offline" {
		return hinted(errors.New("no writer: want --writer PROVIDER:MODEL"),
			"such as --writer ollama:qwen3 or --writer anthropic:claude-sonnet-4-5")
	}
	opened, err := m.Open(spec)
	if err != nil {
		return fmt.Errorf("writer %q: %w", spec, err)
	}
	w.models = m
	if w.writer, err = generate.New(generate.Config{Provider: opened.Provider, Base: opened.Base, Window: w.r.Judge.Window,
		Now: w.world.Now}); err != nil || !checks {
		return err
	}
	cfg := w.r.Config
	if len(cfg.Judges) == 0 {
		// The writer's own eyes are better than none.
		cfg.Judges, cfg.Passes = []string{spec}, 1
	}
	if slices.Equal(cfg.Judges, []string{"offline"}) {
		return errors.New("judge offline: estimates cannot check generated text: want a model, or no --judge to use the writer")
	}
	w.judge, err = m.Judge(cfg)
	return err
}

// do opens the models and does the work, or says what it would take.
func (w *writing) do(
	ctx context.Context, checks bool, what string, work func(ctx context.Context, done func(done, total int)) error,
) error {
	ctx, stop := untilInterrupted(ctx, w.env)
	defer stop()
	open := func(m *wire.Models) error { return w.open(m, checks) }
	if w.flags.dryRun {
		models, err := wire.OpenModels(w.r.Config, w.world)
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
	if err != nil && generate.Fatal(err) && !judge.Fatal(err) {
		err = &judge.FatalError{Err: err}
	}
	return stopped(err)
}

// journal opens the file that keeps what was written until the whole is done;
// nil when nothing is to be kept.
func (w *writing) journal(head ...string) (*generate.Journal, map[string]json.RawMessage, error) {
	if w.flags.dryRun {
		return nil, nil, nil
	}
	path := w.output + ".partial"
	j, kept, err := generate.OpenJournal(w.env.Path(path), strings.Join(append(head, w.writer.Model(), w.writer.Hash()), " · "))
	if err != nil {
		return nil, nil, hinted(err, path+" holds the results of an unfinished command with the same output")
	}
	if len(kept) > 0 {
		w.env.Warn("%s: continuing; %d already written", path, len(kept))
	}
	return j, kept, nil
}

// finish writes the dataset and ends the journal.
func (w *writing) finish(d *dataset.Dataset, j *generate.Journal) error {
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

// A part is what a model writes for the cases of a dataset: T, from sources S.
type part[S, T any] struct {
	// name is that of the part in its journal, doing what is shown beside the
	// progress.
	name, doing string
	// checks tells that a judge checks what is written.
	checks bool
	// force has cases written to that have the part already, selected has only
	// the chosen cases in the output.
	force, selected bool
	// has reports whether a case has the part; left says why such cases are
	// left alone, again what --force does.
	has         func(*assay.Case) bool
	left, again string
	// from gives what a case is written from, write writes it, apply puts it
	// into the case. Both from and apply give warnings.
	from  func(*generate.Corpus, *assay.Case) ([]S, []string, error)
	write func(ctx context.Context, question string, from []S) (T, error)
	apply func(*assay.Case, T) (warnings []string)
	// tell says what there is to say of the whole; nil says nothing.
	tell func()
}

// writeCases has a part written for all cases that need it, and writes the data
// set.
func writeCases[S, T any](ctx context.Context, w *writing, p part[S, T]) error {
	t, corpus, err := w.load(ctx, func(c *assay.Case) bool { return usable(c) && (p.force || !p.has(c)) })
	if err != nil {
		return err
	}
	if left := len(t.chosen) - len(t.ids); left > 0 {
		hint := ""
		if !p.force {
			hint = " (--force " + p.again + ")"
		}
		w.env.Warn("%s skipped: %s, or are marked as unanswerable%s", countCases(left), p.left, hint)
	}
	if len(t.ids) == 0 {
		return nil
	}
	cases, problems := place(t.chosen), map[string]error{}
	ids, from := sources(w.env, t.ids, problems, func(id string) ([]S, []string, error) { return p.from(corpus, cases[id]) })
	if ids == nil {
		return tellProblems(w.env, problems, t.ids)
	}
	err = w.do(ctx, p.checks, p.doing, func(ctx context.Context, done func(int, int)) error {
		head := []string{p.name, t.data.Info.Hash, fmt.Sprint("force ", p.force)}
		if p.checks {
			head = append(head, judgeLine(w.judge.Info()))
		}
		j, kept, err := w.journal(head...)
		if err != nil {
			return err
		}
		results, failed, err := generate.Work(ctx, ids, w.r.Judge.Concurrency, j, kept, func(ctx context.Context, i int) (T, error) {
			return p.write(ctx, cases[ids[i]].Question, from[ids[i]])
		}, done)
		if w.flags.dryRun {
			return err
		}
		if err != nil {
			return errors.Join(err, j.Close())
		}
		maps.Copy(problems, failed)
		out := *t.data
		if p.selected {
			out.Cases = t.chosen
		}
		for i := range out.Cases {
			c := &out.Cases[i]
			result, ok := results[c.ID]
			if !ok {
				continue
			}
			for _, warning := range p.apply(c, result) {
				judge.Warn(ctx, fmt.Sprintf("case %q: %s", c.ID, warning))
			}
		}
		return w.finish(&out, j)
	})
	if err != nil || w.flags.dryRun {
		return err
	}
	if p.tell != nil {
		p.tell()
	}
	return tellProblems(w.env, problems, t.ids)
}

// sources gives what each of the ids is written from, and those ids that have
// something; nil when none has. The others are added to the problems.
func sources[S any](
	env *Env, of []string, problems map[string]error, from func(id string) ([]S, []string, error),
) (ids []string, texts map[string][]S) {
	texts = map[string][]S{}
	warnings := map[string]int{}
	for _, id := range of {
		found, remarks, err := from(id)
		if err != nil {
			problems[id] = err
			continue
		}
		for range remarks {
			warnings["expected documents that the corpus lacks"]++
		}
		texts[id] = found
		ids = append(ids, id)
	}
	tellOnce(env, warnings)
	return ids, texts
}

// A task is what is to be written about the cases of a dataset.
type task struct {
	data *dataset.Dataset
	// chosen are the cases that were asked for, ids those among them that
	// something is to be written for.
	chosen []assay.Case
	ids    []string
}

// load reads the dataset and the documents. needs tells of a case whether
// something is to be written for it.
func (w *writing) load(ctx context.Context, needs func(*assay.Case) bool) (*task, *generate.Corpus, error) {
	if w.r.Dataset == "" {
		return nil, nil, noDataset()
	}
	data, cases, err := wire.Cases(ctx, w.r.Config, w.world)
	if err != nil {
		return nil, nil, err
	}
	warnDataset(w.env, data)
	t := &task{data: data, chosen: cases}
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
		docs, warnings, err = wire.Documents(ctx, w.r.Config, w.world, data)
		if err != nil && (passages == 0 || !errors.Is(err, wire.ErrNoDocuments)) {
			return nil, nil, err
		}
		for _, warning := range warnings {
			w.env.Warn("warning: %s", warning)
		}
	}
	return t, generate.NewCorpus(docs), nil
}

// usable reports whether something can be written for a case that should have
// an answer at all.
func usable(c *assay.Case) bool { return c.Want.Answerable == nil || *c.Want.Answerable }

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
	return &ExitError{Code: ExitThreshold, Err: fmt.Errorf("%d of %s failed", len(problems), countCases(len(order)))}
}

// tellOnce writes each warning once, with how many cases have it.
func tellOnce(env *Env, warnings map[string]int) {
	for _, warning := range slices.Sorted(maps.Keys(warnings)) {
		env.Warn("warning: %s (%s)", warning, countCases(warnings[warning]))
	}
}

// place finds the cases of a dataset by id.
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
