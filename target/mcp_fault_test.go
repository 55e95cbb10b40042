package target_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/mcptest"
)

func mcpTools(names ...string) mcptest.Options { return mcptest.Options{Tools: names} }

// A server that ends in the middle of a call is named with what it said last;
// the next call finds a new one.
func TestMCPCrash(t *testing.T) {
	t.Parallel()
	c := target.MCPConfig{Tool: mcptest.Crashes, Secrets: secret.Set{secret.New("planted-secret-1")}}
	m := mcpCommand(t, mcpHelper{Options: mcpTools(mcptest.Crashes, mcptest.Text), Words: "loading\n"}, c)
	for range 2 {
		mcpFails(t, err2(m.Ask(t.Context(), mcpCase("q"))), target.Crash, true,
			"the server ended: exit status 7; stderr: loading\nout of memory, token [secret]")
	}
	if v, err := m.Call(t.Context(), mcptest.Text, map[string]any{"query": "x"}); err != nil || v != "You asked:\nx" {
		t.Errorf("after a crash: %v, %v", v, err)
	}
}

// A server that cannot work was not reached.
func TestMCPStart(t *testing.T) {
	t.Parallel()
	m := mcpCommand(t, mcpHelper{Dies: 3, Words: "no index: run ingest first"}, target.MCPConfig{})
	mcpFails(t, err2(m.Ask(t.Context(), mcpCase("q"))), target.Refused, true, "no session: the server ended: exit status 3; stderr: no "+
		"index: run ingest first")
	m = mcpTarget(t, target.MCPConfig{Command: []string{"no-such-program-anywhere"}})
	mcpFails(t, err2(m.Ask(t.Context(), mcpCase("q"))), target.Refused, false, `command "no-such-program-anywhere"`)
	m = mcpTarget(t, target.MCPConfig{Command: []string{"sh"}, Dir: "no-such-folder"})
	mcpFails(t, err2(m.Ask(t.Context(), mcpCase("q"))), target.Refused, false, `command "sh": the working directory "no-such-folder" does `+
		`not exist`)
	// One that starts and says nothing at all.
	m = mcpCommand(t, mcpHelper{Deaf: true}, target.MCPConfig{})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := m.Ask(ctx, mcpCase("q")); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "initialize") {
		t.Errorf("a silent server: %v", err)
	}
}

// What is no message on the output of a server is skipped and shown.
func TestMCPGarbage(t *testing.T) {
	t.Parallel()
	before := "Starting with planted-secret-2…\n[info] loaded\n{\"level\": \"info\", \"msg\": \"ready\"}\n{broken\n\n\xff\xfe\n"
	var words mcpLog
	c := target.MCPConfig{Tool: mcptest.Text, Stderr: &words, Secrets: secret.Set{secret.New("planted-secret-2")}}
	m := mcpCommand(t, mcpHelper{Options: mcpTools(mcptest.Text, mcptest.Crashes), Before: before,
		Words: "on its error\nkey planted-secret-2\n"}, c)
	ctx, x := target.Watch(t.Context())
	if got, err := m.Ask(ctx, mcpCase("q")); err != nil || got.Answer != "You asked:\nq" {
		t.Errorf("%+v, %v", got, err)
	}
	if notes := strings.Join(x.Notes, "\n"); !strings.Contains(notes, `for messages only: "Starting with [secret]…"`) {
		t.Errorf("notes %s", notes)
	}
	_, err := m.Call(t.Context(), mcptest.Crashes, map[string]any{"query": "x"})
	mcpFails(t, err, target.Crash, true, "Starting with [secret]…", "\n[info] loaded\n{\"level\"", "on its error")
	// What it says on its error may arrive after its end.
	for wait := time.Now().Add(time.Minute); !strings.Contains(words.String(), "key [secret]\n") && time.Now().Before(wait); {
		time.Sleep(10 * time.Millisecond)
	}
	if got := words.String(); !strings.Contains(got, "on its error\n") || !strings.Contains(got, "key [secret]\n") ||
		strings.Contains(got, "planted-secret-2") {
		t.Errorf("the log holds %q", got)
	}
	// Nothing but noise.
	m = mcpCommand(t, mcpHelper{Before: "Usage: server [options]\n", Dies: 2}, target.MCPConfig{})
	mcpFails(t, err2(m.Ask(t.Context(), mcpCase("q"))), target.Refused, true, "exit status 2; stderr: Usage: server [options]")
	// A line without an end.
	m = mcpTarget(t, target.MCPConfig{Command: []string{"sh", "-c", "head -c 17000000 /dev/zero; cat >/dev/null"}})
	mcpFails(t, err2(m.Ask(t.Context(), mcpCase("q"))), target.Reply, false, "longer than 16777216 bytes")
}

