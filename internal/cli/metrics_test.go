package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/metric/catalog"
)

// printed gives what a command writes to standard output, on a terminal of the
// given width when it is not 0.
func printed(t *testing.T, width int, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env := &cli.Env{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }, Width: width,
		StdoutTTY: width > 0}
	if code := cli.Main(t.Context(), env, args); code != cli.ExitOK {
		t.Fatalf("assay %q: exit code %d: %s", args, code, &stderr)
	}
	return stdout.String()
}

// Each metric is explained on one page of docs/metrics, and listed once.
func TestMetricsAreDocumented(t *testing.T) {
	t.Parallel()
	read := func(pattern string) (all string) {
		files, err := filepath.Glob(filepath.Join(requiretest.Root(), "docs", "metrics", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all += string(b)
		}
		return all
	}
	all, list := read("*"), read("README.md")
	for _, d := range catalog.All().Defs() {
		if strings.Count(all, `<a id="`+d.Name+`">`) != 1 || strings.Count(list, "#"+d.Name+")") != 1 {
			t.Errorf("%s is not explained once and listed once", d.Name)
		}
	}
}

// On a terminal nothing is wider than it; elsewhere a metric is a line.
func TestMetricsWrap(t *testing.T) {
	t.Parallel()
	const width = 72
	for _, args := range [][]string{{"metrics"}, {"metrics", "ndcg", "support"}} {
		for line := range strings.Lines(printed(t, width, args...)) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > width {
				t.Errorf("assay %q: %d columns: %q", args, n, line)
			}
		}
	}
	lines := map[string]int{}
	metrics, _, _ := strings.Cut(printed(t, 0, "metrics"), "MEASURES OF TREC_EVAL")
	for line := range strings.Lines(metrics) {
		if f := strings.Fields(line); strings.HasPrefix(line, "  ") {
			name, _, _ := strings.Cut(f[0], "@")
			lines[strings.TrimSuffix(name, "[")]++
		}
	}
	for _, d := range catalog.All().Defs() {
		if lines[d.Name] != 1 {
			t.Errorf("%s has %d lines: want 1", d.Name, lines[d.Name])
		}
	}
}

// A metric that is judged says what the judge is asked for it.
func TestMetricsSayWhatIsAsked(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"faithfulness": "judge       is asked for claims of the answer, support of the answer by the passages; " +
			"with support=single also for support of the answer by single passages\n",
		"context_recall":  "judge       is asked for claims of the reference, support of the reference by the passages\n",
		"citation_recall": "needs       of the response: the answer, the passages; a judge\n",
	} {
		if got := printed(t, 0, "metrics", name); !strings.Contains(got, want) {
			t.Errorf("%s: %s\nwant the line %q", name, got, want)
		}
	}
	if got := printed(t, 0, "metrics", "ndcg"); strings.Contains(got, "judge  ") {
		t.Errorf("ndcg asks nothing: %s", got)
	}
}
