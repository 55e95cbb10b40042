package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/atomic"
	"github.com/assay-eval/assay/report"
)

func newExportScores(env *Env) *cobra.Command {
	var to, output string
	names := namesOf(report.ScoreFormats, func(f report.Format) string { return f.Name })
	cmd := &cobra.Command{
		Use:  "scores [RUN]",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if to == "" {
				return fmt.Errorf("--to is missing: want one of %s", strings.Join(names, ", "))
			}
			r, err := resolveStored(env, cmd.Flags(), "")
			if err != nil {
				return err
			}
			rep, err := loadReport(cmd.Context(), env, runOf(args), r.Store)
			if err != nil {
				return err
			}
			f := report.ScoreFormats[slices.Index(names, to)]
			write := func(w io.Writer) error { return f.Write(w, rep, report.Options{}) }
			if output != "" {
				return atomic.WriteFile(env.Path(output), write)
			}
			return write(env.Stdout)
		},
	}
	choiceFlag(cmd, &to, "to", "format of the scores (required)", names)
	cmd.Flags().StringVarP(&output, "output", "o", "", "file to write (default: standard output)")
	addNamedSettings(cmd, "store")
	return cmd
}
