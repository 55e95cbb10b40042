package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newStoreCheck(env *Env) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:  "check",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := openKept(cmd.Context(), env, path, "--store names another")
			if err != nil {
				return err
			}
			defer s.Close()
			faults := 0
			checked, err := s.Check(cmd.Context(), func(fault error) {
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
		},
	}
	storeFlag(cmd, env, &path)
	return cmd
}
