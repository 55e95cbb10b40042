package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/dataset"
)

func newDatasetValidate(env *Env) *cobra.Command {
	var read readFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:  "validate PATH…",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON {
				return validateJSON(cmd.Context(), env, &read, args)
			}
			var problems []error
			for _, path := range args {
				d, err := read.load(cmd.Context(), env, path)
				if err != nil {
					problems = append(problems, err)
					continue
				}
				warnDataset(env, d)
				describeValid(env.Stdout, path, d)
			}
			return errors.Join(problems...)
		},
	}
	read.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what was found as JSON")
	return cmd
}

// describeValid writes a short description of a valid dataset.
func describeValid(w io.Writer, path string, d *dataset.Dataset) {
	fmt.Fprintf(w, "%s: valid, %s in format %s\n", oneLine(path), countCases(d.Cases.Len()), d.Info.Format)
	fmt.Fprintf(w, "  hash    %s\n", d.Info.Hash)
	var labels []string
	for _, l := range d.Stats().Labels {
		if l.Cases > 0 {
			labels = append(labels, fmt.Sprintf("%s %d", l.Name, l.Cases))
		}
	}
	if labels == nil {
		labels = []string{"none: no metric that needs one applies"}
	}
	fmt.Fprintf(w, "  labels  %s\n", strings.Join(labels, ", "))
}

// validated is the result for one dataset.
type validated struct {
	Path     string            `json:"path"`
	Valid    bool              `json:"valid"`
	Format   string            `json:"format,omitempty"`
	Cases    int               `json:"cases"`
	Hash     string            `json:"hash,omitempty"`
	Problems []*dataset.Error  `json:"problems"`
	Warnings []dataset.Warning `json:"warnings"`
}

func validateJSON(ctx context.Context, env *Env, read *readFlags, paths []string) error {
	out := []validated{}
	failed := false
	for _, path := range paths {
		one := validated{Path: path, Problems: []*dataset.Error{}, Warnings: []dataset.Warning{}}
		d, err := read.load(ctx, env, path)
		var list dataset.Errors
		switch {
		case errors.As(err, &list):
			one.Problems = list
		case err != nil:
			// The error is not about the content: the file is missing, say, or a flag is
			// invalid.
			one.Problems = append(one.Problems, &dataset.Error{File: path, Index: -1, Problem: err.Error()})
		default:
			one.Valid, one.Format, one.Cases, one.Hash = true, d.Info.Format, d.Cases.Len(), d.Info.Hash
			one.Warnings = append(one.Warnings, d.Warnings...)
		}
		failed = failed || !one.Valid
		out = append(out, one)
	}
	if err := printJSON(env.Stdout, out); err != nil {
		return err
	}
	if failed {
		return &ExitError{Code: ExitFatal}
	}
	return nil
}
