package cli

import (
	"io"
	"strings"

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
			return printPage(env.Stdout, "settings", struct {
				Lines   []config.Line
				Configs []string
			}{r.Lines(all), r.Named()})
		},
	}
	configFlag(cmd, &file)
	cmd.Flags().BoolVar(&all, "all", false, "show defaults too")
	// This flag replaces the setting of the same name.
	choiceFlag(cmd, &format, "format", "how to print", configFormats)
	addSettings(cmd)
	return cmd
}

// shortValue returns a value for a column of a table.
func shortValue(s string) string { return text.Shorten(text.Visible(s), 60) }

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
