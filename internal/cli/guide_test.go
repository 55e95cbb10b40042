package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/llm"
)

// The program accepts the configuration shown in the guide.
func TestGuideToJudging(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile(filepath.Join(requiretest.Root(), "docs", "judging.md"))
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
	rubric, err := os.ReadFile(filepath.Join(requiretest.Root(), "examples", "rubric.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := judge.ReadRubric("rubric.yaml", rubric); err != nil {
		t.Error(err)
	}
}
