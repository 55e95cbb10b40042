package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-eval/assay/internal/backoff"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/watch"
)

// webhookVariable names the environment variable that holds the address of the webhook.
const webhookVariable = "ASSAY_WEBHOOK"

// watchFlags are the flags of assay watch that are not settings of its runs.
type watchFlags struct {
	config, name, webhook string
	set                   watch.Settings
	budget                float64
	since                 time.Duration
	once, quiet           bool
}

func newWatch(env *Env) *cobra.Command {
	f := watchFlags{set: watch.Defaults()}
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Judge a sample of production traffic and alarm when it gets worse",
		Long: `Judge a sample of production traffic: the traces that assay serve receives (POST
/v1/traces) on the same store. Sampled questions are judged in rounds, each of which
is a run with a report like any other. Every metric has a mean with bounds that hold
at all times together, and a detector that alarms when the mean falls below a line:
the threshold of the metric (--threshold) or, without one, the lower bound of its
first --learn scores less --drop, which rises as more scores are known.

Which traces are sampled is determined by their ids, as if drawn by chance. With --by,
as many questions of each kind are judged as there can be. With --daily-budget, the
money is spent evenly over the day (UTC); what is sampled and not judged is counted.

Alarms, and recoveries, go to --webhook as JSON with a text that chat systems show,
until it takes them; to the page Watch and /metrics of assay serve; and to standard
error. docs/watch.md says what they promise, and docs/results/watch.md measures it.

The state is in the store: a process that is killed goes on where it was, and judges
and pays nothing twice. With --once, it takes every trace received so far as complete,
judges one round and exits, for a scheduler such as cron: code 1 if a metric is worse
than its line.`,
		Example: `  assay watch --judge openai:gpt-4.1-mini --metrics faithfulness,answer_relevance --daily-budget 5
  assay watch --judge offline --sample-rate 1 --once
  assay watch --by http.route --threshold faithfulness=0.8 --webhook https://chat.example/hooks/abc
  assay watch show
  assay watch remove --name production`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return keepWatch(cmd.Context(), env, cmd.Flags(), f) },
	}
	fl := cmd.Flags()
	nameFlag(fl, &f.name)
	configFlag(cmd, &f.config)
	fl.Float64Var(&f.set.Rate, "sample-rate", f.set.Rate, "share of the traces that are sampled, above 0 and up to 1")
	fl.StringVar(&f.set.By, "by", "", "judge as many questions of each kind: by their language, by the name of the first span of their "+
		"trace, or by an attribute of spans such as http.route (language, name, ATTRIBUTE)")
	fl.Float64Var(&f.budget, "daily-budget", 0, "dollars that judging may cost a day, spent evenly over it (0: no limit)")
	fl.DurationVar(&f.set.Every, "every", f.set.Every, "time between rounds")
	fl.IntVar(&f.set.Most, "round-size", f.set.Most, "how many questions a round judges at most")
	fl.DurationVar(&f.set.Settle, "settle", f.set.Settle, "how long a trace waits for more spans before it counts as complete")
	fl.DurationVar(&f.since, "since", 24*time.Hour, "how far back a new watch reads what was received before it")
	fl.IntVar(&f.set.Learn, "learn", f.set.Learn, "number of scores from which the line of a metric without a threshold is learned")
	fl.Float64Var(&f.set.Tolerance, "drop", f.set.Tolerance,
		"how far below the lower bound of the learned mean the line is, as a share of the metric's range")
	fl.Float64Var(&f.set.Quiet, "quiet-cases", f.set.Quiet,
		"number of judged questions between two false alarms of the watch, on average, at least")
	fl.StringVar(&f.webhook, "webhook", "", "address that receives alarms as JSON; without it, that of the environment variable "+webhookVariable)
	fl.BoolVar(&f.once, "once", false, "judge one round of what was received so far, and exit")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "print alarms and errors only")
	addSettingsThat(cmd, watched)
	cmd.AddCommand(newWatchShow(env), newWatchRemove(env))
	return cmd
}

