package target_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/mcptest"
	"github.com/assay-eval/assay/target/reply"
	"github.com/assay-eval/assay/target/targettest"
)

// mcpHelperEnv makes the test binary an MCP server on standard input and output.
const mcpHelperEnv = "ASSAY_TEST_MCP_HELPER"

// mcpHelper is what it then does.
type mcpHelper struct {
	mcptest.Options
	// Before is written to standard output first, Words to standard error.
	Before, Words string
	// Dies ends it with that status at once, Deaf makes it say nothing and not
	// end with its input.
	Dies int
	Deaf bool
}

// TestMCPHelper is no test: it is the server.
func TestMCPHelper(*testing.T) {
	var h mcpHelper
	mode, on := os.LookupEnv(mcpHelperEnv)
	if !on {
		return
	}
	if err := json.Unmarshal([]byte(mode), &h); err != nil {
		panic(err)
	}
	fmt.Fprint(os.Stderr, h.Words)
	fmt.Fprint(os.Stdout, h.Before)
	if h.Dies > 0 {
		os.Exit(h.Dies)
	}
	for h.Deaf {
		time.Sleep(time.Hour)
	}
	_ = mcptest.Run(context.Background(), h.Options)
	os.Exit(0)
}

// mcpCommand is a target of a server that is a command.
func mcpCommand(t testing.TB, h mcpHelper, c target.MCPConfig) *target.MCP {
	t.Helper()
	mode, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	c.Command = []string{os.Args[0], "-test.run=^TestMCPHelper$"}
	// The race detector lets a process wait for a second before it ends.
	c.Env = []string{mcpHelperEnv + "=" + string(mode), "GORACE=atexit_sleep_ms=0"}
	return mcpTarget(t, c)
}

// mcpEndpoint is a target of a server over HTTP.
func mcpEndpoint(t testing.TB, h http.Handler, c target.MCPConfig) *target.MCP {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		if c, ok := h.(io.Closer); ok {
			c.Close()
		}
	})
	c.Endpoint = server.URL + "/mcp"
	return mcpTarget(t, c)
}

func mcpTarget(t testing.TB, c target.MCPConfig) *target.MCP {
	t.Helper()
	m, err := target.NewMCP(c)
	if err != nil {
		t.Fatal(err)
	}
	closing(t, m)
	return m
}

// mcpOver runs a test over both transports.
func mcpOver(t *testing.T, o mcptest.Options, c target.MCPConfig, test func(t *testing.T, m *target.MCP)) {
	t.Helper()
	t.Run("stdio", func(t *testing.T) {
		t.Parallel()
		test(t, mcpCommand(t, mcpHelper{Options: o}, c))
	})
	t.Run("http", func(t *testing.T) {
		t.Parallel()
		test(t, mcpEndpoint(t, mcptest.Handler(o), c))
	})
}

// An mcpModel answers every request by its first words, and keeps them all.
type mcpModel struct {
	err  func(n int) error
	text func(r llm.Request) string
	stop string

	mu    sync.Mutex
	asked []llm.Request
}

func (*mcpModel) Name() string { return "tiny" }

func (m *mcpModel) Complete(ctx context.Context, r llm.Request) (llm.Reply, error) {
	m.mu.Lock()
	m.asked = append(m.asked, r)
	n := len(m.asked)
	m.mu.Unlock()
	if m.err != nil {
		if err := m.err(n); err != nil {
			return llm.Reply{}, err
		}
	}
	question, _, _ := strings.Cut(r.Messages[0].Text, "\n")
	said := "It is so [1]: " + question
	if m.text != nil {
		said = m.text(r)
	}
	stop := m.stop
	if stop == "" {
		stop = "end"
	}
	return llm.Reply{Text: said, Model: "tiny-1b", Stop: stop, Usage: llm.Usage{Input: 40, Output: 6}, Cost: 12, Priced: true}, ctx.Err()
}

func mcpCase(question string) *assay.Case { return &assay.Case{ID: "c1", Question: question} }

