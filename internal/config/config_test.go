package config_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/config"
)

func TestPrecedence(t *testing.T) {
	r := config.Default()
	steps := []struct {
		from config.Origin
		v    string
		want int
	}{
		{config.FromFlag, "3", 3},        // the strongest
		{config.FromEnvironment, "4", 3}, // too weak now
		{config.FromFile, "5", 3},
		{config.FromFlag, "6", 6},
	}
	for _, s := range steps {
		if err := r.Set("top-k", s.v, s.from, string(s.from)); err != nil {
			t.Fatal(err)
		}
		if r.TopK != s.want {
			t.Errorf("after %s %s: top-k = %d, want %d", s.from, s.v, r.TopK, s.want)
		}
	}
	if got := r.Origins["top-k"]; got != "flag" {
		t.Errorf("origin %q, want flag", got)
	}
}

func TestFile(t *testing.T) {
	r := config.Default()
	err := r.File("c.yaml",
		[]byte("dataset: gold.jsonl\nmetrics: [ndcg@10, \"recall@5\"]\nchunk:\n  size: 90\n  overlap: 0\ntimeout: 1m30s\nslow-threshold: "+
			"2\ntags:\n"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Dataset != "gold.jsonl" || strings.Join(r.Metrics, " ") != "ndcg@10 recall@5" || r.Chunk.Size != 90 || r.Chunk.Overlap != 0 ||
		r.Timeout != 90*time.Second || r.SlowThreshold != 2*time.Second {
		t.Errorf("got %+v", r.Config)
	}
	if got := r.Origins["chunk.size"]; got != "c.yaml:4" {
		t.Errorf("origin of chunk.size %q, want c.yaml:4", got)
	}
}

func TestFileProblems(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"datset: x\n", `c.yaml:1: unknown setting "datset": did you mean "dataset"?`},
		{"chunk:\n  sise: 3\n", `c.yaml:2: unknown setting "chunk.sise": did you mean "chunk.size"?`},
		{"\ntop-k: many\n", `c.yaml:2: top-k "many": expected a whole number from 1`},
		{"retriever: magic\n", `retriever "magic": expected one of ["sparse" "dense" "hybrid"]`},
		{"dataset:\n  a: b\n", "expected a value or a list, not a mapping"},
		{"- a\n", "expected settings as"},
		{"dataset: a\n---\ndataset: b\n", "a second document"},
		{"dataset: a\ndataset: b\n", "dataset"},
		{"a: [", "c.yaml"},
		{"providers:\n  local: {kind: openai, extra: {API_Key: sk-1}}\n",
			"local: extra: API_Key looks like a secret, and extra is written into reports"},
		{"providers:\n  local: {kind: openai, thinking: maybe}\n", `local: thinking: "maybe": expected one of ["reasoning_effort"`},
		{"providers:\n  local: {kind: ollama, thinking: enable_thinking}\n", "servers of the kind ollama have one field of their own"},
		{"top-k: 0\nlevel: 2\n", "c.yaml:2: level"}, // all problems, not the first
	} {
		err := config.Default().File("c.yaml", []byte(c.in))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %q", c.in, err, c.want)
		}
	}
}

// Fields that only sound like a key may go into requests.
func TestProviderExtra(t *testing.T) {
	r := config.Default()
	if err := r.File("c.yaml",
		[]byte("providers:\n  local: {kind: openai, extra: {prompt_cache_key: a, max_tokens: 3, enable_thinking: false}}\n")); err != nil {
		t.Error(err)
	}
}

func TestEnvironment(t *testing.T) {
	r := config.Default()
	env := map[string]string{"ASSAY_CHUNK_SIZE": "77", "ASSAY_METRICS": "mrr, hit@3"}
	if err := environment(r, env); err != nil {
		t.Fatal(err)
	}
	if r.Chunk.Size != 77 || len(r.Metrics) != 2 || r.Metrics[1] != "hit@3" {
		t.Errorf("got %+v", r.Config)
	}
	env["ASSAY_CHUNK_SIZE"] = "-1"
	if err := environment(r, env); err == nil || !strings.Contains(err.Error(), "ASSAY_CHUNK_SIZE") {
		t.Errorf("got %v, want an error that names the variable", err)
	}
}

