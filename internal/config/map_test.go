package config_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/report"
)

// One entry is one key, with an origin of its own.
func TestEntries(t *testing.T) {
	t.Parallel()
	r := config.Default()
	if err := r.File("f", []byte("thresholds:\n  composite: 0.5\n  answer-relevance: 0.6\n  rbp(p=0.8): 0.1\nweights: {ndcg@10: "+
		"2}\nread:\n  answer: a.b\n")); err != nil {
		t.Fatal(err)
	}
	s, err := config.Find("thresholds")
	if err != nil {
		t.Fatal(err)
	}
	for _, typed := range []string{"composite=0.8", "ndcg@10=0.3", "rbp(p=0.8)=0.2"} {
		if err := r.SetTyped(s, typed, config.FromFlag, "flag --threshold"); err != nil {
			t.Fatal(err)
		}
	}
	// Weaker now: a flag has said something else.
	if err := r.Set("thresholds.composite", "0.1", config.FromEnvironment, "e"); err != nil {
		t.Fatal(err)
	}
	if want := map[string]float64{"composite": 0.8, "answer_relevance": 0.6, "rbp(p=0.8)": 0.2, "ndcg@10": 0.3}; !maps.Equal(r.Thresholds,
		want) {
		t.Errorf("thresholds %v: want %v", r.Thresholds, want)
	}
	for key, want := range map[string]string{"thresholds.composite": "flag --threshold", "thresholds.answer_relevance": "f:3",
		"weights.ndcg@10": "f:5", "read.answer": "f:7"} {
		if got := r.Origins[key]; got != want {
			t.Errorf("%s comes from %q: want %q", key, got, want)
		}
	}
	m := r.Map()
	for key, want := range map[string]string{"thresholds.composite": "0.8", "thresholds.rbp(p=0.8)": "0.2", "weights.ndcg@10": "2",
		"read.answer": "a.b"} {
		if m[key] != want {
			t.Errorf("the map has %s %q: want %q", key, m[key], want)
		}
	}
	if _, whole := m["thresholds"]; whole {
		t.Error("the map has all thresholds in one")
	}
	if got := r.Get("thresholds"); got != "answer_relevance=0.6,composite=0.8,ndcg@10=0.3,rbp(p=0.8)=0.2" {
		t.Errorf("all thresholds are %s", got)
	}
	if r.From("thresholds.composite") != config.FromFlag || r.From("thresholds.x") != config.FromDefault ||
		r.From("read.answer") != config.FromFile {
		t.Error("an origin is of the wrong kind")
	}
	for _, c := range []struct{ key, typed, want string }{
		{"thresholds", "composite", "METRIC=NUMBER"}, {"thresholds", "rbp(p=0.8)", "METRIC=NUMBER"}, {"thresholds", "=1", "expected a metric name"},
		{"thresholds", "composite=80", "from 0 to 1"}, {"thresholds", "mrr=x", "expected a number"}, {"thresholds", "mrr=NaN", "expected a number"},
		{"weights", "mrr=-1", "from 0 to"}, {"weights", "mrr=Inf", "from 0 to"}, {"value", "a", "NAME=VALUE"}, {"value", "a b=c",
			"without spaces"},
	} {
		s, err := config.Find(c.key)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.SetTyped(s, c.typed, config.FromFlag, ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v: want %q", c.key, c.typed, err, c.want)
		}
	}
}

