package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/llm"
)

// tryFlags are the flags of the commands that test a judge.
type tryFlags struct {
	config              string
	json, dryRun, quiet bool
}

func (f *tryFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	configFlag(cmd, &f.config)
	flags.BoolVar(&f.dryRun, "dry-run", false, "print what it would take, and stop before anything is spent")
	flags.BoolVar(&f.json, "json", false, "print the result as JSON")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show no progress")
	addJudgeSettings(cmd, "embedder", "certificates")
}

// A modelWork is the work of a command that calls models outside of a run.
type modelWork struct {
	env           *Env
	r             *config.Resolved
	dryRun, quiet bool
	// what is the text beside the progress.
	what string
	// open opens the models.
	open func(*wire.Models) error
	// passes are those that an estimate supposes; 0 means those of the settings.
	passes int
	// again is what a further try takes if the work stops; "" means that it continues.
	again string
}

// do does the work, which keeps its own result. With --dry-run it does it with a stand-in and
// without a session, and prints the estimated cost.
func (w modelWork) do(ctx context.Context, work func(ctx context.Context, s *session, done func(done, total int)) error) error {
	ctx, stop := untilInterrupted(ctx, w.env)
	defer stop()
	if w.dryRun {
		models, err := openModels(w.env, w.r, w.open)
		if err != nil {
			return err
		}
		return rehearse(ctx, w.env, models, cmp.Or(w.passes, w.r.Passes), func(ctx context.Context) error { return work(ctx, nil, nil) })
	}
	s, err := newSession(ctx, w.env, w.r, w.open)
	if err != nil {
		return err
	}
	var m judge.Meter
	show, end := longWork(w.env, w.quiet || !w.env.StderrTTY)
	err = work(judge.WithMeter(ctx, &m), s, func(done, total int) {
		if show != nil {
			show(w.what, done, total)
		}
	})
	end()
	return errors.Join(stoppedWith(err, cmp.Or(w.again, continues)), printSpent(ctx, w.env, s, &m), s.store.Close())
}

// try tests a judge.
func (f *tryFlags) try(ctx context.Context, env *Env, r *config.Resolved, what string,
	test func(ctx context.Context, m *wire.Models, j judge.Judge, done func(done, total int)) error,
) error {
	var models *wire.Models
	var j judge.Judge
	open := func(m *wire.Models) (err error) {
		models = m
		j, err = m.Bench(r.Config)
		return err
	}
	w := modelWork{env: env, r: r, dryRun: f.dryRun, quiet: f.quiet, what: what, open: open}
	return w.do(ctx, func(ctx context.Context, s *session, done func(done, total int)) error {
		if s != nil && j.Info().Estimate && !entails(r) {
			env.Warn("the offline judge gives rough estimates by formulas (--judge PROVIDER:MODEL sets a model)")
		}
		return test(ctx, models, j, done)
	})
}

// entails reports whether a model made for entailment rules on the support of claims.
func entails(r *config.Resolved) bool { return r.Entailment.Model != "" || r.Entailment.Command != "" }

// untilInterrupted returns a context that is canceled at the user's first request to stop. Calls of
// models in flight finish, and are in the ledger, so no work needs to be finished.
func untilInterrupted(ctx context.Context, env *Env) (_ context.Context, stop func()) {
	return wire.UntilStopped(ctx, env.Interrupted, llm.ErrStopped)
}

// continues is what a further try of stopped work takes.
const continues = "replies are in the ledger: the same command continues from there and pays for nothing twice"

// stopped returns the error with which work that calls models ends.
func stopped(err error) error { return stoppedWith(err, continues) }

// stoppedWith is stopped with the hint on what a further try takes.
func stoppedWith(err error, again string) error {
	switch {
	case err == nil:
		return nil
	case wire.Interrupted(err):
		return &ExitError{Code: ExitInterrupted, Err: errors.New("interrupted"), Hints: []string{again}}
	case llm.IsKind(err, llm.KindBudget):
		return hinted(err, again+", and may spend --max-cost once more")
	case llm.IsKind(err, llm.KindReplay):
		return err // a further try finds no more in the ledger
	case judge.Fatal(err):
		return hinted(err, again)
	}
	return err
}

// printSpent prints the cost of the work to standard error.
func printSpent(ctx context.Context, env *Env, s *session, m *judge.Meter) error {
	total, warnings := m.Total()
	for _, w := range append(warnings, s.models.Warnings()...) {
		env.Warn("warning: %s", w)
	}
	paid, err := s.store.Spent(context.WithoutCancel(ctx), s.id)
	if err != nil || total.Calls == 0 {
		return err
	}
	cost := ""
	if paid.Usage.Cost > 0 || paid.Calls == 0 {
		cost = "; " + assay.Dollars(paid.Usage.Cost)
	}
	env.Warn("%s, %d more answered from the ledger; %d tokens in, %d out%s", counted(paid.Calls, "call"), max(total.Calls-paid.Calls, 0),
		paid.Usage.InputTokens, paid.Usage.OutputTokens, cost)
	if total.Failed > 0 {
		env.Warn("%s without a usable reply", counted(total.Failed, "question"))
	}
	return nil
}

// rehearse prints the estimated cost of work that calls models.
func rehearse(ctx context.Context, env *Env, m *wire.Models, passes int, do func(context.Context) error) error {
	t, most, err := m.DryRun(ctx, passes, do)
	if err != nil {
		return stopped(err)
	}
	warnings, err := m.Check()
	if err != nil {
		return err
	}
	for _, w := range warnings {
		env.Warn("%s", w)
	}
	fmt.Fprintf(env.Stdout, "calls       %d\ntokens in   %d\ntokens out  %d\ncost        %s\n", t.Calls, t.Usage.InputTokens,
		t.Usage.OutputTokens, t.Dollars())
	if most > t.Calls {
		fmt.Fprintf(env.Stdout, "passes that never agree would make it %d calls\n", most)
	}
	fmt.Fprintln(env.Stdout, "estimated by asking a stand-in the same questions; nothing was spent")
	return nil
}

// printJSON writes v as JSON.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// wrapLine returns text from a model or a file on one line of limited length.
func wrapLine(s string) string {
	return text.Shorten(strings.Join(strings.Fields(text.Visible(s)), " "), 160)
}
