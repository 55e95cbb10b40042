package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newStoreCheck(env *Env) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Look for rows that were altered or lost",
		Long: `Read the whole database and print every fault, then the number of rows. Each row has
a checksum (CRC-32C), which every command verifies for the rows that it reads: an
altered row is an error, never another number. This command reads all rows. It also
compares the columns that repeat a part of a record or header with it, compares each
run with the number of its records, and has SQLite check its file.

The checksums find errors of disks, file systems and copies, and changes by hand. They
do not find a row that was changed together with its checksum, was replaced by an
earlier state of itself, or was deleted, except a record of a run. The rows of an
earlier version of assay have checksums since the database was migrated.

The exit code is 1 if there is a fault.`,
		Example: `  assay store check
  assay store check --store postgres://assay@db.example.org/assay`,
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