const mcpQuestion = "Which capital lies on the river Tagus?"

// mcpNotes is where the parts of the notes server's result are.
func mcpNotes(t testing.TB) reply.Mapping {
	t.Helper()
	m, err := reply.NewMapping(map[string]string{
		"answer": "generated_answer", "passages": "sources", "document": "id", "text": "excerpt", "title": "title", "score": "score",
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Both styles of sampling, over both transports, in every protocol that carries
// them: the same response.
func TestMCPSampling(t *testing.T) {
	t.Parallel()
	for _, style := range []mcptest.Style{mcptest.During, mcptest.Apart, mcptest.Returned} {
		for _, protocol := range []string{"", "2025-06-18", "2026-07-28"} {
			t.Run(string(style)+" "+protocol, func(t *testing.T) {
				t.Parallel()
				model := &mcpModel{}
				c := target.MCPConfig{Sampler: model, Base: llm.Request{Model: "tiny", MaxTokens: 300}, Read: mcpNotes(t), TopK: 2, Protocol: protocol,
					Version: "1"}
				o := mcptest.Options{Style: style, Stateless: style == mcptest.Returned && protocol == "2026-07-28"}
				mcpOver(t, o, c, func(t *testing.T, m *target.MCP) {
					ctx, x := target.Watch(t.Context())
					got, err := m.Ask(ctx, mcpCase(mcpQuestion))
					if style != mcptest.Returned && protocol == "2026-07-28" {
						// The protocol forbids it; the error says so.
						if err == nil && !strings.Contains(strings.Join(x.Notes, "\n"), "protocol 2025-11-25") {
							t.Fatalf("a request during the call is answered in %v", x.Notes)
						}
						if err != nil && !strings.Contains(err.Error(), "2026-07-28") {
							t.Fatal(err)
						}
						return
					}
					if err != nil {
						t.Fatal(err)
					}
					// Two of three notes share a word of more than three letters with
					// the question; of those "lies" and "river" are in all, "capital" is
					// in Lisbon and Madrid, "Tagus" in Lisbon.
					want := assay.Response{
						Answer: "It is so [1]: " + mcpQuestion,
						Passages: []assay.Passage{
							{Document: "11", ID: "11", Title: "Lisbon", Text: mcptest.Notes()[0].Text, Score: 4},
							{Document: "13", ID: "13", Title: "Madrid", Text: mcptest.Notes()[2].Text, Score: 3},
						},
						Usage: assay.Usage{InputTokens: 40, OutputTokens: 6, Cost: 12},
						Trace: &assay.Trace{Stages: []assay.Stage{{
							Name: "generate", Model: "tiny:tiny",
							Prompt: "system: Cite the documents.\n\nuser: " + mcpQuestion + "\n\n[Document 1]\nTitle: Lisbon\nContent: " +
								mcptest.Notes()[0].Text +
								"\n\n[Document 2]\nTitle: Madrid\nContent: " + mcptest.Notes()[2].Text + "\n",
							Output: json.RawMessage(`"It is so [1]: ` + mcpQuestion + `"`),
							Note: "answered by assay on the server's request (MCP sampling); the server names the model tiny-1b; " +
								`not passed on: the context of thisServer, the preference for a model like "some-model"`,
						}}},
					}
					for i := range got.Passages {
						// Whether the id is that of a passage too is the mapping's matter.
						got.Passages[i].ID = got.Passages[i].Document
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("response (-want +got):\n%s", diff)
					}
					asked := protocol
					if asked == "" {
						asked = "2025-11-25"
					}
					// "It is so [1]: " has 14 characters, the question 38.
					for _, words := range []string{"connected to notes 1.0 over ", ", protocol " + asked,
						"sampling request answered: 52 characters by tiny:tiny"} {
						if !strings.Contains(strings.Join(x.Notes, "\n"), words) {
							t.Errorf("notes %q: want %q", x.Notes, words)
						}
					}
					if want := "tools/call nc_semantic_search_answer\n{\n  \"limit\": 2,\n  \"query\": \"" + mcpQuestion + "\"\n}"; x.Sent != want {
						t.Errorf("sent %q: want %q", x.Sent, want)
					}
					if !strings.Contains(x.Received, `"generated_answer": "It is so`) {
						t.Errorf("received %s", x.Received)
					}
					model.mu.Lock()
					defer model.mu.Unlock()
					for _, r := range model.asked {
						if r.Model != "tiny" || r.Operation != "sampling" || r.System != "Cite the documents." || r.MaxTokens != 300 ||
							r.Temperature == nil || *r.Temperature != 0.7 {
							t.Errorf("the model was asked %+v", r)
						}
					}
				})
			})
		}
	}
}

// Each request belongs to the case whose call it came in.
func TestMCPSamplingBelongsToItsCase(t *testing.T) {
	t.Parallel()
	model := &mcpModel{}
	c := target.MCPConfig{Sampler: model, Read: mcpNotes(t), Sessions: 4}
	mcpOver(t, mcptest.Options{Style: mcptest.Apart}, c, func(t *testing.T, m *target.MCP) {
		var wg sync.WaitGroup
		for i := range 24 {
			wg.Go(func() {
				question := fmt.Sprintf("Which capital has river %d?", i)
				got, err := m.Ask(t.Context(), mcpCase(question))
				if err != nil {
					t.Error(err)
					return
				}
				if n := len(got.Trace.Stages); n != 1 || !strings.Contains(got.Trace.Stages[0].Prompt, question) || got.Answer != "It is so [1]: "+
					question {
					t.Errorf("case %d: answer %q, %d stages, first prompt %q", i, got.Answer, n, got.Trace.Stages[0].Prompt)
				}
			})
		}
		wg.Wait()
	})
}

func TestMCPConforms(t *testing.T) {
	c := target.MCPConfig{Sampler: &mcpModel{}, Read: mcpNotes(t), Sessions: 3}
	suite := func(m *target.MCP) targettest.Suite {
		return targettest.Suite{
			Target: m, Cases: []assay.Case{{ID: "1", Question: mcpQuestion}, {ID: "2", Question: "What is Porto known for?"}},
			Empty: &assay.Case{ID: "e", Question: "Zebras?"},
		}
	}
	t.Run("stdio", func(t *testing.T) {
		targettest.Run(t, suite(mcpCommand(t, mcpHelper{Options: mcptest.Options{Style: mcptest.During}}, c)))
	})
	t.Run("http", func(t *testing.T) {
		targettest.Run(t, suite(mcpEndpoint(t, mcptest.Handler(mcptest.Options{Style: mcptest.Returned}), c)))
	})
	for _, name := range []string{mcptest.Silent, mcptest.Fails, mcptest.Hangs} {
		o := mcptest.Options{Tools: []string{name, mcptest.Text}}
		// The tool that the question names is called; see mcpRouter.
		t.Run(name, func(t *testing.T) {
			one := &assay.Case{ID: name, Question: "q"}
			m := mcpCommand(t, mcpHelper{Options: o}, target.MCPConfig{Tool: name})
			good := mcpCommand(t, mcpHelper{Options: o}, target.MCPConfig{Tool: mcptest.Text})
			s := targettest.Suite{Target: mcpRouter{good, name, m}, Cases: []assay.Case{{ID: "1", Question: "fine"}}}
			switch name {
			case mcptest.Silent:
				s.Silent = one
			case mcptest.Fails:
				s.Fails = map[string]assay.Case{"error": *one}
			case mcptest.Hangs:
				// Connected before goroutines are counted.
				if _, err := m.Tools(t.Context()); err != nil {
					t.Fatal(err)
				}
				s.Hangs = one
			}
			targettest.Run(t, s)
		})
	}
}

// An mcpRouter asks another target the case of one id.
type mcpRouter struct {
	assay.Target
	id   string
	that assay.Target
}

func (r mcpRouter) Ask(ctx context.Context, c *assay.Case) (assay.Response, error) {
	if c.ID == r.id {
		return r.that.Ask(ctx, c)
	}
	return r.Target.Ask(ctx, c)
}

func TestMCPConfigErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		c    target.MCPConfig
		says string
	}{
		{target.MCPConfig{}, "give an endpoint or a command"},
		{target.MCPConfig{Endpoint: "http://h/", Command: []string{"x"}}, "not both"},
		{target.MCPConfig{Command: []string{""}}, "no name"},
		{target.MCPConfig{Endpoint: "ftp://u:planted@h/"}, "begins with http:// or https://"},
		{target.MCPConfig{Endpoint: "http://u:planted@h:x/"}, "not an address"},
		{target.MCPConfig{Command: []string{"x"}, Protocol: "2025"}, "expected one of 2026-07-28, 2025-11-25"},
		{target.MCPConfig{Command: []string{"x"}, Send: "{{question}}"}, "expected an object"},
		{target.MCPConfig{Command: []string{"x"}, Send: map[string]any{"q": "{{query}}"}}, "{{query}}"},
		{target.MCPConfig{Command: []string{"x"}, Send: map[string]any{"q": "{{question"}}, "send"},
		{target.MCPConfig{Endpoint: "http://h/", TLS: target.TLS{CA: "/nowhere.pem"}}, "nowhere.pem"},
		{target.MCPConfig{Endpoint: "http://h/", Proxy: "::"}, "proxy"},
	} {
		m, err := target.NewMCP(test.c)
		if m != nil || err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), `"query"`, "{{query}}"), test.says) ||
			strings.Contains(err.Error(), "planted") {
			t.Errorf("%+v: error %v: want %q", test.c, err, test.says)
		}
	}
}

