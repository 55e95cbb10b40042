package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// driverList returns the kinds of databases as text.

func newStoreMigrate(env *Env) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:  "migrate",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := openStore(cmd.Context(), env, path)
			if err != nil {
				return err
			}
			defer s.Close()
			switch was, is := s.Schema(); was {
			case is:
				env.Warn("store %s: schema %d, up to date", s.Name(), is)
			case 0:
				env.Warn("store %s: created with schema %d", s.Name(), is)
			default:
				env.Warn("store %s: migrated from schema %d to %d", s.Name(), was, is)
			}
			return nil
		},
	}
	storeFlag(cmd, env, &path)
	return cmd
}

func calls(n int) string { return counted(n, "call") }

// exportedRuns returns the number of runs, records and items as text.
func exportedRuns(runs, records, items int) string {
	return fmt.Sprintf("%s, %s, %s", counted(runs, "run"), counted(records, "record"), counted(items, "item"))
}
