package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/run/queue"
	"github.com/assay-eval/assay/store"
)

func newServeStatus(env *Env) *cobra.Command {
	var asJSON bool
	cmd := storeCommand(env, "status", cobra.NoArgs, func(ctx context.Context, s *store.Store, _ []string) error {
		v, err := queue.View(ctx, s)
		if err != nil {
			return err
		}
		defer v.Close()
		state, err := v.State(ctx, env.Now())
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(env.Stdout, state)
		}
		return writeStatus(env.Stdout, state, env.Now())
	}, "assay run makes it")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// writeStatus writes the tables.
func writeStatus(out io.Writer, state queue.State, now time.Time) error {
	if len(state.Runs) == 0 {
		fmt.Fprintln(out, "No run goes on or waits.")
	} else {
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "RUN\tSTATE\tSESSION\tCASES\tFAILED\tRATE\tLEFT\tSPENT\tNAME")
		for _, r := range state.Runs {
			fmt.Fprintf(w, "%s\t%s\t%s\t%d/%d\t%d\t%s\t%s\t%s\t%s\n", r.ID, r.State, sessionOf(r), r.Done, r.Cases, r.Failed, rateOf(r.Rate),
				lasting(r.Left), spentOf(r), text.Visible(r.Name))
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	if state.Queue == nil {
		return nil
	}
	fmt.Fprintln(out)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "QUEUE\tPRIORITY\tWAITING\tRUNNING\tLAG")
	line := func(name string, b queue.Backlog) {
		priority := "-"
		if b.Priority > 0 {
			priority = fmt.Sprint(b.Priority)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", name, priority, loadOf(b.Waiting), loadOf(b.Running), lasting(b.Lag))
	}
	for _, r := range state.Runs {
		if r.Queue != nil {
			line(r.ID, *r.Queue)
		}
	}
	line("all", *state.Queue)
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	return writeWorkers(out, state.Workers, now)
}

func writeWorkers(out io.Writer, workers []queue.WorkerState, now time.Time) error {
	if len(workers) == 0 {
		fmt.Fprintln(out, "No worker is there.")
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "WORKER\tSTATE\tHOST\tVERSION\tSINCE\tBATCHES\tOLDEST")
	for _, one := range workers {
		state := "absent"
		if one.Present {
			state = "present"
		}
		since, batches := "-", fmt.Sprint(one.Running.Batches)
		if !one.Since.IsZero() {
			since = lasting(now.Sub(one.Since).Seconds())
			batches += fmt.Sprintf("/%d", one.Most)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", one.ID, state, cmp.Or(text.Visible(one.Host), "-"), cmp.Or(text.Visible(one.Version), "-"),
			since, batches, lasting(one.Oldest))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, one := range workers {
		for _, r := range one.Refusals {
			fmt.Fprintf(out, "\n%s refuses %s, last %s ago:\n  %s\n", one.ID, r.Run, lasting(now.Sub(r.Last).Seconds()),
				strings.ReplaceAll(text.Visible(r.Reason), "\n", "\n  "))
		}
	}
	return nil
}

func sessionOf(r queue.RunState) string {
	switch {
	case r.Session:
		return "there"
	case r.State == "queued":
		return "-"
	}
	return "gone"
}

// rateOf formats cases a second; "-" if they are not known.
func rateOf(rate float64) string {
	switch {
	case rate <= 0:
		return "-"
	case rate < 10:
		return fmt.Sprintf("%.2g/s", rate)
	}
	return fmt.Sprintf("%.0f/s", rate)
}

func spentOf(r queue.RunState) string {
	dollars := func(v float64) string { return assay.Dollars(int64(math.Round(v * 1e6))) }
	if r.Budget > 0 {
		return dollars(r.Spent) + " of " + dollars(r.Budget)
	}
	if r.Spent == 0 {
		return "-" // nothing, or what has no known price
	}
	return dollars(r.Spent)
}

func loadOf(l queue.Load) string {
	return fmt.Sprintf("%d (%s)", l.Batches, counted(l.Cases, "case"))
}

// lasting formats a number of seconds as a duration: to the second, from an hour up to the
// minute; "-" for 0.
func lasting(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case seconds <= 0:
		return "-"
	case d < time.Second:
		return "<1s"
	case d >= time.Hour:
		return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	}
	return d.Round(time.Second).String()
}