func nameFlag(fl *pflag.FlagSet, name *string) {
	fl.StringVar(name, "name", "production", "name of the watch; each has its own sample, lines and alarms")
}

// watched reports whether a setting applies to the runs of a watch: those of scores and judges,
// and of the process.
func watched(s config.Setting) bool {
	if s.Key == "gate.allow_estimates" {
		return true
	}
	if s.Verdict || s.Compared {
		return false
	}
	if s.Section == config.SectionJudge {
		return !slices.Contains([]string{"max-cost", "writer", "judge-optional", "replay", "refresh"}, s.Key)
	}
	return slices.Contains([]string{
		"metrics", "thresholds", "weights", "level", "similarity", "embedder", "embedder-url", "embedder-command",
		"concurrency", "offline", "seed", "keep-texts", "store", "store-patience", "cache",
	}, s.Key)
}

func keepWatch(ctx context.Context, env *Env, flags *pflag.FlagSet, f watchFlags) (err error) {
	defer boundGrowth()()
	r, err := resolve(env, flags, f.config)
	if err != nil {
		return err
	}
	f.set.Level = r.Level
	f.set.Budget = int64(math.Round(f.budget * 1e6))
	if err := f.check(); err != nil {
		return err
	}
	hook, err := f.hook(env, r.Offline)
	if err != nil {
		return err
	}
	s, err := openKept(ctx, env, r.Store, "assay serve makes it, and receives traces")
	if err != nil {
		return err
	}
	defer s.Close()
	tell := func(text string) { env.Warn("%s", text) }
	s = s.Patient(store.Patience{Limit: r.StorePatience, Stop: env.Interrupted, Now: env.Now, Tell: tell})
	j := &roundJudge{env: env, store: s, settings: r, name: f.name, began: env.Now()}
	if err := j.check(ctx, f.set.Budget); err != nil {
		return err
	}
	w := &watch.Watcher{Store: s, Name: f.name, Settings: f.set, Since: f.since, Judge: j, Webhook: hook, Now: env.Now,
		Sleep: backoff.Sleep, Tell: tell}
	if !f.quiet {
		env.Warn("watch %s: %.3g of the traces in %s are sampled, and judged every %v", f.name, f.set.Rate, s.Name(), f.set.Every)
	}
	st, err := w.Run(ctx, env.Interrupted, f.once)
	if errors.Is(err, store.ErrLocked) {
		return hinted(fmt.Errorf("%w: want one process a watch", err), "--name makes another watch")
	}
	if err != nil || !f.once {
		return err
	}
	if err := showWatch(env, st, false); err != nil {
		return err
	}
	switch {
	case st.Trouble != "":
		return fmt.Errorf("the round could not be judged: %s", st.Trouble)
	case slices.ContainsFunc(st.Series, func(s *watch.Series) bool { return s.Worse }):
		return &ExitError{Code: ExitThreshold}
	}
	return nil
}

// check checks the flags.
func (f *watchFlags) check() error {
	err := f.set.Check()
	if !watch.ValidName(f.name) {
		err = errors.Join(err, fmt.Errorf("--name %q: want letters, digits, \".\", \"_\" and \"-\", at most 64", f.name))
	}
	if f.since < 0 {
		err = errors.Join(err, fmt.Errorf("--since %v: want 0s or more", f.since))
	}
	if math.IsNaN(f.budget) || f.budget > 1e9 {
		err = errors.Join(err, fmt.Errorf("--daily-budget %v: want dollars", f.budget))
	}
	return err
}

// hook returns the webhook, nil if there is none.
func (f *watchFlags) hook(env *Env, offline bool) (*watch.Webhook, error) {
	name, address := "--webhook", f.webhook
	if address == "" {
		name, address = webhookVariable, env.Getenv(webhookVariable)
	}
	if address == "" {
		return nil, nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		// The address can be a secret.
		return nil, fmt.Errorf("%s: want an address that begins with http:// or https://", name)
	}
	if offline {
		return nil, fmt.Errorf("%s: --offline forbids to call it", name)
	}
	return &watch.Webhook{URL: address, Client: http.DefaultClient}, nil
}
