package cli

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay/store"
	"github.com/spf13/cobra"
)

func newStoreCheck(env *Env) *cobra.Command {
	return storeCommand(env, "check", cobra.NoArgs, func(ctx context.Context, s *store.Store, _ []string) error {
		faults := 0
		checked, err := s.Check(ctx, func(fault error) {
			faults++
			fmt.Fprintf(env.Stdout, "%v\n", fault)
		})
		if err != nil {
			return err
		}
		rows := 0
		for i, name := range checked.Tables {
			fmt.Fprintf(env.Stdout, "%-8s %d\n", name, checked.Rows[i])
			rows += checked.Rows[i]
		}
		if was, is := s.Schema(); was != is && was != 0 {
			fmt.Fprintf(env.Stdout, "The database was migrated from schema %d to %d by this command. What was altered before the\n"+
				"migration is not found in rows that had no checksum.\n", was, is)
		}
		if faults > 0 {
			return &ExitError{Code: ExitThreshold, Err: fmt.Errorf("%s found in %s", counted(faults, "fault"), counted(rows, "row"))}
		}
		fmt.Fprintf(env.Stdout, "No faults in %s.\n", counted(rows, "row"))
		return nil
	}, "--store names another")
}