func FuzzFile(f *testing.F) {
	f.Add([]byte("dataset: gold.jsonl\nmetrics: [a, b]\nchunk: {size: 3}\n"))
	f.Add([]byte("a: &x [*x]\n"))
	f.Add([]byte("http:\n  headers: {a: \"Bearer ${TOKEN}\", b: \"${N:-x}\"}\n  timeout: 3\nretry: {max_attempts: 1}\n"))
	f.Add([]byte("thresholds: {composite: 0.5, \"rbp(p=0.8)\": 1}\nsend: {a: [\"${TOKEN}\", 1.5, null]}\nvalue: {a_key: x, b: {c: " +
		"\"${TOKEN}\"}}\n"))
	f.Add([]byte("output:\n  directory: ${TOKEN}\n  formats: [csv]\nendpoint: http://u:p@h?key=1\nproviders: {a: {kind: openai, extra: {b: " +
		"\"${TOKEN}\"}}}\n"))
	f.Add([]byte("name: $${TOKEN}\nsend: |\n  {{a}}: ${TOKEN}\n"))
	const token = "${TOKEN} planted-token"
	f.Fuzz(func(t *testing.T, b []byte) {
		r := config.Default()
		r.Variables = environ(map[string]string{"TOKEN": token})
		err := r.File("f", b)
		if strings.Contains(string(b), "planted") {
			return
		}
		if err != nil {
			if strings.Contains(err.Error(), "planted") {
				t.Errorf("the problem names a secret: %v", err)
			}
			return
		}
		if r.TopK < 1 {
			t.Errorf("accepted top-k %d", r.TopK)
		}
		// What is kept gives the same again, and holds no value of a variable.
		kept := r.Map()
		for key, v := range kept {
			if strings.Contains(v, "planted") && key != "output" {
				t.Errorf("%s is kept as %q", key, v)
			}
		}
		again, err := config.Restore(kept, r, "run")
		if err != nil {
			t.Fatalf("%v\n%v", err, kept)
		}
		if diff := difference(r.Config, again.Config); diff != "" {
			t.Error(diff)
		}
		// And so does the file that is made of it.
		if len(r.HTTP.Headers) > 0 || strings.Contains(r.YAML(true), "[secret]") {
			return
		}
		written := config.Default()
		written.Variables = r.Variables
		if err := written.File("w", []byte(r.YAML(true))); err != nil {
			t.Fatalf("%v\n%s", err, r.YAML(true))
		}
		if diff := difference(r.Config, written.Config); diff != "" {
			t.Error(diff)
		}
	})
}

// TestLists: a comma within parentheses that close is part of an item, whichever
// way a list comes.
func TestLists(t *testing.T) {
	for _, c := range []struct {
		typed string
		want  []string
	}{
		{"mrr, rbp(p=0.8,gain=graded) >= 0.1", []string{"mrr", "rbp(p=0.8,gain=graded) >= 0.1"}},
		{"a(b(c,d),e),f", []string{"a(b(c,d),e)", "f"}},
		{"a(b,c", []string{"a(b", "c"}},
		{"a)b,c(", []string{"a)b", "c("}},
		{"a(b,c),d(e,f", []string{"a(b,c)", "d(e", "f"}},
		{"a((b,c),d", []string{"a((b", "c)", "d"}},
	} {
		r := config.Default()
		if err := r.Set("gate.rules", c.typed, config.FromFlag, "flag --gate"); err != nil || !slices.Equal(r.Gate.Rules, c.want) {
			t.Errorf("%q: %q, %v, want %q", c.typed, r.Gate.Rules, err, c.want)
		}
	}
	r := config.Default()
	if err := r.File("c.yaml", []byte("gate:\n  rules:\n    - mrr >= 0.5\n    - rbp(p=0.8,gain=graded) >= 0.1\nmetrics: "+
		"[\"rbp(p=0.8,gain=graded)\", mrr]\n")); err != nil {
		t.Fatal(err)
	}
	if want := []string{"mrr >= 0.5", "rbp(p=0.8,gain=graded) >= 0.1"}; !slices.Equal(r.Gate.Rules, want) {
		t.Errorf("rules %q, want %q", r.Gate.Rules, want)
	}
	if want := []string{"rbp(p=0.8,gain=graded)", "mrr"}; !slices.Equal(r.Metrics, want) {
		t.Errorf("metrics %q, want %q", r.Metrics, want)
	}
	if err := config.Default().File("c.yaml", []byte("metrics: [\"mrr,map\"]\n")); err == nil ||
		!strings.Contains(err.Error(), `c.yaml:1: "mrr,map": expected a list of strings without commas`) {
		t.Errorf("%v, want the item with a comma", err)
	}
}

// A variable that is named like the flag counts too: a gate that is not there would
// look like one that passes. The setting's own wins.
func TestVariableNamedLikeTheFlag(t *testing.T) {
	t.Parallel()
	for want, env := range map[string]map[string]string{
		"errors <= 1%": {"ASSAY_GATE": "errors <= 1%"},
		"errors <= 2%": {"ASSAY_GATE": "errors <= 1%", "ASSAY_GATE_RULES": "errors <= 2%"},
	} {
		r := config.Default()
		var err error
		if r.Variables, err = config.Dotenv(filepath.Join(t.TempDir(), ".env"), ".env",
			func(name string) string { return env[name] }); err != nil {
			t.Fatal(err)
		}
		if err := r.Environment(); err != nil || r.Get("gate.rules") != want {
			t.Errorf("%v: %q (%v), want %q", env, r.Get("gate.rules"), err, want)
		}
	}
}

func TestSectionIsNoSetting(t *testing.T) {
	t.Parallel()
	err := config.Default().File("c.yaml", []byte("gate:\n  - errors <= 1%\n"))
	if want := "gate: expected nested settings: rules, tolerances, statistical, allow_estimates, min_certificate, inconclusive"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want the settings below gate", err)
	}
}
