package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/config"
)

func TestExpand(t *testing.T) {
	t.Parallel()
	vars := map[string]string{"A": "one", "B_2": "${A}", "BRACE": "\", evil: \"", "LINES": "x\ntop-k: 3", "EMPTY": "", "N": "7",
		"CUT": "$${A}"}
	for _, c := range []struct{ written, want, shown string }{
		{"${A}", "one", "${A}"},
		{"x${A}y${A}", "xoneyone", "x${A}y${A}"},
		{"${B_2}", "${A}", "${B_2}"}, // once, not twice
		{"${CUT}", "$${A}", "${CUT}"},
		{"${NONE:-{A}", "{A", "${NONE:-{A}"}, // a default ends at the first brace
		{"${NONE:-}", "", ""},
		{"${EMPTY:-b}", "b", "${EMPTY:-b}"},
		{"${A:-b}", "one", "${A:-b}"},
		{"$A $$ $x $", "$A $$ $x $", "$A $$ $x $"},
		{"$${A}", "${A}", "$${A}"},
		{"$$${A}", "$${A}", "$$${A}"},
		{"${A}$${A}${A}", "one${A}one", "${A}$${A}${A}"},
		{"${LINES}", "x\ntop-k: 3", "${LINES}"},
	} {
		r := config.Default()
		r.Variables = environ(vars)
		if err := r.File("f", []byte("name: '"+c.written+"'\n")); err != nil {
			t.Errorf("%s: %v", c.written, err)
			continue
		}
		if r.Name != c.want || r.TopK != 10 {
			t.Errorf("%s is %q: want %q", c.written, r.Name, c.want)
		}
		if got := r.Map()["name"]; got != c.shown && c.want != "" {
			t.Errorf("%s is kept as %q: want %q", c.written, got, c.shown)
		}
	}
	r := config.Default()
	r.Variables = environ(vars)
	err := r.File("f", []byte(`metrics: ["${A}", mrr]
top-k: ${N}
providers: {local: {kind: openai, base_url: "http://${A}", extra: {x: "${BRACE}"}}}
value: {n: "${N}", filter: {a: "${BRACE}"}}
send: {q: ["${BRACE}", "{{question}}"]}
`))
	if err != nil {
		t.Fatal(err)
	}
	p := r.Providers["local"]
	if strings.Join(r.Metrics, " ") != "one mrr" || r.TopK != 7 || p.BaseURL != "http://one" || p.Extra["x"] != vars["BRACE"] ||
		len(p.Extra) != 1 {
		t.Errorf("got %+v", r.Config)
	}
	if r.Values["n"] != "7" || r.Values["filter"] != `{"a":"\", evil: \""}` || r.Send != `{"q":["\", evil: \"","{{question}}"]}` {
		t.Errorf("value %v, send %s", r.Values, r.Send)
	}
	m := r.Map()
	if m["metrics"] != "${A},mrr" || !strings.Contains(m["providers"], "http://${A}") || m["send"] != `{"q":["${BRACE}","{{question}}"]}` {
		t.Errorf("kept as %v", m)
	}
	// A flag replaces how the file wrote it, too.
	if err := r.Set("send", `{"b":1}`, config.FromFlag, "flag"); err != nil || r.Map()["send"] != `{"b":1}` {
		t.Errorf("%v, send is kept as %s", err, r.Map()["send"])
	}
	if m["top-k"] != "7" {
		t.Errorf("a number that was asked for is kept as %q: want the number", m["top-k"])
	}
}

