package config_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/config"
)

const secretFile = `adapter: http
endpoint: "http://user:planted-1@host:80/q?api_key=planted-2&k=5"
http:
  proxy: "http://planted-3@proxy"
  headers:
    Authorization: Bearer planted-4
    X-Key: ${X_KEY}
    Accept: application/json
value:
  api_key: planted-6
  collection: docs
  token: ${VALUE_TOKEN}
send:
  question: "{{question}}"
  nested: [{password: planted-8, key: city, access_token: "{{token}}"}]
openai:
  key-env: TARGET_KEY
command: server --token ${CMD_TOKEN}
`

var secretVars = map[string]string{"X_KEY": "planted-5", "VALUE_TOKEN": "planted-7", "CMD_TOKEN": "planted-9", "TARGET_KEY": "planted-10"}

func planted(t *testing.T) *config.Resolved {
	t.Helper()
	r := config.Default()
	r.Variables = environ(secretVars)
	if err := r.File("f", []byte(secretFile)); err != nil {
		t.Fatal(err)
	}
	s, err := config.Find("http.headers")
	if err != nil {
		t.Fatal(err)
	}
	coded := base64.StdEncoding.EncodeToString([]byte("me:planted-11"))
	if err := r.SetTyped(s, "Proxy-Authorization: Basic "+coded, config.FromFlag, "flag --header"); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestNoSecretIsShown(t *testing.T) {
	t.Parallel()
	r := planted(t)
	for what, text := range map[string]string{"map": fmt.Sprint(r.Map()), "lines": fmt.Sprint(r.Lines(true)), "YAML": r.YAML(true),
		"headers": r.Get("http.headers")} {
		if strings.Contains(text, "planted") || strings.Contains(text, "bWU6") {
			t.Errorf("the %s hold a secret: %s", what, text)
		}
	}
	for key, want := range map[string]string{
		"endpoint": "http://user:[secret]@host:80/q?api_key=[secret]&k=5", "http.proxy": "http://[secret]@proxy",
		"http.headers.Authorization": "[secret]", "http.headers.X-Key": "${X_KEY}", "value.api_key": "[secret]", "value.collection": "docs",
		"value.token": "${VALUE_TOKEN}", "command": "server --token ${CMD_TOKEN}",
		"send": `{"nested":[{"access_token":"{{token}}","key":"city","password":"[secret]"}],"question":"{{question}}"}`,
	} {
		if got := r.Map()[key]; got != want {
			t.Errorf("%s is shown as %q: want %q", key, got, want)
		}
	}
	// All of them are known, to be taken out of what comes back.
	set := r.Secrets()
	for i := 1; i <= 11; i++ {
		if text := fmt.Sprintf("<planted-%d>", i); set.Scrub(text) != "<[secret]>" {
			t.Errorf("%s is no secret", text)
		}
	}
	if got := set.Scrub("application/json docs user city"); got != "application/json docs user city" {
		t.Errorf("words were taken for secrets: %s", got)
	}
	for _, c := range []struct{ key, typed, want string }{
		{"http.headers", "Authorization: Bearer x", "Authorization: [secret]"},
		{"http.headers", "planted", "[secret]"},
		{"http.headers", "X: ${A}", "X: ${A}"},
		{"http.headers", "X: ${A:-planted}", "X: [secret]"},
		{"value", "a=b", "a=b"}, {"value", "Api-Key=b", "Api-Key=[secret]"}, {"value", "accessToken", "[secret]"},
		{"endpoint", "http://{{host}}/x", "http://{{host}}/x"},
		{"endpoint", "https://u:p@q@h/", "https://u:[secret]@h/"},
		{"store", "postgres://assay@db/assay", "postgres://assay@db/assay"}, {"store", "postgres://a:pw1@db/c", "postgres://a:[secret]@db/c"},
		{"thresholds", "composite=1", "composite=1"},
	} {
		s, err := config.Find(c.key)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Shown(c.typed); got != c.want {
			t.Errorf("%s %q is shown as %q: want %q", c.key, c.typed, got, c.want)
		}
	}
}

func TestNoSecretInProblems(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"http: {headers: {Authorization: \"planted\\nx\"}}": "f:1: http.headers.Authorization: control character",
		"http: {headers: {\"Bearer planted-1\": x}}":        "f:1: http.headers: invalid header name",
		"http: {headers: {a: b, A: planted}}":               "f:1: http.headers.A is already given as http.headers.a on line 1",
		"http: {headers: {a: [planted]}}":                   "expected one value, not a list",
		"openai: {key-env: sk-planted}":                     "expected the name of an environment variable",
		"http: {headers: planted}":                          "http.headers: name one entry, such as http.headers.NAME",
	} {
		err := config.Default().File("f", []byte(in))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "planted") {
			t.Errorf("%s: %v: want %q", in, err, want)
		}
	}
	s, _ := config.Find("http.headers")
	if err := config.Default().SetTyped(s, "planted", config.FromFlag, ""); err == nil || strings.Contains(err.Error(), "planted") {
		t.Errorf("got %v", err)
	}
}

