package cli

import (
	"bufio"
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/store"
)

func newStoreImport(env *Env) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:  "import FILE",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := env.Open(args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			text, err := llm.Decompress(in)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			s, err := openStore(cmd.Context(), env, path)
			if err != nil {
				return err
			}
			defer s.Close()
			said := ""
			if withRuns(text) {
				n, err := s.Import(cmd.Context(), text, args[0], llm.ReadArchive(text, args[0]+" (ledger)"))
				if err != nil {
					return hinted(err, "nothing was imported")
				}
				said = fmt.Sprintf("%s, %s added to %s, %d there already", exportedRuns(n.Runs, n.Records, n.Items), calls(n.Calls),
					shownStore(path, s), n.Present)
			} else {
				n, err := s.ImportCalls(cmd.Context(), llm.ReadArchive(text, args[0]))
				if err != nil {
					return hinted(err, "nothing was imported")
				}
				said = fmt.Sprintf("%s added to %s, %d there already", calls(n.Added), shownStore(path, s), n.Present)
			}
			env.Warn("%s", said)
			return nil
		},
	}
	storeFlag(cmd, env, &path)
	return cmd
}

// shownStore returns the name of a store without a password.
func shownStore(ref string, s *store.Store) string {
	if store.IsFile(ref) {
		return ref
	}
	return s.Name()
}

// withRuns reports whether a file is an archive with runs.
func withRuns(text *bufio.Reader) bool {
	begin := []byte(`{"format":"` + store.ArchiveFormat + `"`)
	head, _ := text.Peek(len(begin))
	return bytes.Equal(head, begin)
}
