package cli_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/cli"
)

// A live server is one that the command line started.
type live struct {
	t   *testing.T
	url string
	// said is what it said before it listened.
	said []string
	stop chan struct{}
	code chan int
	once bool
}

var listening = regexp.MustCompile(`(http://127\S+)`)

// serveLive starts assay serve on a free port, in a folder.
func serveLive(t *testing.T, dir string, args ...string) *live {
	t.Helper()
	return startLive(t, dir, append([]string{"serve", "--addr", "127.0.0.1:0", "--set", "cache=off"}, args...)...)
}

// startLive starts a command that serves.
func startLive(t *testing.T, dir string, args ...string) *live {
	t.Helper()
	l := &live{t: t, stop: make(chan struct{}), code: make(chan int, 1)}
	r, w := io.Pipe()
	env := &cli.Env{
		Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: w, Dir: dir, Now: time.Now, Version: "test",
		Getenv: func(string) string { return "" }, Interrupted: l.stop,
	}
	go func() {
		l.code <- cli.Main(t.Context(), env, args)
		w.Close()
	}()
	found := make(chan string, 1)
	go func() {
		said := bufio.NewScanner(r)
		for said.Scan() {
			if m := listening.FindStringSubmatch(said.Text()); m != nil {
				found <- m[1]
				close(found)
				_, _ = io.Copy(io.Discard, r)
				return
			}
			l.said = append(l.said, said.Text())
		}
		close(found)
	}()
	var ok bool
	if l.url, ok = <-found; !ok {
		t.Fatalf("assay %s ended with %d before it listened", args[0], <-l.code)
	}
	t.Cleanup(l.end)
	return l
}

// end stops the server as a signal does; its exit code must be 0.
func (l *live) end() {
	if l.once {
		return
	}
	l.once = true
	close(l.stop)
	if code := <-l.code; code != cli.ExitOK {
		l.t.Errorf("assay serve ended with %d, want %d", code, cli.ExitOK)
	}
}

func (l *live) ask(method, path, body, token string, status int) map[string]any {
	l.t.Helper()
	r, err := http.NewRequestWithContext(l.t.Context(), method, l.url+path, strings.NewReader(body))
	if err != nil {
		l.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		l.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != status {
		l.t.Fatalf("%s %s: status %d (%v), want %d: %s", method, path, res.StatusCode, err, status, text)
	}
	var v map[string]any
	if err := json.Unmarshal(text, &v); err != nil && status < 300 && strings.HasPrefix(path, "/api") && !strings.HasSuffix(path, "/events") {
		l.t.Fatalf("%s: %v", text, err)
	}
	return v
}

// TestServe goes through what the guide shows: a run over HTTP, a token, a second
// server on the same database.
func TestServe(t *testing.T) {
	h := newHarness(t)
	l := serveLive(t, h.dir, "--datasets", ".")
	run := l.ask("POST", "/api/v1/runs", `{"dataset":"gold.jsonl"}`, "", 202)
	id, _ := run["run_id"].(string)
	l.ask("GET", "/api/v1/runs/"+id+"/events", "", "", 200)
	if v := l.ask("GET", "/api/v1/runs/"+id, "", "", 200); v["state"] != "finished" || v["done"] != v["cases"] {
		t.Errorf("%v: want a finished run", v)
	}
	// Another server cannot have the address.
	said := h.assay(cli.ExitFatal, "serve", "--addr", strings.TrimPrefix(l.url, "http://"))
	h.wants(said, `address in use`, `hint: --addr 127.0.0.1:0 picks a free port`)
	l.end()

	token := strings.Split(h.assay(0, "serve", "token", "create", "--scope", "read"), "\n")[0]
	l = serveLive(t, h.dir, "--require-token", "--quiet")
	l.ask("GET", "/api/v1/runs/"+id, "", "", 401)
	if v := l.ask("GET", "/api/v1/runs/"+id, "", token, 200); v["state"] != "finished" {
		t.Errorf("%v: want the run of the first server", v)
	}
	l.ask("POST", "/api/v1/runs", `{"dataset":"gold.jsonl"}`, token, 403)
	l.end()
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "assay-run-*", "gold.jsonl")); err != nil || left != nil {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}
