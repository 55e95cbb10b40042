package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/dataset/generate"
	"github.com/assay-eval/assay/internal/atomic"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge"
)

// writingFlags are the flags shared by the commands in which a model writes a dataset.
type writingFlags struct {
	config        string
	dryRun, quiet bool
}

// chosen are the settings that say how cases are read and selected.
var chosen = []string{"dataset", "format", "split", "queries", "min-relevance", "map", "qrels", "corpus", "unreadable", "limit", "sample",
	"tags", "ids", "output", "writer"}

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

// writingCommand makes a command in which a model writes a part of cases. force says what --force does.
func writingCommand(env *Env, name, force string, write func(w *writing, ctx context.Context, force, selected bool) error) *cobra.Command {
	var f writingFlags
	var again, selected bool
	cmd := &cobra.Command{
		Use:  name + " --dataset DATASET --output FILE",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := f.begin(cmd, env)
			if err != nil {
				return err
			}
			return write(w, cmd.Context(), again, selected)
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&again, "force", false, force)
	cmd.Flags().BoolVar(&selected, "selected", false, "write only the chosen cases to FILE (default: all of the dataset)")
	return cmd
}

// A writing is one invocation of such a command.
type writing struct {
	env   *Env
	flags *writingFlags
	r     *config.Resolved
	world wire.World
	// output is the file to write, and form the form in which it is written.
	output, form string
	writer       *generate.Writer
	judge        judge.Judge
}

