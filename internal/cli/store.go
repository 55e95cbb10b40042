package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/store"
)

func newStore(env *Env) *cobra.Command {
	return group(&cobra.Command{
		Use:   "store",
		Short: "Export, import, check, migrate and clean up the database",
		Long: `The database holds runs with their records, other data of the server, and a ledger
of every call to a model: request, reply and cost. With a ledger that has the calls
of a run, the run can be repeated without keys, network or money (run --replay).

--store, ASSAY_STORE and store: in the configuration file name the database:

` + driverList(),
	}, newStoreExport(env), newStoreImport(env), newStoreCheck(env), newStoreMigrate(env), newStoreGC(env))
}

// driverList returns the kinds of databases as text.
func driverList() string {
	var b strings.Builder
	for _, d := range store.Drivers {
		fmt.Fprintf(&b, "  %-38s %s, %s\n", d.Form, d.Title, d.Doc)
	}
	return strings.TrimRight(b.String(), "\n")
}

func newStoreMigrate(env *Env) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Migrate a database to the current schema",
		Long: `Create the tables of a database, or migrate them to the current schema. Every command
does so automatically; this one does nothing else, so that you can choose the time.
A database of a newer version of assay is left unchanged.`,
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
