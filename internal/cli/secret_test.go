package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-eval/assay/dataset/generate"
	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/judge/model"
	"github.com/assay-eval/assay/llm"
)

// plantedKey holds signs that JSON, HTML and URLs each write in a way of their
// own.
const plantedKey = `sk-planted+key/&<1234>="%77~end`

// disclosures are the ways in which the key might show.
var disclosures = []string{
	plantedKey, "sk-planted", `planted+key`, `planted\u002bkey`, "planted%2Bkey", "planted&#43;key", "1234>", "1234&gt;", `1234\u003e`, "%77~end",
}

// echo is a server in the manner of OpenAI's that says the key wherever it can:
// in replies, in reasoning, in names, in headers and in errors.
func echo(t *testing.T) *httptest.Server {
	t.Helper()
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		said := r.Header.Get("Authorization")
		if !strings.Contains(said, plantedKey) {
			t.Errorf("the request carries %q, want the key", said)
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Request-Id", said)
		fail := func(status int, kind string) {
			w.WriteHeader(status)
			json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": "who sent " + said + "?", "type": kind, "code": said}})
		}
		if r.Method == http.MethodGet {
			json.NewEncoder(w).Encode(map[string]any{"data": []any{map[string]any{"id": "m"}, map[string]any{"id": said}}})
			return
		}
		var asked struct {
			Messages []struct {
				Role    string `json:"role"`
				Content string `json:"content"`
			} `json:"messages"`
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Errorf("the request is no JSON: %v", err)
		}
		var question llm.Request
		for _, m := range asked.Messages {
			question.Messages = append(question.Messages, llm.Message{Role: m.Role, Text: m.Content})
		}
		text, err := model.StandIn(generate.StandIns()).Answer(question)
		if err != nil {
			t.Errorf("simulate: %v", err)
		}
		switch n.Add(1) % 6 {
		case 0:
			fail(http.StatusInternalServerError, "server_error")
			return
		case 1:
			w.Header().Set("Retry-After", "0")
			fail(http.StatusTooManyRequests, said)
			return
		case 2:
			text = "I was called with " + said + " and say no more."
		case 3:
			text = "Bearer " + plantedKey + "\n" + text
		case 4:
			// A reply that is valid and quotes the key where it may.
			key, _ := json.Marshal("because of " + plantedKey)
			text = regexp.MustCompile(`"why":"[^"]*"`).ReplaceAllLiteralString(text, `"why":`+string(key))
		}
		json.NewEncoder(w).Encode(map[string]any{
			"id": said, "model": "m " + said, "system_fingerprint": said,
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop",
				"message": map[string]any{"role": "assistant", "content": text, "reasoning_content": "they gave me " + said}}},
			"usage": map[string]any{"prompt_tokens": 10, "completion_tokens": 5},
		})
	}))
	t.Cleanup(s.Close)
	return s
}

// TestNoSecretLeavesTheRun plants a key, runs the command line against a server
// that repeats it, and looks for it in everything that is left behind.
func TestNoSecretLeavesTheRun(t *testing.T) {
	t.Parallel()
	server := echo(t)
	dir := t.TempDir()
	writeRecorded(t, dir, 4)
	config := fmt.Sprintf("judge: echo:m\npasses: 1\nproviders:\n  echo:\n    kind: openai\n    base_url: %s/v1\n    key_env: PLANTED_KEY\n",
		server.URL)
	if err := os.WriteFile(filepath.Join(dir, "eval-config.yaml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	judge := []string{"--adapter=recorded", "--dataset=gold.jsonl", "--responses=responses.jsonl", "--metrics=" + judgedMetrics,
		"--store=assay.db"}
	for _, args := range [][]string{
		append([]string{"run", "--output=report", "--verbose", "--set=judge-retries=1"}, judge...),
		append([]string{"run", "--output=failing", "--verbose", "--set=judge-retries=0"}, judge...),
		append([]string{"run", "--output=wrong", "--set=judge-key-env=" + "PLANTED_KEY", "--judge=openai:m", "--judge-url=" + server.URL + "/v1",
			"--set=judge-retries=0"}, judge...),
		append([]string{"run", "--output=mistaken", "--set=judge-key-env=" + plantedKey}, judge...),
		{"report", "latest", "--store=assay.db"},
		{"store", "export", "ledger.jsonl", "--store=assay.db"},
		{"runs", "--store=assay.db"},
	} {
		var stdout, stderr bytes.Buffer
		code := cli.Main(context.Background(), &cli.Env{
			Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Dir: dir, Now: time.Now, Width: 100, Version: "test",
			Getenv: func(name string) string { return map[string]string{"PLANTED_KEY": plantedKey, "HOME": dir}[name] },
		}, args)
		t.Logf("%s: exit code %d", args[0], code)
		search(t, "standard output of "+args[0], stdout.Bytes())
		search(t, "standard error of "+args[0], stderr.Bytes())
	}
	files, hidden := 0, 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files++
		hidden += bytes.Count(data, []byte("[secret]"))
		search(t, d.Name(), data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"report.json", "report.md", "report.html", "assay.db", "ledger.jsonl"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("nothing was searched in %s: %v", name, err)
		}
	}
	if hidden == 0 {
		t.Error("nothing was hidden: the server's echo went nowhere")
	}
	t.Logf("%d files searched; in %d places a key was hidden", files, hidden)
}

// TestNoSecretInPanics prints a provider and its errors in every way that a
// panic, a log or a debugger's dump would.
func TestNoSecretInPanics(t *testing.T) {
	t.Parallel()
	server := echo(t)
	o := llm.Options{Name: "echo", BaseURL: server.URL + "/v1", KeyEnv: "PLANTED_KEY", Getenv: func(string) string { return plantedKey }}
	p, err := llm.Open("openai", o)
	if err != nil {
		t.Fatal(err)
	}
	request := llm.Request{Model: "m", Messages: []llm.Message{{Role: "user",
		Text: "<data nonce=\"n\">\n{\"task\":\"ideal\"}\n</data nonce=\"n\">"}}}
	for range 6 {
		reply, err := p.Complete(t.Context(), request)
		for _, v := range []any{p, reply, err, o.BaseURL} {
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
				search(t, "a value printed with "+verb, fmt.Appendf(nil, verb, v))
			}
			if data, err := json.Marshal(v); err == nil {
				search(t, "a value as JSON", data)
			}
			func() {
				defer func() { search(t, "a panic", fmt.Append(nil, recover())) }()
				panic(v)
			}()
		}
		for e := err; e != nil; e = errors.Unwrap(e) {
			search(t, "an error", []byte(e.Error()))
		}
	}
	for _, url := range []string{"http://user:" + "sk-planted" + "@127.0.0.1:1/v1", "http://127.0.0.1:1/v1"} {
		o.BaseURL = url
		p, err := llm.Open("openai", o)
		if err == nil {
			_, err = p.Complete(t.Context(), request)
		}
		if err == nil {
			t.Fatalf("%s: no error", url)
		}
		search(t, "an error of "+o.BaseURL[:8], []byte(err.Error()))
	}
}

// search looks for the key, whole or in part.
func search(t *testing.T, where string, data []byte) {
	t.Helper()
	for _, d := range disclosures {
		if i := bytes.Index(data, []byte(d)); i >= 0 {
			t.Errorf("%s shows the key: …%q…", where, data[max(0, i-60):min(len(data), i+60)])
			return
		}
	}
}
