package target_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/mcptest"
)

// mcpEcho serves tools of the given schemas, each of which answers with its name
// and its arguments.
func mcpEcho(schemas map[string]string) http.Handler {
	s := mcp.NewServer(&mcp.Implementation{Name: "echo", Version: "1"}, nil)
	for name, schema := range schemas {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(schema)},
			func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: name + " " + string(r.Params.Arguments)}}}, nil
			})
	}
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
}

func TestMCPArguments(t *testing.T) {
	t.Parallel()
	const (
		text   = `{"type": "string"}`
		number = `{"type": "integer"}`
	)
	object := func(required string, properties ...string) string {
		fields := ""
		for i := 0; i < len(properties); i += 2 {
			if i > 0 {
				fields += ", "
			}
			fields += fmt.Sprintf("%q: %s", properties[i], properties[i+1])
		}
		return fmt.Sprintf(`{"type": "object", "properties": {%s}, "required": [%s]}`, fields, required)
	}
	type send = map[string]any
	for _, test := range []struct {
		name, schema string
		send         any
		topK         int
		want         string // the arguments
		fails        []string
	}{
		{name: "the one that is required", schema: object(`"topic"`, "topic", text, "query", text), want: `{"topic":"Q?"}`},
		{name: "the first known name", schema: object(``, "text", text, "question", text), want: `{"question":"Q?"}`},
		{name: "among those required", schema: object(`"lang", "input"`, "lang", `{"type": "string", "default": "en"}`, "input", text, "query",
			text), want: `{"input":"Q?","lang":"en"}`},
		{name: "the only text", schema: object(``, "utterance", text, "limit", number), want: `{"utterance":"Q?"}`},
		{name: "text or null", schema: object(``, "what", `{"anyOf": [{"type": "string"}, {"type": "null"}]}`, "n", number),
			want: `{"what":"Q?"}`},
		{name: "text in a list of types", schema: object(``, "what", `{"type": ["null", "string"]}`), want: `{"what":"Q?"}`},
		{name: "not a choice", schema: object(`"mode", "ask"`, "mode", `{"type": "string", "enum": ["a", "b"], "default": "a"}`, "ask", text),
			want: `{"ask":"Q?","mode":"a"}`},
		{name: "limit", schema: object(`"query"`, "query", text, "limit", number, "k", number), topK: 7, want: `{"limit":7,"query":"Q?"}`},
		{name: "k", schema: object(`"query"`, "query", text, "k", number), topK: 7, want: `{"k":7,"query":"Q?"}`},
		{name: "no limit that the schema has", schema: object(`"query"`, "query", text), topK: 7, want: `{"query":"Q?"}`},
		{name: "unclear", schema: object(``, "a", text, "b", text), fails: []string{"unclear which argument takes the question", "a, b"}},
		{name: "no text", schema: object(``, "a", number), fails: []string{"unclear which argument"}},
		{name: "another is required", schema: object(`"query", "space"`, "query", text, "space", number), fails: []string{"lacks space",
			"query (required), space (required)"}},
		{name: "a template", schema: object(`"q"`, "q", text, "n", number, "m", `{"type": "object"}`), topK: 3,
			send: send{"q": "{{question}} ({{metadata.lang}})", "n": "{{top_k}}", "m": send{"id": "{{id}}"}},
			want: `{"m":{"id":"c1"},"n":3,"q":"Q? (pt)"}`},
		{name: "a template that does not fit", schema: object(`"query"`, "query", text, "limit", number), send: send{"qurey": "{{question}}",
			"limit": 3}, fails: []string{"has no argument qurey, and lacks query", "limit, query (required)"}},
		{name: "further names are allowed", schema: `{"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": true}`,
			send: send{"b": "{{question}}"}, want: `{"b":"Q?"}`},
		{name: "a schema without names", schema: `{"type": "object"}`, send: send{"b": "{{question}}"}, want: `{"b":"Q?"}`},
		{name: "a template without a value", schema: `{"type": "object"}`, send: send{"b": "{{metadata.nothing}}"}, fails: []string{"send: ",
			"nothing"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := mcpEndpoint(t, mcpEcho(map[string]string{"ask": test.schema}), target.MCPConfig{Send: test.send, TopK: test.topK})
			got, err := m.Ask(t.Context(), &assay.Case{ID: "c1", Question: "Q?", Metadata: map[string]any{"lang": "pt"}})
			if test.fails != nil {
				kind := target.Refused
				if test.name == "a template without a value" {
					kind = target.Failed
				}
				mcpFails(t, err, kind, false, test.fails...)
				return
			}
			if err != nil || got.Answer != "ask "+test.want {
				t.Errorf("%q, %v: want the arguments %s", got.Answer, err, test.want)
			}
		})
	}
}

