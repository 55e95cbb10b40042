package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

func newReport(env *Env) *cobra.Command {
	var format, output string
	var cases int
	var whole bool
	formats := slices.Concat(report.Formats, report.ScoreFormats)
	cmd := &cobra.Command{
		Use:  "report [RUN]",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f := formats[slices.IndexFunc(formats, func(f report.Format) bool { return f.Name == format })]
			r, err := resolveStored(env, cmd.Flags(), "")
			if err != nil {
				// A stored run can be shown even if the settings lack what a new run needs.
				var without error
				if r, without = resolveStored(env, cmd.Flags(), os.DevNull); without != nil {
					return without
				}
				env.Warn("%v", err)
			}
			rep, err := loadReport(cmd.Context(), env, runOf(args), r.Store)
			if err != nil {
				return err
			}
			o := display(env, r.Language)
			o.Cases, o.Short, o.Strict = cases, !whole && f.Name == "terminal", rep.Strict()
			if output != "" {
				o.Width, o.Colour, o.Short = 0, false, false
				return rep.WriteFile(env.Path(output), f, o)
			}
			return f.Write(env.Stdout, rep, o)
		},
	}
	names := namesOf(formats, func(f report.Format) string { return f.Name })
	format = names[0]
	choiceFlag(cmd, &format, "format", "how to write the run", names)
	cmd.Flags().StringVarP(&output, "output", "o", "", "file to write (default: standard output)")
	cmd.Flags().IntVar(&cases, "cases", 0,
		"how many cases to show one by one, the worst first, -1 for none (default: as the format has it; html: 500)")
	wholeFlag(cmd, &whole, "report")
	addNamedSettings(cmd, "store", "language")
	return cmd
}

// wholeFlag adds the flag for all of a report or a comparison on a terminal.
func wholeFlag(cmd *cobra.Command, whole *bool, what string) {
	cmd.Flags().BoolVarP(whole, "verbose", "v", false, "print the whole "+what)
}

// loadReport finds a run: in a report file if ref names one, otherwise in the store.
func loadReport(ctx context.Context, env *Env, ref, storePath string) (*report.Report, error) {
	rep, err := readReport(env, ref)
	if err != nil || rep != nil {
		return rep, err
	}
	s, h, err := openRun(ctx, env, ref, storePath)
	if err != nil {
		return nil, err
	}
	env.keep(s)
	return wire.Kept(ctx, s, h)
}

// readReport reads a report file. It returns nil if ref names none, so that it is a run
// of the store.
func readReport(env *Env, ref string) (*report.Report, error) {
	f, err := os.Open(env.Path(ref))
	if err == nil {
		defer f.Close()
		rep, err := report.Read(f)
		if err != nil {
			return nil, hidden(ref, err)
		}
		return rep, nil
	}
	if strings.HasSuffix(ref, ".json") || !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return nil, nil
}

// hidden is the error of a file that is no report. It may hide the run of its name that was meant.
func hidden(ref string, err error) error {
	err = fmt.Errorf("%s: %w", ref, err)
	if filepath.Base(ref) != ref || strings.HasSuffix(ref, ".json") {
		return err
	}
	return hinted(err, fmt.Sprintf("the file %s hides a run of this name: give the id of the run, which assay runs lists", ref))
}

// openRun opens the store and finds a run in it.
func openRun(ctx context.Context, env *Env, ref, storePath string) (*store.Store, assay.Header, error) {
	if err := missingStore(env, storePath); err != nil {
		err = fmt.Errorf("run %q: no database of runs: %w", ref, err)
		return nil, assay.Header{}, hinted(err, "--store names another one", "assay run creates a run")
	}
	s, err := openStore(ctx, env, storePath)
	if err != nil {
		return nil, assay.Header{}, err
	}
	h, err := s.Run(ctx, ref)
	if err != nil {
		return nil, h, hinted(errors.Join(err, s.Close()), "assay runs"+config.StoreFlag(storePath)+" lists the runs")
	}
	return s, h, nil
}