// A run that was stored when "language" was that of recordings keeps its meaning.
func TestRestoreRenamed(t *testing.T) {
	t.Parallel()
	for _, saved := range []map[string]string{{"language": "yue"}, {"language": "en", "recording-language": "yue"}} {
		r, err := config.Restore(saved, config.Default(), "run x")
		if err != nil || r.RecordingLanguage != "yue" || r.Language != "en" {
			t.Errorf("%v: recordings in %q, reports in %q, %v", saved, r.RecordingLanguage, r.Language, err)
		}
	}
}

// A run that is resumed has the secrets of now and everything else of then.
func TestRestore(t *testing.T) {
	t.Parallel()
	then := planted(t)
	for key, v := range map[string]string{"name": "a ${B} $${C}", "thresholds.composite": "0.8", "weights.rbp(p=0.8)": "2", "timeout": "3"} {
		if err := then.Set(key, v, config.FromFlag, "flag"); err != nil {
			t.Fatal(err)
		}
	}
	now := planted(t)
	now.TopK = 99 // of now, and none of the run's business
	r, err := config.Restore(then.Map(), now, "run x")
	if err != nil {
		t.Fatal(err)
	}
	if diff := difference(then.Config, r.Config); diff != "" {
		t.Error(diff)
	}
	if r.Name != "a ${B} $${C}" || r.Origins["thresholds.composite"] != "run x" || r.Origins["http.headers.X-Key"] != "f:7" {
		t.Errorf("name %q, origins %v", r.Name, r.Origins)
	}
	if fmt.Sprint(r.Map()) != fmt.Sprint(then.Map()) {
		t.Errorf("kept once more, it is\n%v: want\n%v", r.Map(), then.Map())
	}
	if got := r.Secrets().Scrub("planted-9"); got != "[secret]" {
		t.Error("a variable that is expanded again is no secret any more")
	}
	// What is not here any more cannot be made up.
	empty := config.Default()
	empty.Variables = environ(map[string]string{})
	_, err = config.Restore(then.Map(), empty, "run x")
	for _, want := range []string{"endpoint was", "http.proxy was", "value.api_key was", "send was",
		"command: ${CMD_TOKEN}: variable is not set"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v: want %q", err, want)
		}
	}
}

// What a header or a field says is a secret only if its name is that of a credential.
func TestSecretsOfCredentials(t *testing.T) {
	t.Parallel()
	r := config.Default()
	open := map[string]string{}
	set := func(key, value string) {
		t.Helper()
		if err := r.Set(key, value, config.FromFlag, key); err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range []string{"Authorization", "X-Api-Key", "Ocp-Apim-Subscription-Key", "X-RapidAPI-Key", "X-Auth-Token", "Cookie", "X-Client-Secret",
		"Proxy-Authorization", "X-Goog-Api-Key", "PRIVATE-TOKEN", "X-ApiKey"} {
		set("http.headers."+name, fmt.Sprintf("Bearer <planted-%d>", i))
	}
	for name, v := range map[string]string{"X-Environment": "production", "X-Tier": "enterprise", "Cache-Control": "no-cache", "X-Title": "Customer Support",
		"X-Keywords": "insurance", "X-Author": "Charlotte", "X-Tokenizer": "cl100k_base", "X-Embedding-Model": "text-embedding-3"} {
		open[name] = v
		set("http.headers."+name, v)
	}
	for name, v := range map[string]string{"text_key": "page_content", "sort_key": "published_at", "partition_key": "customer", "author": "Brontë, Anne"} {
		open[name] = v
		set("value."+name, v)
	}
	set("send", `{"q": "{{question}}", "primary_key": "document_id", "client": {"api_key": "<planted-11>"}}`)
	open["send"] = "document_id"
	secrets := r.Secrets()
	for i := range 12 {
		if text := fmt.Sprintf("<planted-%d>", i); secrets.Scrub(text) != "[secret]" {
			t.Errorf("%s is no secret", text)
		}
	}
	for name, v := range open {
		if got := secrets.Scrub(v); got != v {
			t.Errorf("%s: %q becomes %q", name, v, got)
		}
	}
}

// A hint names a store without its password.
func TestStoreFlagHidesThePassword(t *testing.T) {
	t.Parallel()
	got := config.StoreFlag("postgres://me:planted@127.0.0.1:5432/runs")
	if strings.Contains(got, "planted") || !strings.HasPrefix(got, " --store=") || !strings.Contains(got, "127.0.0.1:5432/runs") {
		t.Errorf("got %q", got)
	}
}
