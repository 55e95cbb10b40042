package cli

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/watch"
)

func newWatchShow(env *Env) *cobra.Command {
	var path, name string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show what a watch knows: counts, means with bounds, and alarms",
		Example: `  assay watch show
  assay watch show --name production --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := openKept(cmd.Context(), env, path, "assay watch keeps its state in it")
			if err != nil {
				return err
			}
			defer s.Close()
			st, err := watch.Load(cmd.Context(), s, name)
			if err != nil {
				return hinted(err, "assay watch --name "+name+" makes it")
			}
			return showWatch(env, st, asJSON)
		},
	}
	storeFlag(cmd, env, &path)
	nameFlag(cmd.Flags(), &name)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newWatchRemove(env *Env) *cobra.Command {
	var path, name string
	cmd := &cobra.Command{
		Use:     "remove",
		Short:   "Remove a watch; its runs are kept",
		Example: `  assay watch remove --name production`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := openKept(cmd.Context(), env, path, "--store names another")
			if err != nil {
				return err
			}
			defer s.Close()
			if err := watch.Remove(cmd.Context(), s, name); err != nil {
				return err
			}
			env.Warn("watch %s is removed", name)
			return nil
		},
	}
	storeFlag(cmd, env, &path)
	nameFlag(cmd.Flags(), &name)
	return cmd
}

// showWatch writes the state of a watch.
func showWatch(env *Env, st *watch.State, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(env.Stdout)
		e.SetIndent("", "  ")
		return e.Encode(st)
	}
	out := env.Stdout
	fmt.Fprintf(out, "watch %s since %s: %d sampled, %d judged, %d skipped, %d unread", st.Name, st.Begun.UTC().Format("2006-01-02 15:04"),
		st.Total.Sampled, st.Total.Judged, st.Total.Skipped, st.Total.Unread)
	if st.Total.Cost > 0 {
		fmt.Fprintf(out, ", %s", assay.Dollars(st.Total.Cost))
	}
	fmt.Fprintln(out)
	if n := len(st.Waiting); n > 0 {
		fmt.Fprintf(out, "%d wait for the next round\n", n)
	}
	if len(st.Series) == 0 {
		fmt.Fprintln(out, "No round has been judged.")
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "METRIC\tKIND\tMEAN\tBOUNDS\tN\tNO SCORE\tLINE\tSTATE")
	for _, s := range st.Series {
		mean, bounds := "-", "-"
		if m, ci, ok := s.Estimate(st.Settings.Level); ok {
			mean, bounds = fmt.Sprintf("%.3f", m), fmt.Sprintf("%.3f to %.3f", ci.Lo, ci.Hi)
		}
		kind := text.Visible(s.Stratum)
		if kind == "" {
			kind = "all"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%s\t%s\n", marked(s.Metric), kind, mean, bounds, s.Bounds.N, s.Unscored, lineOf(s), stateOf(st, s))
	}
	for _, m := range st.Metrics() {
		if all, ok := st.Overall(m.Name); ok {
			fmt.Fprintf(w, "%s\tall, by traffic\t%.3f\t%.3f to %.3f\t%d\t\t\t\n", marked(m), all.Mean, all.CI.Lo, all.CI.Hi, all.N)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, a := range st.Alarms {
		fmt.Fprintf(out, "%s  %s\n", a.At.UTC().Format("2006-01-02 15:04"), text.Visible(a.Text(st.Name)))
	}
	return nil
}

// marked returns the name of a metric, with the mark of an estimate.
func marked(m assay.MetricInfo) string {
	if m.Estimate {
		return m.Name + " ≈"
	}
	return m.Name
}

func lineOf(s *watch.Series) string {
	switch {
	case s.Line == nil:
		return "-"
	case s.Line.Threshold:
		return fmt.Sprintf("%.3f (threshold)", s.Value(s.Line.At))
	}
	return fmt.Sprintf("%.3f (learned)", s.Value(s.Line.At))
}

func stateOf(st *watch.State, s *watch.Series) string {
	switch state := s.State(); state {
	case watch.Learning:
		return fmt.Sprintf("%s, %d of %d", state, s.Bounds.N, st.Settings.Learn)
	case watch.Worse:
		return "WORSE"
	default:
		return state
	}
}
