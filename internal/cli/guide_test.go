package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	shellquote "github.com/kballard/go-shellquote"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/require"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/llm"
)

// The command lines that are shown have commands and flags that there are, and
// name a file only to commands that take one.
func TestShownCommands(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, file := range []string{"README.md", "docs/targets.md", "docs/judging.md", "docs/presets.md", "examples/README.md"} {
		text, err := os.ReadFile(filepath.Join(require.Root(), filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		inside := false
		for line := range strings.Lines(strings.ReplaceAll(string(text), "\\\n", " ")) {
			if strings.HasPrefix(line, "```") {
				inside = !inside
			}
			line, _, _ = strings.Cut(line, "  #")
			words, err := shellquote.Split(strings.NewReplacer("go run ./cmd/assay", "assay", "go run ../cmd/assay", "assay").Replace(strings.TrimSpace(line)))
			if !inside || err != nil || len(words) < 2 || words[0] != "assay" {
				continue
			}
			seen++
			a := newAgent(t, "")
			code, stdout, stderr := a.run(append(words[1:], "--help")...)
			usage := regexp.MustCompile(`(?m)^  (assay .*)$`).FindString(stdout)
			if code != 0 || usage == "" {
				t.Errorf("%s: %s: %s", file, line, stderr)
				continue
			}
			// A word after the command that is no flag is a file.
			commands := strings.Fields(regexp.MustCompile(`^[ a-z]*[a-z]`).FindString(usage))
			if len(words) > len(commands) && !strings.HasPrefix(words[len(commands)], "-") && !regexp.MustCompile(`^[^-]*[A-Z]`).MatchString(usage) {
				t.Errorf("%s: %s: %q is no flag: usage %s", file, line, words[len(commands)], usage)
			}
		}
	}
	if seen < 40 {
		t.Errorf("only %d commands were found", seen)
	}
}

// What the guide tells people to write is what the program reads.
func TestGuideToJudging(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile(filepath.Join(require.Root(), "docs", "judging.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(guide), -1)
	if len(blocks) != 2 {
		t.Fatalf("%d blocks of YAML: want the configuration and the prices", len(blocks))
	}
	r := config.Default()
	if err := r.File("eval-config.yaml", []byte(blocks[0][1])); err != nil {
		t.Error(err)
	}
	if p := r.Providers["local"]; p.Kind != "openai" || p.RPM != 300 || r.MaxCost != 2 {
		t.Errorf("got %+v, at most $%v", p, r.MaxCost)
	}
	prices, err := llm.ReadPrices(strings.NewReader(blocks[1][1]), "prices.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if cost, ok := prices.Cost("local", "qwen3-32b", llm.Usage{Input: 1_000_000, Output: 1_000_000}); !ok || cost != 500_000 {
		t.Errorf("a million tokens each way cost %d micro-dollars, %v: want 500,000", cost, ok)
	}
	rubric, err := os.ReadFile(filepath.Join(require.Root(), "examples", "rubric.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := judge.ReadRubric("rubric.yaml", rubric); err != nil {
		t.Error(err)
	}
}