type mcpLog struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *mcpLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *mcpLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// A tool that hangs ends with its context, and holds nobody up afterwards.
func TestMCPHangs(t *testing.T) {
	t.Parallel()
	mcpOver(t, mcpTools(mcptest.Hangs, mcptest.Text), target.MCPConfig{Tool: mcptest.Hangs}, func(t *testing.T, m *target.MCP) {
		if _, err := m.Tools(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := m.Ask(ctx, mcpCase("q"))
		mcpFails(t, err, target.Timeout, false, "the server gave no reply")
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if v, err := m.Call(t.Context(), mcptest.Text, map[string]any{"query": "x"}); err != nil || v != "You asked:\nx" {
			t.Errorf("after a call that hung: %v, %v", v, err)
		}
	})
}

// A command that reads nothing takes no more than its pipe holds: writing to it
// ends with the context too. The request is larger than any pipe.
func TestMCPDeafToAQuestion(t *testing.T) {
	t.Parallel()
	// It answers what connecting asks, without reading, and sleeps.
	script := `echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},` +
		`"serverInfo":{"name":"deaf","version":"1"}}}'; exec sleep 60`
	m := mcpTarget(t, target.MCPConfig{Command: []string{"sh", "-c", script}})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := m.Call(ctx, "x", map[string]any{"query": strings.Repeat("long ", 1<<20)})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// The command ends with the target, even one that does not want to.
func TestMCPEndsItsCommand(t *testing.T) {
	t.Parallel()
	file := t.TempDir() + "/pid"
	// The child is one that the command started.
	script := fmt.Sprintf(`trap '' TERM INT; sleep 300 & echo $! >%q; cat >/dev/null; wait`, file)
	m, err := target.NewMCP(target.MCPConfig{Command: []string{"sh", "-c", script}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := m.Tools(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a command that says nothing: %v", err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	// Killed a moment ago: gone, or a zombie that nobody has reaped, or about to.
	for end := time.Now().Add(5 * time.Second); ; runtime.Gosched() {
		stat, err := os.ReadFile("/proc/" + strings.TrimSpace(string(raw)) + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the child of the command still runs: %s", stat)
		}
	}
}

// Each odd HTTP server gives the documented error.
func TestMCPHTTPFaults(t *testing.T) {
	t.Parallel()
	says := func(status int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	for _, test := range []struct {
		name    string
		handler http.HandlerFunc
		kind    target.Kind
		again   bool
		says    string
	}{
		{"401", says(401, "application/json", `{"error": "invalid_token", "x": "planted-secret-1"}`), target.Status, false,
			"status 401 Unauthorized: invalid_token; set a header with credentials"},
		{"403 that quotes", says(403, "text/plain", "no: Bearer planted-secret-1"), target.Status, false, "[secret]"},
		{"404", says(404, "text/plain", "not here"), target.Status, false, "use the address of the server's MCP endpoint, which often ends " +
			"in /mcp"},
		{"405", says(405, "text/plain", ""), target.Status, false, "status 405"},
		{"429", says(429, "text/plain", "slowly"), target.Status, true, "status 429 Too Many Requests: slowly"},
		{"503", says(503, "text/html", "<html><title>Down</title>"), target.Status, true, `a web page, "Down"`},
		{"a web page", says(200, "text/html", "<!doctype html><html><title>My files</title>"), target.Reply, false,
			`answers with a web page, "My files", not with MCP`},
		{"text", says(200, "text/plain", "hello"), target.Reply, false, `text/plain, "hello"`},
		{"JSON that is no message", says(200, "application/json", `{"hello": 1}`), target.Reply, false, ""},
		{"broken JSON", says(200, "application/json", `{"jsonrpc": `), target.Reply, false, ""},
		{"an error of the protocol", says(200, "application/json",
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no model loaded"}}`), target.Failed, true, "no model loaded (code -32603)"},
		{"a stream that ends", says(200, "text/event-stream", ": nothing\n\n"), target.Crash, true, "without response"},
		{"another server", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/elsewhere", http.StatusTemporaryRedirect)
		}, target.Status, false, "http://127.0.0.1:1/elsewhere, another server"},
		{"a circle", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/mcp", http.StatusTemporaryRedirect)
		}, target.Status, false, "after 5 others"},
		{"closed", func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }, target.Crash, true, "the connection broke"},
		{"endless", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			page := bytes.Repeat([]byte(" "), 1<<20)
			for range 17 {
				if _, err := w.Write(page); err != nil {
					return
				}
			}
		}, target.Reply, false, "longer than 16777216 bytes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := target.MCPConfig{Header: http.Header{"Authorization": {"Bearer planted-secret-1"}},
				Secrets: secret.Set{secret.New("planted-secret-1")}}
			m := mcpEndpoint(t, test.handler, c)
			_, err := m.Ask(t.Context(), mcpCase("q"))
			mcpFails(t, err, test.kind, test.again, test.says)
			if strings.Contains(fmt.Sprint(err), "planted") {
				t.Errorf("a secret in %v", err)
			}
			var e *target.Error
			if errors.As(err, &e) && test.kind == target.Status && test.again && e.After != 7*time.Second {
				t.Errorf("wait %v: want 7s", e.After)
			}
		})
	}
	t.Run("nobody", func(t *testing.T) {
		t.Parallel()
		m := mcpTarget(t, target.MCPConfig{Endpoint: "http://127.0.0.1:1/mcp"})
		mcpFails(t, err2(m.Ask(t.Context(), mcpCase("q"))), target.Refused, true, "nothing listens at 127.0.0.1:1")
	})
	t.Run("certificate", func(t *testing.T) {
		t.Parallel()
		inner := mcptest.Handler(mcpTools(mcptest.Text))
		t.Cleanup(func() { inner.Close() })
		server := httptest.NewUnstartedServer(inner)
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		server.StartTLS()
		t.Cleanup(func() {
			server.CloseClientConnections()
			server.Close()
		})
		m := mcpTarget(t, target.MCPConfig{Endpoint: server.URL, Tool: mcptest.Text})
		mcpFails(t, err2(m.Ask(t.Context(), mcpCase("q"))), target.Refused, false, "authority")
		m = mcpTarget(t, target.MCPConfig{Endpoint: server.URL, Tool: mcptest.Text, TLS: target.TLS{Insecure: true}})
		if _, err := m.Ask(t.Context(), mcpCase("q")); err != nil {
			t.Error(err)
		}
	})
}

// Headers go with every request, to that server.
func TestMCPHeader(t *testing.T) {
	t.Parallel()
	var missing atomic.Int32
	inner := mcptest.Handler(mcpTools(mcptest.Text))
	t.Cleanup(func() { inner.Close() })
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer planted-secret-1" || !strings.Contains(r.Header.Get("User-Agent"), "assay/9") {
			missing.Add(1)
		}
		inner.ServeHTTP(w, r)
	})
	m := mcpEndpoint(t, h, target.MCPConfig{Tool: mcptest.Text, Version: "9",
		Header: http.Header{"authorization": {"Bearer planted-secret-1"}}})
	if _, err := m.Ask(t.Context(), mcpCase("q")); err != nil {
		t.Error(err)
	}
	if n := missing.Load(); n > 0 {
		t.Errorf("%d requests came without the header", n)
	}
}