func TestAliases(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"slow_threshold: 2":                        "slow-threshold=2s",
		"http: {slow-threshold: 2}":                "slow-threshold=2s",
		"http:\n  slow_threshold: 2\n  timeout: 9": "timeout=9s",
		"retry: {max_attempts: 1, backoff: fixed}": "backoff=fixed",
		"retry: {max_attempts: 3}":                 "retries=2",
		"retry: {max_attempts: 1}":                 "retries=0",
		"retry: {backoff: fixed}":                  "retries=3",
		"output: results/eval":                     "output=results/eval",
		"output: {directory: out/}":                "output=out/eval_report",
		"output: {directory: \"${DIR}\"}":          "output=d/eval_report",
		"output:\n  formats: [csv]":                "formats=csv",
		"formats: json, csv":                       "formats=json, csv",
		"comparison: {embedding_model: sentence-transformers/all-MiniLM-L6-v2}": "embedder=minilm",
		"top_k: 4":                  "top-k=4",
		"thresholds.composite: 0.3": "thresholds.composite=0.3",
		"http:\nweights:\n":         "top-k=10",
	} {
		r := config.Default()
		r.Variables = environ(map[string]string{"DIR": "d"})
		key, v, _ := strings.Cut(want, "=")
		if err := r.File("f", []byte(in)); err != nil || r.Get(key) != strings.ReplaceAll(v, ", ", ",") {
			t.Errorf("%q: %v, and %s is %q: want %q", in, err, key, r.Get(key), v)
		}
	}
	for in, want := range map[string]string{
		"timeout: 1\nhttp:\n  timeout: 2": "f:3: http.timeout is already given as timeout on line 1",
		"slow-threshold: 1\nslow_threshold: 2": "f:2: slow_threshold is already given as " +
			"slow-threshold on line 1",
		"output: {directory: a}\nformats: [json]\nretries: 1\nretry: {max-attempts: 2}": "f:4: retry.max-attempts is already given as retries " +
			"on line 3",
		"thresholds: {answer_relevance: 1, answer-relevance: 1}": "f:1: thresholds.answer-relevance is already given " +
			"as thresholds.answer_relevance on line 1",
		"comparison: {embedding_model: bge-small}": `f:1: embedding model "bge-small": expected all-MiniLM-L6-v2`,
		"retry: {max_atempts: 3}":                  `f:1: unknown setting "retry.max_atempts": did you mean "retry.max_attempts"?`,
		"retry: 3":                                 `unknown setting "retry"`,
		"htpp:\n  headers: {a: b}":                 `f:1: unknown setting "htpp"`,
		"http:\n  header: {a: b}":                  `f:2: unknown setting "http.header": did you mean "http.headers"?`,
		"http:\n  tls: {server_nam: b}":            `f:2: unknown setting "http.tls.server_nam": did you mean "http.tls.server-name"?`,
		"thresholds: 0.8":                          "f:1: thresholds: name one entry, such as thresholds.NAME",
		"weights: {a: {b: 1}}":                     "f:1: expected a value or a list, not a mapping",
		"output: {formats: [pdf]}":                 noFormat,
		"timeout: &a 3\nslow-threshold: *a":        `f:1: "&": expected the value itself`,
		"a: !!str 1":                               "expected the value itself",
		"top-k: ! ":                                "f",
		"send: {a: .nan}":                          "expected a text, a number",
		"send: " + strings.Repeat("[", 200):        "deep",
		"name: \xff":                               "f: expected UTF-8",
	} {
		if err := config.Default().File("f", []byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v: want %q", in, err, want)
		}
	}
}

func TestSend(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`send: {q: "{{question}}", k: 5, f: 0.5, b: true, n: null, l: []}`: `{"b":true,"f":0.5,"k":5,"l":[],"n":null,"q":"{{question}}"}`,
		`send: '{"q": "{{question}}", "big": 12345678901234567890}'`:       `{"big":12345678901234567890,"q":"{{question}}"}`,
		"send: |\n  q: \"{{question}}\"\n  k: 5\n":                         `{"k":5,"q":"{{question}}"}`,
		`send: "{{json question}}"`:                                        `"{{json question}}"`,
		`send: "question={{question}}"`:                                    `"question={{question}}"`,
		"send:\n- a\n- <b>\n":                                              `["a","<b>"]`,
		"send:\n":                                                          "",
	} {
		r := config.Default()
		if err := r.File("f", []byte(in)); err != nil || r.Send != want {
			t.Errorf("%s: %v, %s: want %s", in, err, r.Send, want)
			continue
		}
		again := config.Default()
		if err := again.Set("send", r.Get("send"), config.FromFlag, ""); err != nil || again.Send != r.Send {
			t.Errorf("set once more: %v, %s", err, again.Send)
		}
	}
	for typed, want := range map[string]string{
		`{"k": {{top_k}}, "q": "{{question}} \"{{x", "l": [{{a|"b"}}, {'c': {{d}}}]}`: `{"k":"{{top_k}}","l":["{{a|\"b\"}}",{"c":"{{d}}"}],"q":"{{question}} \"{{x"}`,
		`[{{a}}]`:                   `["{{a}}"]`,
		"{{question}}: {{top_k}}":   `"{{question}}: {{top_k}}"`,
		`{"a": 1e3}`:                `{"a":1e3}`,
		`{"big": 9007199254740993}`: `{"big":9007199254740993}`,
		"k: 1\nq: '{{question}}'":   `{"k":1,"q":"{{question}}"}`,
	} {
		r := config.Default()
		if err := r.Set("send", typed, config.FromFlag, ""); err != nil || r.Send != want {
			t.Errorf("%s: %v, %s: want %s", typed, err, r.Send, want)
		}
	}
	if err := config.Default().Set("send", "{a: [", config.FromFlag, ""); err == nil || !strings.HasPrefix(err.Error(), "send: YAML") {
		t.Errorf("got %v", err)
	}
}