func TestMCPToolsAndCall(t *testing.T) {
	t.Parallel()
	mcpOver(t, mcptest.Options{Tools: []string{mcptest.Uploads, mcptest.Text, mcptest.Fails}}, target.MCPConfig{},
		func(t *testing.T, m *target.MCP) {
			got, err := m.Tools(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			args, required := []string{"limit", "query"}, []string{"query"}
			want := []target.Tool{
				{Name: "fails", Description: "For tests", Arguments: args, Required: required},
				{Name: mcptest.Answer, Description: "Search with an answer by the client's model", Arguments: args, Required: required},
				{Name: "text", Description: "For tests", Arguments: args, Required: required},
				{Name: "upload", Description: "For tests", Arguments: args, Required: required},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("tools (-want +got):\n%s", diff)
			}
			v, err := m.Call(t.Context(), "upload", map[string]any{"query": "A title"})
			if diff := cmp.Diff(any(map[string]any{"id": 21.0, "title": "A title"}), v); err != nil || diff != "" {
				t.Errorf("upload: %v, %s", err, diff)
			}
			if v, err := m.Call(t.Context(), "text", map[string]any{"query": "x"}); err != nil || v != "You asked:\nx" {
				t.Errorf("text: %#v, %v", v, err)
			}
			mcpFails(t, err2(m.Call(t.Context(), "fails", map[string]any{"query": "x"})), target.Failed, true, "the index is being rebuilt")
			mcpFails(t, err2(m.Call(t.Context(), "nosuch", nil)), target.Failed, false, "nosuch")
		})
}

func err2(_ any, err error) error { return err }

// mcpFails checks an error: its kind, whether another attempt may help, and
// words of its message.
func mcpFails(t testing.TB, err error, kind target.Kind, again bool, words ...string) {
	t.Helper()
	var e *target.Error
	if !errors.As(err, &e) {
		t.Errorf("error %v of type %T: want a *target.Error", err, err)
		return
	}
	if e.Kind != kind || e.Again != again {
		t.Errorf("error %q of kind %q, again %v: want %q, %v", e, e.Kind, e.Again, kind, again)
	}
	for _, w := range words {
		if !strings.Contains(e.Error(), w) {
			t.Errorf("error %q: want %q in it", e, w)
		}
	}
}

func TestMCPResults(t *testing.T) {
	t.Parallel()
	all := []string{mcptest.Text, mcptest.JSON, mcptest.Resources, mcptest.Finds, mcptest.Silent, mcptest.Wrapped, mcptest.Nothing}
	for _, test := range []struct {
		tool string
		want assay.Response
	}{
		{mcptest.Text, assay.Response{Answer: "You asked:\nq"}},
		{mcptest.JSON, assay.Response{Answer: "JSON planted-secret-1", Passages: []assay.Passage{{Text: "one"}, {Text: "two"}}}},
		{mcptest.Resources, assay.Response{
			Answer: "See these.", Warnings: []string{"2 × image in the result: ignored"},
			Passages: []assay.Passage{
				{Document: "note://11", Source: "note://11", Text: "Lisbon is the capital."},
				{Document: "note://12", Source: "note://12", Title: "Porto"},
			},
		}},
		{mcptest.Finds, assay.Response{NoAnswer: true, Passages: []assay.Passage{{Document: "note://12", Source: "note://12", Title: "porto"}}}},
		{mcptest.Silent, assay.Response{Answer: "I say no sources."}},
		{mcptest.Wrapped, assay.Response{Answer: "wrapped words"}},
		// FastMCP sends an empty list so.
		{mcptest.Nothing, assay.Response{NoAnswer: true, Passages: []assay.Passage{}, Warnings: []string{"the result has no content: read as an empty list of passages"}}},
	} {
		t.Run(test.tool, func(t *testing.T) {
			t.Parallel()
			c := target.MCPConfig{Tool: test.tool, Secrets: secret.Set{secret.New("planted-secret-1")}}
			m := mcpEndpoint(t, mcptest.Handler(mcptest.Options{Tools: all}), c)
			ctx, x := target.Watch(t.Context())
			got, err := m.Ask(ctx, mcpCase("q"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("response (-want +got):\n%s", diff)
			}
			if shown := fmt.Sprint(x); strings.Contains(shown, "planted") || x.Received == "" || len(x.Readings) == 0 {
				t.Errorf("a person sees %s", shown)
			}
		})
	}
	// A mapping that finds nothing.
	nowhere, err := reply.NewMapping(map[string]string{"answer": "data.answer"})
	if err != nil {
		t.Fatal(err)
	}
	m := mcpEndpoint(t, mcptest.Handler(mcptest.Options{Tools: all}), target.MCPConfig{Tool: mcptest.Silent, Read: nowhere})
	mcpFails(t, err2(m.Ask(t.Context(), mcpCase("q"))), target.Reply, false, "neither an answer nor passages")
}

// The call is timed without the time that connecting takes.
func TestMCPLatency(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var now time.Time
	c := target.MCPConfig{Tool: mcptest.Text, Now: func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Second)
		return now
	}}
	m := mcpEndpoint(t, mcptest.Handler(mcptest.Options{Tools: []string{mcptest.Text}}), c)
	// The clock is read twice: before the call and after it.
	if got, err := m.Ask(t.Context(), mcpCase("q")); err != nil || got.Latency != time.Second {
		t.Errorf("latency %v, %v: want 1s", got.Latency, err)
	}
}

func TestMCPClosed(t *testing.T) {
	t.Parallel()
	m := mcpEndpoint(t, mcptest.Handler(mcptest.Options{Tools: []string{mcptest.Hangs}}), target.MCPConfig{Tool: mcptest.Hangs})
	if _, err := m.Tools(t.Context()); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := m.Ask(t.Context(), mcpCase("q"))
		done <- err
	}()
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	mcpFails(t, <-done, target.Refused, false, "closed")
	mcpFails(t, err2(m.Ask(t.Context(), mcpCase("q"))), target.Refused, false, "closed")
}
