package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
)

func newDatasetFormats(env *Env) *cobra.Command {
	return &cobra.Command{
		Use: "formats [NAME…]",
		RunE: func(_ *cobra.Command, args []string) error {
			known := map[string]dataset.Format{}
			for _, f := range dataset.Formats() {
				known[f.Name] = f
			}
			for i, name := range args {
				f, ok := known[name]
				if !ok {
					return fmt.Errorf("unknown format %q  (all: %s)", name, strings.Join(dataset.FormatNames(), ", "))
				}
				if i > 0 {
					fmt.Fprintln(env.Stdout)
				}
				fmt.Fprintf(env.Stdout, "%s: %s\n\n%s\n", f.Name, f.Title, f.Doc)
			}
			if len(args) == 0 {
				width := 0
				for _, f := range dataset.Formats() {
					width = max(width, len(f.Name))
				}
				for _, f := range dataset.Formats() {
					fmt.Fprintf(env.Stdout, "%-*s  %s\n", width, f.Name, f.Title)
				}
				fmt.Fprint(env.Stdout, "\nassay dataset formats NAME describes one.\n")
			}
			return nil
		},
	}
}

// readFlags are the flags that say how a dataset is read.
type readFlags struct {
	format, split, qrels string
	queries, columns     []string
	minRelevance         int
	keepOwnIDs, strict   bool
	skipInvalid          bool
}

func (f *readFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	choiceFlag(cmd, &f.format, "format", docOf("format"), dataset.FormatNames())
	flags.StringVar(&f.split, "split", "", docOf("split"))
	flags.StringSliceVar(&f.queries, "queries", nil, docOf("queries"))
	flags.IntVar(&f.minRelevance, "min-relevance", 1, docOf("min-relevance"))
	flags.BoolVar(&f.keepOwnIDs, "keep-own-ids", false, docOf("keep-own-ids"))
	if cmd.Name() != "check" { // whose own --strict includes this
		flags.BoolVar(&f.strict, "strict", false, docOf("strict"))
	}
	flags.BoolVar(&f.skipInvalid, "skip-invalid", false, docOf("skip-invalid"))
	flags.StringSliceVar(&f.columns, "map", nil, docOf("map"))
	flags.StringVar(&f.qrels, "qrels", "", docOf("qrels"))
	flags.SortFlags = false
}

// load reads a dataset. Its name is the path as the user typed it.
func (f *readFlags) load(ctx context.Context, env *Env, path string) (*dataset.Dataset, error) {
	columns, err := wire.Columns(f.columns)
	if err != nil {
		return nil, err
	}
	return dataset.Load(ctx, env.Path(path), dataset.Options{
		Name: path, Format: f.format, Split: f.split, Queries: f.queries, MinRelevance: f.minRelevance, Columns: columns,
		KeepOwnIDs: f.keepOwnIDs, Strict: f.strict, SkipInvalid: f.skipInvalid, Qrels: env.Path(f.qrels), Now: env.Now(),
	})
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