// A server that forgot its sessions, as after a restart, is connected to anew: at
// once when nobody was asking, else with the next attempt.
func TestMCPForgottenSession(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	first, second := mcptest.Handler(mcpTools(mcptest.Text)), mcptest.Handler(mcpTools(mcptest.Text))
	t.Cleanup(func() { first.Close() })
	t.Cleanup(func() { second.Close() })
	inner := first
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		now := inner
		mu.Unlock()
		now.ServeHTTP(w, r)
	})
	m := mcpEndpoint(t, h, target.MCPConfig{Tool: mcptest.Text})
	if _, err := m.Ask(t.Context(), mcpCase("q")); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	inner = second
	mu.Unlock()
	_, err := m.Ask(t.Context(), mcpCase("q"))
	mcpFails(t, err, target.Crash, true, "ended the session")
	if _, err := m.Ask(t.Context(), mcpCase("q")); err != nil {
		t.Errorf("the next attempt: %v", err)
	}
}

// A server whose stream for its own words never begins is used without.
func TestMCPStreamThatNeverBegins(t *testing.T) {
	t.Parallel()
	inner := mcptest.Handler(mcpTools(mcptest.Text))
	t.Cleanup(func() { inner.Close() })
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			<-r.Context().Done()
			return
		}
		inner.ServeHTTP(w, r)
	})
	m := mcpEndpoint(t, h, target.MCPConfig{Tool: mcptest.Text})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := m.Ask(ctx, mcpCase("q")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("connecting outlives its context: %v", err)
	}
	if _, err := m.Ask(t.Context(), mcpCase("q")); err != nil {
		t.Error(err)
	}
}

