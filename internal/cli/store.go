package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/config"
)

func newStore(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "store",
		Short: "Carry runs and the ledger of calls from one data base to another, and tidy up",
		Long: `The data base keeps runs with their records, whatever else the server keeps, and a
ledger of every call to a model: what was asked, what came back, and what it cost.
With a ledger that has the calls of a run, the run can be repeated without keys,
network or money (run --replay).

It is SQLite in a file, or PostgreSQL: wherever a data base is named (--store,
ASSAY_STORE, store: in the configuration), postgres://USER@HOST:PORT/DATABASE may
stand. The password comes from the URL, from PGPASSWORD or from ~/.pgpass.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	cmd.AddCommand(newStoreExport(env), newStoreImport(env), newStoreMigrate(env), newStoreGC(env))
	return cmd
}

// storeFlag adds the flag that names the data base.
func storeFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "store", config.Default().Store, "data base: a file, or postgres://USER@HOST/DATABASE")
}

func newStoreMigrate(env *Env) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Bring the tables of a data base up to date",
		Long: `Bring the tables of a data base up to date, and make them where there are none.
Every command does so by itself; this one does nothing else, for those who want to
choose the moment. A data base of a newer assay is left as it is.`,
		Example: `  assay store migrate --store postgres://assay@db.example.org/assay`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := openStore(cmd.Context(), env, path)
			if err != nil {
				return err
			}
			defer s.Close()
			switch was, is := s.Schema(); was {
			case is:
				env.Warn("store %s: schema %d, as it was", s.Name(), is)
			case 0:
				env.Warn("store %s: made, with schema %d", s.Name(), is)
			default:
				env.Warn("store %s: brought from schema %d to %d", s.Name(), was, is)
			}
			return nil
		},
	}
	storeFlag(cmd, &path)
	return cmd
}

func calls(n int) string { return counted(n, "call") }

// exportedRuns says how much of runs, records and items there is.
func exportedRuns(runs, records, items int) string {
	return fmt.Sprintf("%s, %s, %s", counted(runs, "run"), counted(records, "record"), counted(items, "item"))
}
