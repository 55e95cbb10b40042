package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func TestHelpFiles(t *testing.T) {
	t.Parallel()
	unused := map[string]bool{}
	files, err := helpFiles.ReadDir("help")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		unused[f.Name()] = true
	}
	eachCommand(newRoot(&Env{}), func(c *cobra.Command) {
		delete(unused, helpFile(c))
		if c.Short == "" {
			t.Errorf("%s: no file help/%s", c.CommandPath(), helpFile(c))
		}
		for mark := range helpParts {
			if strings.Contains(c.Long, mark) {
				t.Errorf("%s: %s is not filled in", c.CommandPath(), mark)
			}
		}
	})
	for name := range unused {
		t.Errorf("help/%s: no command has this text", name)
	}
}

func TestHelpAllShowsEveryFlag(t *testing.T) {
	t.Parallel()
	for path, most := range map[string]int{"run": 30, "compare": 40, "serve": 35, "doctor": 30, "corpus upload": 40} {
		shown := func(args ...string) (text string, flags int) {
			var out strings.Builder
			root := newRoot(&Env{})
			root.SetOut(&out)
			root.SetArgs(append(strings.Fields(path), args...))
			if err := root.Execute(); err != nil {
				t.Fatal(err)
			}
			return out.String(), strings.Count(out.String(), "\n      --") + strings.Count(out.String(), "\n  -")
		}
		first, few := shown("--help")
		_, all := shown("--help", "all")
		c, _, _ := newRoot(&Env{}).Find(strings.Fields(path))
		c.InitDefaultHelpFlag()
		every := 0
		c.LocalFlags().VisitAll(func(*pflag.Flag) { every++ })
		if few > most || all != every || !strings.Contains(first, "assay "+path+" --help all shows every flag.") {
			t.Errorf("%s: %d flags, at most %d expected; --help all shows %d of %d:\n%s", path, few, most, all, every, first)
		}
	}
}