// A model that fails is not the tool's failure, whatever the tool makes of it.
func TestMCPSamplerFails(t *testing.T) {
	t.Parallel()
	for _, lenient := range []bool{false, true} {
		for _, test := range []struct {
			err   *llm.Error
			again bool
		}{
			{&llm.Error{Kind: llm.KindAuth, Provider: "tiny", Message: "no key: set TINY_KEY"}, false},
			{&llm.Error{Kind: llm.KindBudget, Provider: "tiny", Message: "the budget is spent"}, false},
			{&llm.Error{Kind: llm.KindServer, Provider: "tiny", Status: 503, Message: "overloaded"}, true},
			{&llm.Error{Kind: llm.KindServer, Provider: "tiny", Message: "given up", Closed: true, Err: llm.ErrStopped}, false},
		} {
			t.Run(fmt.Sprint(lenient, test.err.Message), func(t *testing.T) {
				t.Parallel()
				model := &mcpModel{err: func(int) error { return test.err }}
				m := mcpEndpoint(t, mcptest.Handler(mcptest.Options{Lenient: lenient}), target.MCPConfig{Sampler: model, Read: mcpNotes(t)})
				_, err := m.Ask(t.Context(), mcpCase(mcpQuestion))
				mcpFails(t, err, target.Failed, test.again, "a sampling request was not answered: tiny: ", test.err.Message)
				then := "the tool's result is discarded"
				if !lenient {
					then = "the tool reports the same"
				}
				mcpFails(t, err, target.Failed, test.again, then)
				var cause *llm.Error
				if !errors.As(err, &cause) || cause.Fatal() == test.again || errors.Is(err, llm.ErrStopped) != cause.Closed {
					t.Errorf("the error %v does not lead to its cause", err)
				}
			})
		}
	}
}

