package cli

import (
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/dataset/fetch"
	"github.com/assay-eval/assay/internal/atomic"
)

func newDatasetFetch(env *Env) *cobra.Command {
	var from, output, sha string
	var force bool
	cmd := &cobra.Command{
		Use:   "fetch [NAME]",
		Short: "Fetch a published dataset of BEIR",
		Long: `Fetch a published dataset of BEIR as a zip archive, which every command reads as it
is. Without a name, list those that are known.

The archive must have the published checksum, or that of --sha256. A transfer that
breaks off goes on where it stopped when the command is given again.

--from names a mirror (the address of a folder that has NAME.zip, or of an archive) or
a local folder or archive; with it, NAME may be any.`,
		Example: `  assay dataset fetch
  assay dataset fetch scifact
  assay dataset fetch scifact --from https://mirror.example/beir --output data/scifact.zip
  assay dataset fetch own --from ~/Downloads/own.zip --sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
  assay run --dataset scifact.zip --split test`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listSets(env)
			}
			name, to := args[0], output
			if to == "" {
				to = name + ".zip"
			}
			if atomic.Replaces(env.Path(to)) && !force {
				return found(env, name, to, sha)
			}
			ctx, stop := untilInterrupted(cmd.Context(), env)
			defer stop()
			o := fetch.Options{From: local(env, from), SHA256: sha}
			var bar *bars
			if env.StderrTTY {
				bar = newBars(env.Stderr)
				const kB = 1000
				o.Progress = func(done, total int64) {
					if total > 0 {
						bar.Preparing("fetching "+name+", kB", int(done/kB), int(total/kB))
					}
				}
			}
			got, err := fetch.Fetch(ctx, name, env.Path(to), o)
			if bar != nil {
				bar.close()
			}
			if ctx.Err() != nil && cmd.Context().Err() == nil {
				return &ExitError{Code: ExitInterrupted, Err: errors.New("interrupted: the same command goes on from what is there")}
			}
			if err != nil {
				return fmt.Errorf("dataset %s: %w", name, err)
			}
			how := "its SHA-256 is " + got.SHA256
			if got.Checked != "" {
				how = "it has the " + got.Checked
			}
			if got.Resumed > 0 {
				how += fmt.Sprintf("; %d bytes were there from before", got.Resumed)
			}
			env.Warn("%s written to %s, %d bytes: %s", name, to, got.Size, how)
			env.Hint("assay run --dataset %s --split test", to)
			return nil
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "mirror, local folder or archive (default: where BEIR publishes its datasets)")
	cmd.Flags().StringVarP(&output, "output", "o", "", "file to write (default: NAME.zip)")
	cmd.Flags().StringVar(&sha, "sha256", "", "SHA-256 that the archive must have, in place of the published checksum")
	cmd.Flags().BoolVar(&force, "force", false, "overwrite the file if it is there")
	return cmd
}

// found says that an archive is there already if it is the one that is wanted.
func found(env *Env, name, to, sha string) error {
	sum, same, err := fetch.Sum(name, env.Path(to), sha)
	if err != nil {
		return err
	}
	if !same {
		return hinted(fmt.Errorf("%s: already exists, with the SHA-256 %s: want a new file", to, sum), "--force overwrites it")
	}
	env.Warn("%s is there already, with the checksum that is wanted: nothing was fetched", to)
	return nil
}

// local resolves a path; an address stays as it is.
func local(env *Env, from string) string {
	if from == "" || fetch.IsAddress(from) {
		return from
	}
	return env.Path(from)
}

func listSets(env *Env) error {
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tQUERIES\tDOCUMENTS\tDATASET")
	for _, s := range fetch.Sets {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.Name, s.Queries, s.Documents, s.Title)
	}
	return w.Flush()
}
