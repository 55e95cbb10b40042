package cli

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/dataset"
)

func newDatasetStats(env *Env) *cobra.Command {
	var read readFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:  "stats PATH",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := read.load(cmd.Context(), env, args[0])
			if err != nil {
				return err
			}
			warnDataset(env, d)
			s := d.Stats()
			if asJSON {
				return printJSON(env.Stdout, s)
			}
			return writeStats(env.Stdout, d, s)
		},
	}
	read.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// mostTags is the maximum number of tags listed.
const mostTags = 20

func writeStats(w io.Writer, d *dataset.Dataset, s dataset.Stats) error {
	shown := s.Tags[:min(len(s.Tags), mostTags)]
	return printPage(w, "stats", struct {
		Name, Format string
		dataset.Stats
		Shown []dataset.Count
		More  int
	}{d.Info.Name, d.Info.Format, s, shown, len(s.Tags) - len(shown)})
}
