package config_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/requiretest"
)

// sourceFile is the configuration file of source document 003, as it stands
// there.
func sourceFile(t *testing.T) []byte {
	t.Helper()
	doc, err := os.ReadFile(requiretest.Shared(t, "sources/003_d00c16e062c92002.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(doc), "### `eval-config.yaml` (Optional)\n\n```yaml\n")
	block, _, ok := strings.Cut(rest, "```")
	if !ok || !strings.Contains(block, "adapter: http") {
		t.Fatal("the document has no configuration file")
	}
	return []byte(block)
}

func TestSourceFile(t *testing.T) {
	t.Parallel()
	r := config.Default()
	r.Variables = environ(map[string]string{"RAG_API_TOKEN": "tok-12345678"})
	if err := r.File("eval-config.yaml", sourceFile(t)); err != nil {
		t.Fatal(err)
	}
	want := config.Default()
	want.Adapter, want.Endpoint = "http", "http://localhost:8000/query"
	want.HTTP.Headers = map[string]string{"Authorization": "Bearer tok-12345678"}
	want.Timeout, want.SlowThreshold = 30*time.Second, 5*time.Second
	want.Concurrency, want.Retries, want.Backoff = 5, 2, "exponential" // three attempts
	want.Weights = map[string]float64{"faithfulness": 40, "answer_relevance": 20, "context_precision": 20, "context_recall": 20}
	want.Thresholds = map[string]float64{"composite": 0.8, "faithfulness": 0.85, "answer_relevance": 0.7}
	want.Similarity, want.Embedder = 0.85, "minilm"
	want.Output, want.Formats = "results/eval_report", []string{"markdown", "json"}
	if diff := difference(want.Config, r.Config); diff != "" {
		t.Error(diff)
	}
	// Every key of it was read: each of these has its line.
	lines := map[string]int{
		"adapter": 2, "endpoint": 3, "http.headers.Authorization": 8, "timeout": 9, "slow-threshold": 10, "concurrency": 13, "retries": 15,
		"backoff": 16, "weights.faithfulness": 20, "weights.answer_relevance": 21, "weights.context_precision": 22, "weights.context_recall": 23,
		"thresholds.composite": 27, "thresholds.faithfulness": 28, "thresholds.answer_relevance": 29, "similarity": 33, "embedder": 34,
		"output": 38, "formats": 39,
	}
	got := map[string]int{}
	for _, l := range r.Lines(false) {
		var n int
		if _, err := fmt.Sscanf(l.Origin, "eval-config.yaml:%d", &n); err != nil {
			t.Errorf("%s comes from %q", l.Key, l.Origin)
		}
		got[l.Key] = n
	}
	if !maps.Equal(got, lines) {
		t.Errorf("lines %v\nwant  %v", got, lines)
	}
	if m := r.Map(); m["http.headers.Authorization"] != "Bearer ${RAG_API_TOKEN}" || m["thresholds.composite"] != "0.8" ||
		m["weights.faithfulness"] != "40" {
		t.Errorf("the header of the run says %v", m)
	}
}

// The three ways to give a header have the order of the document: the file, the
// flag and .env, per header.
func TestHeaderPrecedence(t *testing.T) {
	t.Parallel()
	s, err := config.Find("http.headers")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		variable, file, flag string
		want                 map[string]string
		from                 string
	}{
		{"Bearer a", "", "", map[string]string{"Authorization": "Bearer a"}, "environment RAG_AUTH_HEADER"},
		{"X-Key: a:b", "", "", map[string]string{"X-Key": "a:b"}, ""},
		{"authorization:Basic eDp5", "", "", map[string]string{"Authorization": "Basic eDp5"}, "environment RAG_AUTH_HEADER"},
		{"user:pass", "", "", map[string]string{"Authorization": "user:pass"}, "environment RAG_AUTH_HEADER"},
		{"Bearer a", "authorization: Bearer b", "", map[string]string{"Authorization": "Bearer b"}, "f:3"},
		{"Bearer a", "authorization: Bearer b", "AUTHORIZATION: Bearer c", map[string]string{"Authorization": "Bearer c"}, "flag --header"},
		{"X-Key: a", "X-Other: b", "Authorization: Bearer c", map[string]string{"X-Key": "a", "X-Other": "b", "Authorization": "Bearer c"},
			"flag --header"},
	} {
		r := config.Default()
		r.Variables = environ(map[string]string{"RAG_AUTH_HEADER": c.variable})
		var problems []error
		if c.file != "" {
			problems = append(problems, r.File("f", []byte("http:\n  headers:\n    "+c.file+"\n")))
		}
		problems = append(problems, r.Environment())
		if c.flag != "" {
			problems = append(problems, r.SetTyped(s, c.flag, config.FromFlag, "flag --header"))
		}
		if i := slices.IndexFunc(problems, func(err error) bool { return err != nil }); i >= 0 {
			t.Errorf("%+v: %v", c, problems[i])
		}
		if !maps.Equal(r.HTTP.Headers, c.want) {
			t.Errorf("%+v: headers %v", c, r.HTTP.Headers)
		}
		if got := r.Origins["http.headers.Authorization"]; got != c.from {
			t.Errorf("%+v: from %q", c, got)
		}
	}
}