// begin resolves the settings and checks the output file. It loads nothing.
func (f *writingFlags) begin(cmd *cobra.Command, env *Env) (*writing, error) {
	r, err := resolve(env, cmd.Flags(), f.config)
	if err != nil {
		return nil, err
	}
	w := &writing{env: env, flags: f, r: r, world: newWorld(env, r, nil, nil)}
	if cmd.Flags().Changed("output") {
		w.output = cmd.Flags().Lookup("output").Value.String()
	}
	switch {
	case w.output == "" && f.dryRun:
	case w.output == "" || w.output == "-":
		return nil, errors.New("--output: expected a file for the dataset")
	default:
		if w.form, err = formOf(w.output); err != nil {
			return nil, fmt.Errorf("--output %s: unknown extension: expected .json, .jsonl or .yaml", w.output)
		}
	}
	if w.output == "" || w.same(r.Dataset) {
		return w, nil
	}
	if atomic.Replaces(env.Path(w.output)) {
		return nil, hinted(fmt.Errorf("%s: already exists: expected a new file, or the file of --dataset to extend it", w.output))
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

// open opens the models: the writer and, if checks is set, the judge that checks its
// output.
func (w *writing) open(m *wire.Models, checks bool) error {
	spec, open := w.r.Writer, m.Open
	if spec == "" && len(w.r.Judges) > 0 {
		spec, open = w.r.Judges[0], m.OpenJudge
	}
	if spec == "" || spec == "offline" {
		return hinted(errors.New("no writer; use --writer PROVIDER:MODEL"),
			"such as --writer ollama:qwen3 or --writer anthropic:claude-sonnet-4-5")
	}
	opened, err := open(spec)
	if err != nil {
		return fmt.Errorf("writer %q: %w", spec, err)
	}
	if w.writer, err = generate.New(generate.Config{Provider: opened.Provider, Base: opened.Base, Window: w.r.Judge.Window,
		Language: wire.JudgeLanguage(w.r.Config), Now: w.world.Now}); err != nil || !checks {
		return err
	}
	cfg := w.r.Config
	if len(cfg.Judges) == 0 {
		// Without a judge, the writer checks its own output, in one pass.
		cfg.Judges, cfg.Passes = []string{spec}, 1
	}
	if slices.Equal(cfg.Judges, []string{"offline"}) {
		return errors.New("judge offline: estimates cannot check generated text; use a model, or no --judge to use the writer")
	}
	w.judge, err = m.Judge(cfg)
	return err
}

// do opens the models and does the work. With --dry-run it only prints the estimated
// cost.
func (w *writing) do(
	ctx context.Context, checks bool, what string, work func(ctx context.Context, done func(done, total int)) error,
) error {
	calls := modelWork{env: w.env, r: w.r, dryRun: w.flags.dryRun, quiet: w.flags.quiet, what: what,
		open: func(m *wire.Models) error { return w.open(m, checks) }}
	if !checks || len(w.r.Judges) == 0 {
		calls.passes = 1 // what is written, or checked by its writer, is not voted on
	}
	return calls.do(ctx, func(ctx context.Context, _ *session, done func(int, int)) error {
		err := work(ctx, done)
		if err != nil && generate.Fatal(err) && !judge.Fatal(err) {
			err = &judge.FatalError{Err: err}
		}
		return err
	})
}

// finish writes the dataset.
func (w *writing) finish(d *dataset.Dataset) error {
	var lost []string
	err := atomic.WriteFile(w.env.Path(w.output), func(out io.Writer) (err error) {
		lost, err = dataset.Write(out, d, w.form)
		return err
	})
	if err != nil {
		return err
	}
	printWritten(w.env, d, w.output, w.form, lost)
	return nil
}

// subject returns what a writer is asked about a case: in the language in which a judge
// would be asked about it.
func (w *writing) subject(c *assay.Case) judge.Subject {
	return judge.Subject{Question: c.Question, Language: judge.Plan{Language: wire.JudgeLanguage(w.r.Config)}.LanguageFor(c)}
}

// A part is a part of a case that a model writes: a T, written from sources S.
type part[S, T any] struct {
	// doing is the text beside the progress.
	doing string
	// checks says whether a judge checks the text.
	checks bool
	// force rewrites the part in cases that already have it; selected writes only the
	// selected cases to the output.
	force, selected bool
	// has reports whether a case has the part, left says why such cases are skipped, and
	// again says what --force does.
	has         func(*assay.Case) bool
	left, again string
	// from returns the sources for a case, write writes the part, and apply stores it in
	// the case. from and apply also return warnings.
	from  func(*generate.Corpus, *assay.Case) ([]S, []string, error)
	write func(ctx context.Context, s judge.Subject, from []S) (T, error)
	apply func(*assay.Case, T) (warnings []string)
	// summarize prints a summary of the results; it may be nil.
	summarize func()
}

// writeCases writes a part for all cases that need it, and writes the dataset.
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
	cases, problems := map[string]*assay.Case{}, map[string]error{}
	for i := range t.chosen {
		cases[t.chosen[i].ID] = &t.chosen[i]
	}
	ids, from := sources(w.env, t.ids, problems, func(id string) ([]S, []string, error) { return p.from(corpus, cases[id]) })
	if ids == nil {
		return reportProblems(w.env, problems, t.ids)
	}
	err = w.do(ctx, p.checks, p.doing, func(ctx context.Context, done func(int, int)) error {
		results, failed, err := generate.Work(ctx, ids, w.r.Judge.Concurrency, func(ctx context.Context, i int) (T, error) {
			return p.write(ctx, w.subject(cases[ids[i]]), from[ids[i]])
		}, done)
		if err != nil || w.flags.dryRun {
			return err
		}
		maps.Copy(problems, failed)
		if len(results) == 0 {
			w.env.Warn("%s: not written: no case was answered", w.output)
			return nil
		}
		out := *t.data
		if p.selected {
			out.Cases = assay.CasesOf(t.chosen...)
		}
		out.Cases = out.Cases.Change(func(_ int, c *assay.Case) {
			result, ok := results[c.ID]
			if !ok {
				return
			}
			for _, warning := range p.apply(c, result) {
				judge.Warn(ctx, fmt.Sprintf("case %q: %s", c.ID, warning))
			}
		})
		return w.finish(&out)
	})
	if err != nil || w.flags.dryRun {
		return err
	}
	if p.summarize != nil {
		p.summarize()
	}
	return reportProblems(w.env, problems, t.ids)
}

// sources returns the IDs that have sources, and the sources by ID. ids is nil if none
// has any. It adds the errors of the others to problems.
func sources[S any](
	env *Env, of []string, problems map[string]error, from func(id string) ([]S, []string, error),
) (ids []string, texts map[string][]S) {
	texts = map[string][]S{}
	absent := 0
	for _, id := range of {
		found, remarks, err := from(id)
		if err != nil {
			problems[id] = err
			continue
		}
		absent += len(remarks)
		texts[id] = found
		ids = append(ids, id)
	}
	if absent > 0 {
		env.Warn("warning: expected documents that the corpus lacks (%s)", countCases(absent))
	}
	return ids, texts
}

// A task is a dataset with the cases to write for.
type task struct {
	data *dataset.Dataset
	// chosen are the selected cases, and ids the IDs of those that need the part.
	chosen []assay.Case
	ids    []string
}

// load reads the dataset and its documents. needs reports whether a case needs the
// part.
func (w *writing) load(ctx context.Context, needs func(*assay.Case) bool) (*task, *generate.Corpus, error) {
	if w.r.Dataset == "" {
		return nil, nil, noDataset()
	}
	data, cases, err := wire.Cases(ctx, w.r.Config, w.world)
	if err != nil {
		return nil, nil, err
	}
	warnDataset(w.env, data)
	t := &task{data: data, chosen: cases.List()}
	documents, passages := false, 0
	for i := range t.chosen {
		if c := &t.chosen[i]; needs(c) {
			t.ids = append(t.ids, c.ID)
			documents = documents || len(c.Want.Documents) > 0
			passages += len(c.Want.Passages)
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

// usable reports whether a case can have an answer: it is not marked as unanswerable.
func usable(c *assay.Case) bool { return c.Want.Answerable == nil || *c.Want.Answerable }

// reportProblems prints the cases that failed, in the given order. If there are any, it
// returns an error with exit code 1.
func reportProblems(env *Env, problems map[string]error, order []string) error {
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

// counted formats a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