func TestExpandProblems(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"\nname: ${NONE}\n":                                  "f:2: name: ${NONE}: variable is not set",
		"http:\n  headers:\n    X: a ${NONE}\n":              "f:3: http.headers.X: ${NONE}: variable is not set",
		"send:\n  a:\n  - ${NONE}\n":                         "f:1: send: ${NONE}",
		"name: a${A b}\n":                                    `f:1: name: invalid variable reference at character 2`,
		"name: ${NONE:-${A}}\n":                              "f:1: name: ${NONE:-…}: the default contains another variable",
		"name: ${}\n":                                        "invalid variable reference",
		"top-k: ${SECRET_TOKEN}\n":                           `f:1: top-k "${SECRET_TOKEN}": expected a whole number`,
		"providers: {a: {kind: \"${SECRET_TOKEN}\"}}":        `f:1: providers: a: kind "[secret]": expected one of`,
		"comparison: {embedding_model: \"${SECRET_TOKEN}\"}": `f:1: embedding model "[secret]": expected`,
		"adapter: ${SECRET_TOKEN}\n":                         `f:1: adapter "${SECRET_TOKEN}": expected one of`,
		"comparison: {embedding_model: \"${NONE}\"}\n":       "f:1: ${NONE}: variable is not set",
		"tags: [a, \"${COMMA}\", b]\ntop-k: x\n":             "f:2: top-k",
	} {
		r := config.Default()
		r.Variables = environ(map[string]string{"SECRET_TOKEN": "sk-planted-1", "COMMA": "c,d"})
		err := r.File("f", []byte(in))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "planted") {
			t.Errorf("%q: %v: want %q", in, err, want)
		}
	}
}

func TestDotenv(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), ".env")
	getenv := func(k string) string { return map[string]string{"BOTH": "environment"}[k] }
	read := func(text string) (*config.Variables, error) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return config.Dotenv(path, ".env", getenv)
	}
	v, err := read("\ufeff# remark\r\nexport A=1 # one\r\nB = 'p$A\"#'\nC=\"x\ny\"\nBOTH=file\nD=${A}2\nE=a=b\nF=\nG: " +
		"yes\nASSAY_TOP_K=3\nRAG_AUTH_HEADER=Bearer planted-x")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"A": "1", "B": "p$A\"#", "C": "x\ny", "BOTH": "environment", "D": "12", "E": "a=b", "F": "",
		"G": "yes", "NONE": ""} {
		if got := v.Get(name); got != want {
			t.Errorf("%s is %q: want %q", name, got, want)
		}
	}
	r := config.Default()
	r.Variables = v
	if err := r.Environment(); err != nil {
		t.Fatal(err)
	}
	if r.TopK != 3 || r.Origins["top-k"] != ".env ASSAY_TOP_K" || r.Origins["http.headers.Authorization"] != ".env RAG_AUTH_HEADER" {
		t.Errorf("origins %q, %q", r.Origins["top-k"], r.Origins["http.headers.Authorization"])
	}
	for text, want := range map[string]string{
		"A=1\n\nplanted\nB=2":      ".env:3: expected NAME=value",
		"A=\"planted\nB=2\n":       ".env:1: expected NAME=value",
		"A='x'\nB=pla$NTED":        ".env:2: $NTED is not defined on the lines above",
		"A=1\nB C=planted":         ".env:2: expected NAME=value",
		"-planted":                 ".env:1: expected NAME=value",
		"=planted":                 ".env:1: expected NAME=value",
		"A=\xff":                   ".env: expected UTF-8",
		strings.Repeat("#", 1<<17): "at most",
	} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "planted") {
			t.Errorf("%.30q: %v: want %q", text, err, want)
		}
	}
	if v, err := config.Dotenv(filepath.Join(t.TempDir(), ".env"), ".env", getenv); err != nil || v.Get("BOTH") != "environment" {
		t.Errorf("no file: %v", err)
	}
	if v, err := read("\n\n"); err != nil || v.Get("A") != "" {
		t.Errorf("an empty file: %v", err)
	}
}

func FuzzDotenv(f *testing.F) {
	f.Add("A=1\nexport B='x'\n# c\nC=\"a\nb\"\n")
	f.Add("A=\"")
	f.Add("A:\xc2\xa0b\n\x85=")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(dir, ".env")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		v, err := config.Dotenv(path, "E", nil)
		if err == nil && v.Get("") != "" {
			t.Error("a variable without a name")
		}
		if err != nil && !strings.HasPrefix(err.Error(), "E:") {
			t.Errorf("%v: want the name of the file first", err)
		}
	})
}
