package convert

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/require"
)

// table returns the rows of a table in docs/convert.md that stands below a mark.
func table(t *testing.T, mark string) map[string]string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(require.Root(), "docs", "convert.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(page), mark)
	if !ok {
		t.Fatalf("no %s", mark)
	}
	out := map[string]string{}
	for line := range strings.Lines(rest) {
		cells := strings.Split(line, " | ")
		if len(cells) < 2 && len(out) > 0 {
			break
		}
		if len(cells) < 2 || !strings.HasPrefix(line, "| `") {
			continue
		}
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[0], -1) {
			out[name[1]] = cells[1]
		}
	}
	return out
}

// The tables of the guide say what the code does with each assertion and metric.
func TestTables(t *testing.T) {
	t.Parallel()
	rows := table(t, "<!-- assertions -->")
	if len(rows) < 15 {
		t.Errorf("%d assertions: want all", len(rows))
	}
	for name, says := range rows {
		kind, metric := dataset.PromptfooCheck(name), dataset.PromptfooMetric(name)
		switch {
		case kind != "" && !strings.Contains(says, "check `"+kind+"`"):
			t.Errorf("%s: %s, and the check is %s", name, says, kind)
		case kind == "" && metric != "" && !strings.Contains(says, "metric `"+metric+"`"):
			t.Errorf("%s: %s, and the metric is %s", name, says, metric)
		case kind == "" && metric == "" && name != "is-refusal":
			t.Errorf("%s: neither a check nor a metric", name)
		}
	}
	for _, name := range dataset.PromptfooAssertions() {
		if rows[name] == "" {
			t.Errorf("%s: no row", name)
		}
	}
	rows = table(t, "<!-- metrics -->")
	for name, kind := range deepevalChecks {
		if !strings.Contains(rows[name], "check `"+kind+"`") {
			t.Errorf("%s: %q, and the check is %s", name, rows[name], kind)
		}
	}
	for name, metric := range deepevalMetrics {
		if !strings.Contains(rows[name], "metric `"+metric+"`") {
			t.Errorf("%s: %q, and the metric is %s", name, rows[name], metric)
		}
	}
	if n := len(deepevalChecks) + len(deepevalMetrics); len(rows) != n {
		t.Errorf("%d metrics of DeepEval, want %d", len(rows), n)
	}
	kinds := table(t, "## Checks")
	if got, want := slices.Sorted(maps.Keys(kinds)), slices.Sorted(slices.Values(assay.CheckKinds())); !slices.Equal(got, want) {
		t.Errorf("kinds %q, want %q", got, want)
	}
}

func TestReadPath(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"json.answer": "answer", "json.data[0].text;": "data[0].text",
		"(json, text) => json.choices[0].message?.content": "choices[0].message.content",
		`json["result"].text`:                              "result.text", "json": "", "{ output: json.a }": "", "json.a + json.b": "", "text": "",
	} {
		if got := readPath(code); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

func TestVault(t *testing.T) {
	t.Parallel()
	v := &vault{}
	for _, c := range []struct{ name, value, want string }{
		{"Authorization", "Bearer sk-1", "Bearer ${AUTHORIZATION}"}, {"X-Api-Key", "sk-2", "${X_API_KEY}"}, {"api_token", "{{env.T}}", "${T}"},
		{"max_tokens", "5", "5"}, {"Accept", "a ${b}", "a $${b}"},
	} {
		if got, _ := v.hidden(c.name, c.value); got != c.want {
			t.Errorf("%s: %s: %s, want %s", c.name, c.value, got, c.want)
		}
	}
	for address, want := range map[string]string{
		"https://a.b/c?q=1&api_key=sk-3": "https://a.b/c?q=1&api_key=${API_KEY}",
		"https://me:pw@a.b/c":            "https://${TARGET_USER}:${TARGET_PASSWORD}@a.b/c",
		"{{env.URL}}/x":                  "${URL}/x",
	} {
		if got, _ := v.address(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}