// What assay doctor config writes is a file that gives the same settings, whatever is
// in them.
func TestYAMLRoundTrip(t *testing.T) {
	t.Parallel()
	values := func(t *rapid.T, s config.Setting) string {
		switch s.Type() {
		case "int":
			return rapid.SampledFrom([]string{"1", "17", "511"}).Draw(t, s.Key)
		case "float":
			return rapid.SampledFrom([]string{"0.5", "0.75", "1"}).Draw(t, s.Key)
		case "duration":
			return rapid.SampledFrom([]string{"3", "90s", "1h"}).Draw(t, s.Key)
		case "bool":
			return rapid.SampledFrom([]string{"true", "false"}).Draw(t, s.Key)
		case "METRIC=NUMBER":
			return rapid.SampledFrom([]string{"mrr=0.5", "rbp(p=0.8)=1", "composite=0.25", "null=1", "1=1"}).Draw(t, s.Key)
		case "JSON":
			return rapid.SampledFrom([]string{`{"a":["{{question}}","${X}",1e3,null]}`, `"{{question}}: x # y"`, "{{question}}", "text",
				`["\u2028\u0085\u0000"]`}).Draw(t, s.Key)
		case "map":
			return `{"l":{"kind":"openai","base_url":"http://x","extra":{"a":"${Y} # \""}}}`
		}
		if words := s.Words(); words != nil {
			return rapid.SampledFrom(words).Draw(t, s.Key)
		}
		if strings.HasSuffix(s.Key, "key-env") {
			return "A_KEY"
		}
		v := rapid.OneOf(rapid.SampledFrom([]string{"true", "No", "~", "-", "- a", "# x", "a: b", "a #b", "1", "0x1f", "1e3", ".5", ".inf", "",
			"{{q}}", "[a", "'", "\"", "${A}", "$${A}", "2025-11-25", "a\nb", "a\tb", "null", "*a", "&a", "!a", "%a", "@a", "a:", "...", "---", "é",
			"\u2028", "\\", "<<", "=", "x:", "a:b", "http://h:1/{{p}}?a=b#c"}),
			rapid.StringN(1, 20, 40)).Draw(t, s.Key)
		v = strings.ToValidUTF8(v, "")
		switch s.Type() {
		case "list":
			return strings.Trim(strings.ReplaceAll(v, ",", ""), " \t\n\v\f\r\u0085\u00a0") + "x,b"
		case "NAME=VALUE":
			return rapid.SampledFrom([]string{"a", "no", "1", "x.y", "key_of"}).Draw(t, "name") + "=" + v
		}
		return v
	}
	rapid.Check(t, func(t *rapid.T) {
		r := config.Default()
		for _, s := range config.Settings {
			if s.Secret || !rapid.Bool().Draw(t, "set") {
				continue
			}
			v := values(t, s)
			if err := r.SetTyped(s, v, config.FromFlag, "flag"); err != nil {
				// A list with nothing in it, one where there are blanks: nothing is set.
				t.Logf("%s %q: %v", s.Key, v, err)
			}
		}
		text := r.YAML(rapid.Bool().Draw(t, "all"))
		again := config.Default()
		if err := again.File("f", []byte(text)); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for key, v := range r.Map() {
			if got := again.Get(key); got != v && !strings.Contains(v, "[secret]") {
				t.Fatalf("%s is %q: want %q\n%s", key, got, v, text)
			}
		}
	})
}

