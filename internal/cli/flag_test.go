package cli_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/internal/config"
)

// completions asks for what a shell would offer.
func completions(t *testing.T, args ...string) []string {
	t.Helper()
	code, out, errs := session(t.TempDir(), nil, append([]string{cobra.ShellCompNoDescRequestCmd}, args...)...)
	if code != cli.ExitOK {
		t.Fatalf("%q: exit code %d\n%s", args, code, errs)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return lines[:len(lines)-1] // the last is the directive
}

// TestCompletion completes the values of every setting that has words, items of lists,
// and flags of commands.
func TestCompletion(t *testing.T) {
	t.Parallel()
	for _, s := range config.Settings {
		if words := s.Completions(); words != nil && s.Flagged() {
			got := completions(t, "run", "--"+s.Flag(), "")
			got = slices.DeleteFunc(got, func(word string) bool { return strings.HasSuffix(word, ":") }) // providers of models
			if !slices.Equal(got, words) {
				t.Errorf("--%s: %q, want %q", s.Flag(), got, words)
			}
		}
	}
	for _, test := range []struct{ typed, want string }{
		{"run --retriever h", "hybrid"},
		{"run --formats html,j", "html,json html,junit"},
		{"run --formats html,html,ht", ""},
		{"run --set judge-t", "judge-temperature= judge-thinking= judge-timeout= judge-tpm="},
		{"run --filter ", "none similarity anthropic: openai: ollama: gemini:"},
		{"doctor config --format ", "table yaml json"},
		{"serve token create --scope ", "read label run admin"},
		{"measure transcript --unit m", "mixed"},
		{"dataset convert --to y", "yaml"},
	} {
		args := strings.Split(test.typed, " ")
		if got := strings.Join(completions(t, args...), " "); got != test.want {
			t.Errorf("%s: %q, want %q", test.typed, got, test.want)
		}
	}
}
