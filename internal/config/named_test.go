package config_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/config"
)

const namedFile = `top-k: 7
retriever: sparse
configs:
  small: {chunk.size: 80, top_k: 5}
  large:
    chunk:
      size: 320
    http:
      headers: {Authorization: "Bearer ${TOKEN}"}
  same:
`

func TestNamedConfigs(t *testing.T) {
	t.Parallel()
	load := func() *config.Resolved {
		r := config.Default()
		r.Variables = environ(map[string]string{"TOKEN": "tok-12345678", "ASSAY_TOP_K": "9"})
		// A run that asks for none of them has none of their settings, and needs
		// none of their variables.
		if err := r.File("f", []byte(namedFile)); err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := load()
	if r.TopK != 7 || r.Chunk.Size != config.Default().Chunk.Size || len(r.HTTP.Headers) != 0 {
		t.Errorf("top-k %d, chunks of %d, headers %v", r.TopK, r.Chunk.Size, r.HTTP.Headers)
	}
	if names := r.Named(); !slices.Equal(names, []string{"small", "large", "same"}) {
		t.Errorf("names %q: want the file's order", names)
	}
	// What a config says beats the environment, and the rest is as it was.
	if err := r.Environment(); err != nil {
		t.Fatal(err)
	}
	if err := r.Apply("small"); err != nil || r.TopK != 5 || r.Chunk.Size != 80 || r.Retriever != "sparse" {
		t.Errorf("%v: top-k %d, chunks of %d, %s", err, r.TopK, r.Chunk.Size, r.Retriever)
	}
	if got := r.Origins["top-k"]; got != "f:4" {
		t.Errorf("top-k comes from %q", got)
	}
	r = load()
	if err := r.Apply("large"); err != nil || r.Chunk.Size != 320 || r.HTTP.Headers["Authorization"] != "Bearer tok-12345678" {
		t.Errorf("%v: chunks of %d, headers %v", err, r.Chunk.Size, r.HTTP.Headers)
	}
	if m := r.Map(); strings.Contains(m["http.headers.Authorization"], "tok-") {
		t.Errorf("the header of the run holds a secret: %v", m)
	}
	if err := load().Apply("same"); err != nil {
		t.Error(err)
	}
	if err := load().Apply("smal"); err == nil || !strings.Contains(err.Error(), `did you mean "small"?`) {
		t.Errorf("%v", err)
	}
}

func TestNamedConfigsAreCheckedWithTheFile(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"configs:\n  a:\n    topk: 3\n":                     `f:3: unknown setting "topk"`,
		"configs:\n  a: {top-k: none}\n":                    "f:2: top-k",
		"configs:\n  a: {top-k: 1, top_k: 2}\n":             "already given",
		"configs:\n  a: {retriever: best}\n":                `expected one of ["sparse" "dense" "hybrid"]`,
		"configs:\n  a: {configs: {b: {}}}\n":               "f:2: unknown setting",
		"configs:\n  a: 3\n":                                `f:2: expected settings as "key: value"`,
		"configs: [a, b]\n":                                 "f:1: configs: expected a name and its settings",
		"configs:\n  \"a,b\": {top-k: 1}\n":                 "without commas",
		"configs:\n  -a: {top-k: 1}\n":                      `does not begin with "-"`,
		"configs:\n  a: {name: b}\n":                        "f:2: configs.a.name: this setting applies to all configs",
		"configs:\n  a:\n    gate:\n      rules: [x > 1]\n": "configs.a.gate.rules",
		"configs:\n  a: {top-k: \"${UNSET}\"}\n":            "",
		"configs:\n":                                        "",
	} {
		err := config.Default().File("f", []byte(body))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", body, err, want)
		}
	}
	// What could not be checked before is an error once it is asked for.
	r := config.Default()
	if err := r.File("f", []byte("configs:\n  a: {top-k: \"${UNSET}\"}\n")); err != nil {
		t.Fatal(err)
	}
	if err := r.Apply("a"); err == nil || !strings.Contains(err.Error(), "f:2: ") || !strings.Contains(err.Error(), "${UNSET}") {
		t.Errorf("%v: want the variable", err)
	}
}

// A flag holds for everything that is compared: that a config says otherwise is
// a mistake, and that a whole file does is not.
func TestFlagsAndNamedConfigs(t *testing.T) {
	t.Parallel()
	load := func() *config.Resolved {
		r := config.Default()
		if err := r.File("f", []byte("configs:\n  a: {top-k: 5, chunk.size: 80}\n")); err != nil {
			t.Fatal(err)
		}
		if err := r.Set("top-k", "9", config.FromFlag, "flag --top-k"); err != nil {
			t.Fatal(err)
		}
		return r
	}
	if err := load().Apply("a"); err == nil || !strings.Contains(err.Error(), "f:2: configs.a.top-k: conflicts with flag --top-k") {
		t.Errorf("%v", err)
	}
	r := load()
	if err := r.Over("g",
		[]byte("top-k: 5\nchunk.size: 80\noutput: elsewhere\ngate: {rules: [\"errors <= 1%\"]}\nconfigs: {b: {}}\n")); err != nil {
		t.Fatal(err)
	}
	if r.TopK != 9 || r.Chunk.Size != 80 || r.Output != config.Default().Output || r.Gate.Rules != nil || slices.Contains(r.Named(), "b") {
		t.Errorf("top-k %d, chunks of %d, output %s, rules %q, names %q", r.TopK, r.Chunk.Size, r.Output, r.Gate.Rules, r.Named())
	}
	if err := config.Default().Over("g", []byte("topk: 3\n")); err == nil || !strings.Contains(err.Error(), "g:1: unknown setting") {
		t.Errorf("%v", err)
	}
	// A config that says what the flag says is no mistake.
	r = config.Default()
	if err := r.File("f", []byte("configs:\n  a: {top-k: 5}\n")); err != nil {
		t.Fatal(err)
	}
	if err := r.Set("top-k", "5", config.FromFlag, "flag --top-k"); err != nil {
		t.Fatal(err)
	}
	if err := r.Apply("a"); err != nil {
		t.Error(err)
	}
}