// Without a sampler a server that needs one says so in its way, and the user is
// told what to set.
func TestMCPWithoutSampler(t *testing.T) {
	t.Parallel()
	for _, style := range []mcptest.Style{mcptest.During, mcptest.Returned} {
		mcpOver(t, mcptest.Options{Style: style}, target.MCPConfig{Read: mcpNotes(t), Tool: mcptest.Answer}, func(t *testing.T, m *target.MCP) {
			mcpFails(t, err2(m.Ask(t.Context(), mcpCase(mcpQuestion))), target.Failed, false, "use --set sampler=PROVIDER:MODEL")
		})
	}
	m := mcpEndpoint(t, mcptest.Handler(mcptest.Options{Lenient: true}), target.MCPConfig{Read: mcpNotes(t)})
	ctx, x := target.Watch(t.Context())
	got, err := m.Ask(ctx, mcpCase(mcpQuestion))
	if err != nil || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "--set sampler=PROVIDER:MODEL") ||
		!strings.Contains(strings.Join(x.Hints, " "), "--set sampler") {
		t.Errorf("%+v, %v, hints %q: want the words of the server with a warning", got, err, x.Hints)
	}
}

// A sampling request that is answered only at the second time is told.
func TestMCPSamplerRecovers(t *testing.T) {
	t.Parallel()
	model := &mcpModel{err: func(n int) error {
		if n == 1 {
			return &llm.Error{Kind: llm.KindNetwork, Provider: "tiny", Message: "reset"}
		}
		return nil
	}}
	m := mcpEndpoint(t, mcptest.Handler(mcptest.Options{}), target.MCPConfig{Sampler: model, Read: mcpNotes(t)})
	mcpFails(t, err2(m.Ask(t.Context(), mcpCase(mcpQuestion))), target.Failed, true, "tiny: reset")
	got, err := m.Ask(t.Context(), mcpCase(mcpQuestion))
	if err != nil || got.Answer == "" || len(got.Warnings) > 0 {
		t.Errorf("the next attempt: %+v, %v", got, err)
	}
}

// A case warns of a sampled reply that is cut off, refused or a call, as it does where the target asks the model itself.
func TestMCPSampledReplyThatIsNotWhole(t *testing.T) {
	t.Parallel()
	for stop, says := range map[string]string{"length": "limit of tokens (length)", "refusal": "content filter", "broken": "cut the reply off",
		"tool_calls": "calls a tool", "new_reason": "does not know", "end": ""} {
		m := mcpEndpoint(t, mcptest.Handler(mcptest.Options{}), target.MCPConfig{Sampler: &mcpModel{stop: stop}, Read: mcpNotes(t)})
		got, err := m.Ask(t.Context(), mcpCase(mcpQuestion))
		if warned := strings.Join(got.Warnings, "; "); err != nil || (warned != "") != (says != "") || !strings.Contains(warned, says) {
			t.Errorf("%q: %+v, %v: want a warning %q", stop, got, err, says)
		}
	}
}

// A sampled reply was paid for, also if the tool's result cannot be used.
func TestMCPFailureCosts(t *testing.T) {
	t.Parallel()
	m := mcpEndpoint(t, mcptest.Handler(mcptest.Options{}), target.MCPConfig{Sampler: &mcpModel{}, Read: httpMapping(t, map[string]string{"answer": "nowhere"})})
	if got, err := m.Ask(t.Context(), mcpCase(mcpQuestion)); err == nil || got.Usage == (assay.Usage{}) || got.Answer != "" {
		t.Errorf("%+v, %v: want a failure and what the reply cost", got, err)
	}
}

// The text ends before a stop sequence, whether or not the provider knew it.
func TestMCPStopSequence(t *testing.T) {
	t.Parallel()
	model := &mcpModel{text: func(llm.Request) string { return "Lisbon.<end> And more." }}
	m := mcpEndpoint(t, mcptest.Handler(mcptest.Options{}), target.MCPConfig{Sampler: model, Read: mcpNotes(t)})
	ctx, x := target.Watch(t.Context())
	if got, err := m.Ask(ctx, mcpCase(mcpQuestion)); err != nil || got.Answer != "Lisbon." {
		t.Errorf("answer %q, %v", got.Answer, err)
	}
	if !strings.Contains(x.Received, `"stop_reason": "stopSequence"`) {
		t.Errorf("the server was not told: %s", x.Received)
	}
}
