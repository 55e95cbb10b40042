package cli

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/atomic"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/store"
)

func newStore(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "store",
		Short: "Carry the ledger of calls to models from one data base to another",
		Long: `The data base keeps, beside the runs, a ledger of every call to a model: what was
asked, what came back, and what it cost. With a ledger that has the calls of a
run, the run can be repeated without keys, network or money (run --replay).`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	cmd.AddCommand(newStoreExport(env), newStoreImport(env))
	return cmd
}

func newStoreExport(env *Env) *cobra.Command {
	var path string
	var force bool
	cmd := &cobra.Command{
		Use:   "export FILE [RUN...]",
		Short: "Write the ledger to a file",
		Long: `Write the ledger to a file: JSON lines, compressed when the name ends in ".gz";
"-" is standard output. The same calls give the same bytes.

With RUN (an id, the beginning of one, a name, or "latest") only the calls that
these runs paid for are written. A run that used replies of earlier runs needs
theirs as well: when in doubt, name none.

The file holds every question and reply, and so the texts that were judged. It
holds no keys.`,
		Example: `  assay store export ledger.jsonl.gz
  assay store export judged.jsonl latest`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := os.Stat(env.Path(args[0])); err == nil && args[0] != "-" && !force {
				return hinted(fmt.Errorf("%s: is there already: want a new file", args[0]), "--force overwrites it")
			}
			// Looking for calls must not make a data base.
			if _, err := os.Stat(env.Path(path)); err != nil {
				return hinted(fmt.Errorf("store %s: %w", path, err), "assay run makes it", "--store names another")
			}
			s, err := store.Open(cmd.Context(), env.Path(path))
			if err != nil {
				return err
			}
			defer s.Close()
			var ids []string
			for _, ref := range args[1:] {
				h, err := s.Run(cmd.Context(), ref)
				if err != nil {
					return err
				}
				ids = append(ids, h.ID)
			}
			n := 0
			err = writeFile(env, args[0], func(w io.Writer) (err error) {
				n, err = llm.WriteArchive(w, s.Calls(cmd.Context(), ids...))
				return err
			})
			if err != nil {
				return err
			}
			env.Warn("%s written to %s", calls(n), args[0])
			if n == 0 && len(ids) > 0 {
				env.Warn("hint: what these runs asked was paid for by earlier ones: name no run to write every call")
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&path, "store", config.Default().Store, "data base that keeps the ledger")
	cmd.Flags().BoolVar(&force, "force", false, "overwrite the file")
	return cmd
}

// writeFile writes a file, or standard output when its name is "-".
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

func newStoreImport(env *Env) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Add the calls of a file to the ledger",
		Long: `Add the calls of a file that assay store export wrote, compressed or not, to the
ledger; "-" is standard input. The data base is made when there is none. Calls
that are there already stay as they are.

Every call is checked: a question that was changed no longer has its key. When
one is wrong nothing is imported.`,
		Example: `  assay store import ledger.jsonl.gz
  assay store import ledger.jsonl --store ci.db`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := env.Stdin
			if args[0] != "-" {
				f, err := os.Open(env.Path(args[0]))
				if err != nil {
					return err
				}
				defer f.Close()
				in = f
			}
			s, err := store.Open(cmd.Context(), env.Path(path))
			if err != nil {
				return err
			}
			defer s.Close()
			n, err := s.ImportCalls(cmd.Context(), llm.ReadArchive(in, args[0]))
			if err != nil {
				return hinted(err, "nothing was imported")
			}
			env.Warn("%s added to %s, %d there already", calls(n.Added), path, n.Present)
			return nil
		},
	}
	cmd.Flags().StringVar(&path, "store", config.Default().Store, "data base that keeps the ledger")
	return cmd
}

func calls(n int) string { return counted(n, "call") }
