package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/text"
)

var configFormats = []string{"table", "yaml", "json"}

func newDoctorConfig(env *Env) *cobra.Command {
	var file string
	format := configFormats[0]
	var all bool
	cmd := &cobra.Command{
		Use:  "config [KEY]",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := resolve(env, cmd.Flags(), file)
			if err != nil {
				return err
			}
			if len(args) == 1 {
				return explainSetting(env.Stdout, r, args[0])
			}
			switch format {
			case "yaml":
				_, err := io.WriteString(env.Stdout, r.YAML(all))
				return err
			case "json":
				return printJSON(env.Stdout, append([]config.Line{}, r.Lines(all)...))
			}
			return configTable(env.Stdout, r, all)
		},
	}
	configFlag(cmd, &file)
	cmd.Flags().BoolVar(&all, "all", false, "show defaults too")
	// This flag replaces the setting of the same name.
	choiceFlag(cmd, &format, "format", "how to print", configFormats)
	addSettings(cmd)
	return cmd
}

// widest is the maximum number of columns of a value in a table.
const widest = 60

func configTable(out io.Writer, r *config.Resolved, all bool) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "key\tvalue\tfrom")
	for _, l := range r.Lines(all) {
		fmt.Fprintf(w, "%s\t%s\t%s\n", text.Visible(l.Key), text.Shorten(text.Visible(l.Value), widest), text.Visible(l.Origin))
	}
	if named := r.Named(); len(named) > 0 {
		fmt.Fprintf(w, "configs\t%s\tassay compare runs them\n", text.Shorten(text.Visible(strings.Join(named, ", ")), widest))
	}
	return w.Flush()
}

// explainSetting prints the documentation, value and origin of a setting, or of one
// entry of a map.
func explainSetting(out io.Writer, r *config.Resolved, key string) error {
	s, err := config.FindAlias(key)
	if err != nil {
		return err
	}
	s.Example = strings.ReplaceAll(strings.TrimSpace(s.Example), "\n", " / ")
	return printPage(out, "setting", struct {
		config.Setting
		Shown []config.Line
	}{s, r.Shown(key)})
}