func TestSiblings(t *testing.T) {
	t.Parallel()
	r := config.Default()
	if err := environment(r, map[string]string{"RAG_EVAL_PROVIDER": "", "RAG_EVAL_OLLAMA_BASE_URL": "http://gpu:11434"}); err != nil {
		t.Fatal(err)
	}
	if r.Judges[0] != "ollama:llama3.1:8b" || r.Writer != r.Judges[0] || r.Sampler != r.Judges[0] ||
		r.Providers["ollama"].BaseURL != "http://gpu:11434" || r.Providers["ollama"].Kind != "ollama" {
		t.Errorf("got %+v", r.Config)
	}
	if r.Origins["judge"] != "environment RAG_EVAL_OLLAMA_BASE_URL" || r.Judge.URL != "" {
		t.Errorf("from %q, and for every provider %q", r.Origins["judge"], r.Judge.URL)
	}
	r = config.Default()
	r.Variables = environ(map[string]string{"RAG_EVAL_PROVIDER": "anthropic", "RAG_EVAL_ANTHROPIC_API_KEY": "sk-planted",
		"RAG_EVAL_ANTHROPIC_MODEL": "claude-x", "ASSAY_SAMPLER": "openai:m", "ASSAY_TOP_K": "7", "HOST": "h"})
	if err := r.File("f", []byte("judge: ollama:m\ntop_k: 3\nproviders: {local: {kind: openai, base_url: \"http://${HOST}\"}, "+
		"anthropic: {kind: anthropic, rpm: 3}}\n")); err != nil {
		t.Fatal(err)
	}
	if err := r.Environment(); err != nil {
		t.Fatal(err)
	}
	if err := r.Set("writer", "fake:w", config.FromFlag, "flag --set writer"); err != nil {
		t.Fatal(err)
	}
	if r.Judges[0] != "ollama:m" || r.Sampler != "openai:m" || r.Writer != "fake:w" {
		t.Errorf("judge %q, sampler %q, writer %q", r.Judges, r.Sampler, r.Writer)
	}
	if p := r.Providers["anthropic"]; p.KeyEnv != "RAG_EVAL_ANTHROPIC_API_KEY" || p.RPM != 3 || r.Providers["local"].BaseURL != "http://h" {
		t.Errorf("providers %+v", r.Providers)
	}
	if got := r.Get("providers"); !strings.Contains(got, "http://${HOST}") || strings.Contains(got, "planted") {
		t.Errorf("providers are kept as %s", got)
	}
	if got := r.Origins["providers"]; got != "f:3, environment RAG_EVAL_ANTHROPIC_API_KEY" ||
		r.Origins["judge"] != "f:1" {
		t.Errorf("providers from %q, judge from %q", got, r.Origins["judge"])
	}
	notes := "environment ASSAY_TOP_K replaces top-k of f:2\nenvironment RAG_EVAL_ANTHROPIC_MODEL does not replace judge of f:1"
	if got := strings.Join(r.Notes(), "\n"); got != notes {
		t.Errorf("notes %q, want %q", got, notes)
	}
	r = config.Default()
	r.Variables = environ(map[string]string{"RAG_EVAL_OLLAMA_BASE_URL": "http://gpu:11434"})
	if err := r.File("f", []byte("providers: {ollama: {kind: ollama, base_url: \"http://own\"}}\n")); err != nil {
		t.Fatal(err)
	}
	if err := r.Environment(); err != nil || r.Providers["ollama"].BaseURL != "http://own" || len(r.Notes()) != 1 {
		t.Errorf("%v, providers %+v, notes %q", err, r.Providers, r.Notes())
	}
	if err := environment(config.Default(), map[string]string{"RAG_EVAL_PROVIDER": "openai"}); err == nil ||
		err.Error() != `environment RAG_EVAL_PROVIDER: "openai": expected ollama or anthropic` {
		t.Errorf("got %v", err)
	}
	r = config.Default()
	if err := environment(r, map[string]string{"RAG_EVAL_PROVIDER": "anthropic"}); err != nil ||
		r.Judges[0] != "anthropic:claude-3-5-sonnet-20241022" || r.Origins["judge"] != "environment RAG_EVAL_PROVIDER" {
		t.Errorf("%v, %v", err, r.Judges)
	}
	r = config.Default()
	if err := environment(r, nil); err != nil || r.Judges != nil {
		t.Errorf("%v, %v: nothing is set", err, r.Judges)
	}
}

var noFormat = fmt.Sprintf(`f:1: formats "pdf": expected one of %q`, report.Run.Names())