func TestMCPToolChoice(t *testing.T) {
	t.Parallel()
	const schema = `{"type": "object", "properties": {"query": {"type": "string"}}}`
	three := map[string]string{"nc_semantic_search": schema, "nc_semantic_search_answer": schema, "nc_notes_list": schema}
	for _, test := range []struct {
		tool  string
		tools map[string]string
		want  string
		fails []string
	}{
		{tool: "", tools: map[string]string{"only": schema}, want: "only"},
		{tool: "nc_notes_list", tools: three, want: "nc_notes_list"},
		{tool: "", tools: three, fails: []string{"has 3 tools", "nc_notes_list, nc_semantic_search, nc_semantic_search_answer"}},
		{tool: "nc_semantic_serach", tools: three, fails: []string{`unknown tool "nc_semantic_serach", did you mean "nc_semantic_search"?`,
			"nc_notes_list, nc_semantic_search, nc_semantic_search_answer", "--set sampler"}},
		{tool: "search_answer", tools: three, fails: []string{`did you mean "nc_semantic_search_answer"?`}},
		{tool: "weather", tools: three, fails: []string{`unknown tool "weather": the server has`}},
		{tool: "", tools: nil, fails: []string{"no tools"}},
	} {
		t.Run(test.tool, func(t *testing.T) {
			t.Parallel()
			m := mcpEndpoint(t, mcpEcho(test.tools), target.MCPConfig{Tool: test.tool})
			opening := m.Open(t.Context())
			got, err := m.Ask(t.Context(), mcpCase("Q?"))
			if test.fails != nil {
				mcpFails(t, opening, target.Refused, false, test.fails...)
				mcpFails(t, err, target.Refused, false, test.fails...)
				return
			}
			if want := test.want + ` {"query":"Q?"}`; err != nil || opening != nil || got.Answer != want {
				t.Errorf("%q, %v, opening %v: want %q", got.Answer, err, opening, want)
			}
		})
	}
}

// Before a run only what is wrong for every case is an error.
func TestMCPOpen(t *testing.T) {
	t.Parallel()
	m := mcpTarget(t, target.MCPConfig{Command: []string{"no-such-program-anywhere"}})
	mcpFails(t, m.Open(t.Context()), target.Refused, false, `command "no-such-program-anywhere"`)
	// One that dies may live the next time.
	m = mcpCommand(t, mcpHelper{Dies: 3}, target.MCPConfig{})
	if err := m.Open(t.Context()); err != nil {
		t.Errorf("a server that died: %v: want that the calls try again", err)
	}
	// A template may need what only cases have.
	m = mcpEndpoint(t, mcpEcho(map[string]string{"only": `{"type": "object", "properties": {"query": {"type": "string"}}}`}),
		target.MCPConfig{Send: map[string]any{"query": "{{metadata.lang}}"}})
	if err := m.Open(t.Context()); err != nil {
		t.Errorf("a template with metadata: %v", err)
	}
	m = mcpEndpoint(t, mcpEcho(map[string]string{"only": `{"type": "object", "properties": {"query": {"type": "string"}}}`}),
		target.MCPConfig{Send: map[string]any{"text": "{{question}}"}})
	mcpFails(t, m.Open(t.Context()), target.Refused, false, "has no argument text", "query")
}

// 200 calls, each with one sampling request, one after the other.
func BenchmarkMCP(b *testing.B) {
	for _, style := range []mcptest.Style{mcptest.During, mcptest.Returned} {
		o := mcptest.Options{Style: style}
		run := func(b *testing.B, m *target.MCP) {
			b.Helper()
			if _, err := m.Tools(b.Context()); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				for range 200 {
					if _, err := m.Ask(b.Context(), mcpCase(mcpQuestion)); err != nil {
						b.Fatal(err)
					}
				}
			}
		}
		c := target.MCPConfig{Sampler: &mcpModel{}, Read: mcpNotes(b)}
		b.Run("stdio/"+string(style), func(b *testing.B) { run(b, mcpCommand(b, mcpHelper{Options: o}, c)) })
		b.Run("http/"+string(style), func(b *testing.B) { run(b, mcpEndpoint(b, mcptest.Handler(o), c)) })
	}
}

// What a tool returns for the model alone is no part of an answer that it has for the user; a failure is told by its text.
func TestMCPParts(t *testing.T) {
	t.Parallel()
	text := func(s string, audience ...mcp.Role) mcp.Content {
		return &mcp.TextContent{Text: s, Annotations: &mcp.Annotations{Audience: audience}}
	}
	var result mcp.CallToolResult
	s := mcp.NewServer(&mcp.Implementation{Name: "parts", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "parts", InputSchema: json.RawMessage(`{"type": "object", "properties": {"q": {"type": "string"}}}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return &result, nil })
	m := mcpEndpoint(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil), target.MCPConfig{})
	for _, c := range []struct {
		content []mcp.Content
		want    string
		warned  bool
	}{
		{[]mcp.Content{text("A", "user"), text("trace", "assistant")}, "A", true},
		{[]mcp.Content{text("trace", "assistant"), text("A")}, "A", true},
		{[]mcp.Content{text("A", "assistant", "user"), text("B", "user")}, "A\nB", false},
		{[]mcp.Content{text("A", "assistant")}, "A", false},
	} {
		result = mcp.CallToolResult{Content: c.content}
		if got, err := m.Ask(t.Context(), mcpCase(mcpQuestion)); err != nil || got.Answer != c.want || (got.Warnings != nil) != c.warned {
			t.Errorf("%q, %q, %v: want %q", got.Answer, got.Warnings, err, c.want)
		}
	}
	result = mcp.CallToolResult{Content: []mcp.Content{text("upstream 500")}, StructuredContent: map[string]any{"answer": "A"}, IsError: true}
	mcpFails(t, err2(m.Ask(t.Context(), mcpCase(mcpQuestion))), target.Failed, true, "upstream 500")
}
