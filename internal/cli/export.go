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

func newExport(env *Env) *cobra.Command {
	return group(&cobra.Command{
		Use:         "export",
		Short:       "Write scores for the tool that has the traces",
		Long:        "Write the scores of a run for the tool that has the traces of its cases.",
		Annotations: map[string]string{exampleRuns: "not, it needs a run over imported traces, as the guide to traces has"},
		Example:     "  assay export scores --to langfuse --output scores.jsonl",
	}, newExportScores(env))
}

func newExportScores(env *Env) *cobra.Command {
	var to, output string
	var names, list []string
	for _, f := range report.ScoreFormats {
		names, list = append(names, f.Name), append(list, fmt.Sprintf("  %-12s%s", f.Name, f.Doc))
	}
	cmd := &cobra.Command{
		Use:   "scores [RUN]",
		Short: "Write the scores of cases that were made of traces",
		Long: `Write the scores of the cases of a run that assay import traces made, each with the
ids of its trace and span, as the tool that has the traces takes them. RUN is the id
of a run, a prefix of one, a name, "latest" (the default), or a report file (.json).

Formats:
` + strings.Join(list, "\n"),
		Annotations: map[string]string{exampleRuns: "not, it needs a run over imported traces, as the guide to traces has"},
		Example: `  assay export scores --to langfuse --output scores.jsonl
  assay export scores latest --to phoenix | curl -H 'Content-Type: application/json' -d @- localhost:6006/v1/span_annotations`,
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
