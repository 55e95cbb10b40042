package convert

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/require"
)

// The tables of the guide say what the code does with each metric, and list the kinds of checks.
func TestTables(t *testing.T) {
	t.Parallel()
	rows := require.DocTable(t, "docs/convert.md", "<!-- metrics -->")
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
	kinds := require.DocTable(t, "docs/checks.md", "## Kinds")
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
