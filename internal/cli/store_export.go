package cli

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/atomic"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/store"
)

func newStoreExport(env *Env) *cobra.Command {
	var force, runs bool
	cmd := storeCommand(env, "export FILE [RUN...]", cobra.MinimumNArgs(1), func(ctx context.Context, s *store.Store, args []string) error {
		if args[0] != "-" && !force && atomic.Replaces(env.Path(args[0])) {
			return hinted(fmt.Errorf("%s: already exists: expected a new file", args[0]), "--force overwrites it")
		}
		// Reading calls must not create a database.
		var ids []string
		for _, ref := range args[1:] {
			h, err := s.Run(ctx, ref)
			if err != nil {
				return err
			}
			ids = append(ids, h.ID)
		}
		var with store.Archived
		n := 0
		err := writeFile(env, args[0], func(w io.Writer) (err error) {
			if runs {
				if with, err = s.Export(ctx, w, ids...); err != nil {
					return err
				}
			}
			n, err = llm.WriteArchive(w, s.Calls(ctx, ids...))
			return err
		})
		if err != nil {
			return err
		}
		what := calls(n)
		if runs {
			what = exportedRuns(with.Runs, with.Records, with.Items) + ", " + what
		}
		env.Warn("%s written to %s", what, args[0])
		if n == 0 && len(ids) > 0 && !runs {
			env.Warn("hint: earlier runs paid for the calls of these runs: name no run to export every call")
		}
		return nil
	}, "assay run makes it", "--store names another")
	cmd.Flags().BoolVar(&force, "force", false, "overwrite the file")
	cmd.Flags().BoolVar(&runs, "runs", false, "write the runs, their records, and what else is kept, too")
	return cmd
}

// writeFile writes a file, or standard output if the name is "-".
func writeFile(env *Env, name string, write func(io.Writer) error) error {
	if name == "-" {
		return write(env.Stdout)
	}
	return atomic.WriteFile(env.Path(name), func(w io.Writer) error {
		if !strings.HasSuffix(name, ".gz") {
			return write(w)
		}
		z := gzip.NewWriter(w)
		return errors.Join(write(z), z.Close())
	})
}
