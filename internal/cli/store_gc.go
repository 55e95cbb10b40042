package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
)

func newStoreGC(env *Env) *cobra.Command {
	var days int
	var dry, unfinished bool
	cmd := storeCommand(env, "gc", cobra.NoArgs, func(ctx context.Context, s *store.Store, _ []string) error {
		if days < 0 {
			return fmt.Errorf("--days %d: expected 0 or more", days)
		}
		before := env.Now().Add(-time.Duration(days) * 24 * time.Hour)
		stale, err := s.Stale(ctx, before)
		if err != nil {
			return err
		}
		if !unfinished {
			stale.Unfinished = nil
		}
		if dry {
			env.Warn("would remove %s (%d bytes) and %s (%d bytes) of deleted runs, %s (%d bytes), %s, and %s", calls(stale.Calls), stale.Bytes,
				counted(stale.Files, "file"), stale.FileBytes, batches(stale.Spans), stale.SpanBytes,
				counted(len(stale.Watched), "run")+" of watches", counted(len(stale.Unfinished), "unfinished run"))
			for _, h := range slices.Concat(stale.Watched, stale.Unfinished) {
				env.Warn("  %s %s", h.ID, h.Name)
			}
			return nil
		}
		// The calls of these runs go with them.
		watched, err := deleteRuns(ctx, env, s, stale.Watched)
		if err != nil {
			return err
		}
		unended, err := deleteRuns(ctx, env, s, stale.Unfinished)
		if err != nil {
			return err
		}
		var dropped [3]int
		for i, drop := range []func(context.Context, time.Time) (int, error){s.DropCalls, s.DropFiles, s.DropSpans} {
			if dropped[i], err = drop(ctx, before); err != nil {
				return err
			}
		}
		if err := s.Vacuum(ctx); err != nil {
			return err
		}
		env.Warn("removed %s and %s of deleted runs, %s, %s of watches, and %s", calls(dropped[0]), counted(dropped[1], "file"), batches(dropped[2]),
			counted(watched, "run"), counted(unended, "unfinished run"))
		return nil
	}, "--store names another")
	cmd.Flags().IntVar(&days, "days", 90, "how many days old it must be")
	cmd.Flags().BoolVar(&unfinished, "unfinished", false, "remove runs that never ended, too")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "say what would be removed, and remove nothing")
	return cmd
}

// deleteRuns deletes runs that no process works on, and returns their number.
func deleteRuns(ctx context.Context, env *Env, s *store.Store, runs []assay.Header) (n int, err error) {
	for _, h := range runs {
		switch err := s.DeleteRun(ctx, h.ID); {
		case errors.Is(err, store.ErrLocked):
			env.Warn("run %q is kept: another process is working on it", h.ID)
		case err != nil:
			return n, err
		default:
			n++
		}
	}
	return n, nil
}

// batches is "1 batch of spans" or "2 batches of spans".
func batches(n int) string {
	if n == 1 {
		return "1 batch of spans"
	}
	return fmt.Sprintf("%d batches of spans", n)
}
