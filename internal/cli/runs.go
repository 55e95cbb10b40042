package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/store"
)

func newRuns(env *Env) *cobra.Command {
	var path string
	var limit int
	cmd := &cobra.Command{
		Use:  "runs",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := openKept(cmd.Context(), env, path, "assay run makes it")
			if err != nil {
				return err
			}
			defer s.Close()
			runs, total, err := s.RunPage(cmd.Context(), store.RunQuery{Limit: limit})
			if err != nil {
				return err
			}
			if len(runs) == 0 {
				env.Hint("no run in %s yet: assay run%s creates one", shownStore(path, s), config.StoreFlag(path))
				return nil
			}
			w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "RUN\tSTATE\tCASES\tDATASET\tTARGET\tNAME")
			for _, h := range runs {
				n, err := wire.RecordsOf(s, h).Counts(cmd.Context(), h.ID)
				if err != nil {
					return err
				}
				// Where no lock is available, nothing is known.
				if now, err := s.IfAlive(cmd.Context(), h, env.Now().UTC()); err == nil {
					h = now
				}
				fmt.Fprintf(w, "%s\t%s\t%d/%d\t%s\t%s\t%s\n", h.ID, h.Shown(), n.Records, h.Asked(), text.Visible(h.Dataset.Name), h.Target.Adapter,
					text.Visible(h.Name))
			}
			if len(runs) < total {
				defer env.Hint("%d of %d runs: assay runs --limit=0%s lists all", len(runs), total, config.StoreFlag(path))
			}
			return w.Flush()
		},
	}
	storeFlag(cmd, env, &path)
	cmd.Flags().IntVar(&limit, "limit", 20, "how many to list (0: all)")
	return cmd
}
