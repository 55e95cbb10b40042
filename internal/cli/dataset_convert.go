package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/atomic"
)

func newDatasetConvert(env *Env) *cobra.Command {
	return rewriteCommand(env, "convert IN OUT", cobra.ExactArgs(2), func(*pflag.FlagSet, *dataset.Selection) {})
}

func newDatasetSample(env *Env) *cobra.Command {
	return rewriteCommand(env, "sample IN [OUT]", cobra.RangeArgs(1, 2), func(flags *pflag.FlagSet, choose *dataset.Selection) {
		flags.IntVarP(&choose.Sample, "sample", "n", 0, "number of cases of a random sample (0: all)")
		flags.Uint64Var(&choose.Seed, "seed", 0, "seed of the sample")
		flags.StringSliceVar(&choose.Tags, "tags", nil, "only cases with one of these tags")
		flags.StringSliceVar(&choose.IDs, "ids", nil, "only these cases")
		flags.IntVar(&choose.Limit, "limit", 0, "only the first cases (0: all)")
	})
}

// rewriteCommand makes a command that reads a dataset and writes the chosen cases of it.
func rewriteCommand(env *Env, use string, args cobra.PositionalArgs, add func(*pflag.FlagSet, *dataset.Selection)) *cobra.Command {
	var choose dataset.Selection
	var read readFlags
	var write writeFlags
	cmd := &cobra.Command{
		Use:  use,
		Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := read.load(cmd.Context(), env, args[0])
			if err != nil {
				return err
			}
			warnDataset(env, d)
			if d.Cases, err = dataset.Select(d.Cases, choose); err != nil {
				return err
			}
			if d.Cases.Len() == 0 {
				return errors.New("the selection with --ids and --tags leaves no case")
			}
			return write.write(cmd.Context(), env, d, append(args, "-")[1])
		},
	}
	add(cmd.Flags(), &choose)
	write.add(cmd)
	read.add(cmd)
	return cmd
}

// writeFlags are the flags that say how a dataset is written.
type writeFlags struct {
	form  string
	force bool
}

func (f *writeFlags) add(cmd *cobra.Command) {
	choiceFlag(cmd, &f.form, "to", "format to write (default: by the extension)", dataset.Forms())
	cmd.Flags().BoolVar(&f.force, "force", false, "overwrite the file if it is there")
}

// formOf returns the form of a dataset for the extension of a path.
func formOf(path string) (string, error) {
	if path == "-" {
		return "assay", nil
	}
	if form := dataset.FormOf(path); form != "" {
		return form, nil
	}
	return "", hinted(fmt.Errorf("%s: unknown extension; use --to", path), "forms: "+strings.Join(dataset.Forms(), ", "))
}

// write writes the dataset to a path, or to standard output for "-".
func (f *writeFlags) write(ctx context.Context, env *Env, d *dataset.Dataset, out string) error {
	form := f.form
	if form == "" {
		var err error
		if form, err = formOf(out); err != nil {
			return err
		}
	}
	if form == "beir" {
		return writeBEIR(ctx, env, d, out)
	}
	var lost []string
	if out == "-" {
		// Encode into a buffer first: a dataset that cannot be encoded prints nothing.
		var b bytes.Buffer
		var err error
		if lost, err = dataset.Write(&b, d, form); err != nil {
			return err
		}
		if _, err := env.Stdout.Write(b.Bytes()); err != nil {
			return err
		}
	} else {
		if atomic.Replaces(env.Path(out)) && !f.force {
			return hinted(fmt.Errorf("%s: already exists: expected a new file", out), "--force overwrites it")
		}
		err := atomic.WriteFile(env.Path(out), func(w io.Writer) (err error) {
			lost, err = dataset.Write(w, d, form)
			return err
		})
		if err != nil {
			return err
		}
	}
	printWritten(env, d, out, form, lost)
	return nil
}

func writeBEIR(ctx context.Context, env *Env, d *dataset.Dataset, out string) error {
	if out == "-" {
		return errors.New("format beir is a directory: expected the name of a new one")
	}
	documents, err := d.Documents(ctx)
	if errors.Is(err, dataset.ErrNoCorpus) {
		return fmt.Errorf("format beir needs a corpus: %w", err)
	}
	if err != nil {
		return err
	}
	lost, err := dataset.WriteBEIR(ctx, env.Path(out), d, documents)
	if err != nil {
		return err
	}
	printWritten(env, d, out, "beir", lost)
	return nil
}

func printWritten(env *Env, d *dataset.Dataset, out, form string, lost []string) {
	for _, l := range lost {
		env.Warn("warning: format %s cannot represent %s", form, l)
	}
	if out != "-" {
		env.Warn("%s written to %s", countCases(d.Cases.Len()), out)
	}
}
