package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
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
