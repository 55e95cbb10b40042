package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
)

func newDatasetFormats(env *Env) *cobra.Command {
	return &cobra.Command{
		Use: "formats [NAME…]",
		RunE: func(_ *cobra.Command, args []string) error {
			all := dataset.Formats()
			if len(args) == 0 {
				return printPage(env.Stdout, "formats", all)
			}
			for i, name := range args {
				at := slices.IndexFunc(all, func(f dataset.Format) bool { return f.Name == name })
				if at < 0 {
					return fmt.Errorf("unknown format %q  (all: %s)", name, strings.Join(dataset.FormatNames(), ", "))
				}
				if i > 0 {
					fmt.Fprintln(env.Stdout)
				}
				fmt.Fprintf(env.Stdout, "%s: %s\n\n%s\n", all[at].Name, all[at].Title, all[at].Doc)
			}
			return nil
		},
	}
}

// readFlags say how a dataset is read: its settings as flags.
type readFlags struct{ cfg config.Config }

func (f *readFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	choiceFlag(cmd, &f.cfg.Format, "format", docOf("format"), dataset.FormatNames())
	flags.StringVar(&f.cfg.Split, "split", "", docOf("split"))
	flags.StringSliceVar(&f.cfg.Queries, "queries", nil, docOf("queries"))
	flags.IntVar(&f.cfg.MinGrade, "min-relevance", 1, docOf("min-relevance"))
	flags.BoolVar(&f.cfg.KeepOwnIDs, "keep-own-ids", false, docOf("keep-own-ids"))
	if cmd.Name() != "check" { // whose own --strict includes this
		flags.BoolVar(&f.cfg.Strict, "strict", false, docOf("strict"))
	}
	flags.BoolVar(&f.cfg.SkipInvalid, "skip-invalid", false, docOf("skip-invalid"))
	flags.StringSliceVar(&f.cfg.Columns, "map", nil, docOf("map"))
	flags.StringVar(&f.cfg.Qrels, "qrels", "", docOf("qrels"))
	flags.SortFlags = false
}

// load reads a dataset. Its name is the path as the user typed it.
func (f *readFlags) load(ctx context.Context, env *Env, path string) (*dataset.Dataset, error) {
	f.cfg.Dataset = path
	return wire.LoadDataset(ctx, f.cfg, wire.World{Path: env.Path, Now: env.Now})
}

// oneLine returns s on one line, safe to print on a terminal.
func oneLine(s string) string { return strings.Join(strings.Fields(text.Visible(s)), " ") }

func countCases(n int) string { return counted(n, "case") }

// warnDataset prints the warnings of a dataset.
func warnDataset(env *Env, d *dataset.Dataset) {
	for _, w := range d.Warnings {
		env.Warn("warning: %s", w)
	}
}
