package target_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/mcptest"
)

// The protocol project's own server-everything, a real server that nobody here
// wrote, over both transports: its tools answer, and the one that asks for a
// model gets its completion from here.
func TestMCPEverything(t *testing.T) {
	t.Parallel()
	script, node := requiretest.Env(t, "ASSAY_MCP_EVERYTHING"), requiretest.Command(t, "node")
	for _, over := range []string{"stdio", "http"} {
		t.Run(over, func(t *testing.T) {
			t.Parallel()
			c := target.MCPConfig{Command: []string{node, script, "stdio"}}
			if over == "http" {
				c = target.MCPConfig{Endpoint: mcptest.Everything(t, node, script)}
			}
			model := &mcpModel{text: func(r llm.Request) string { return "Lisbon, says the model." }}
			c.Sampler, c.Base = model, llm.Request{Model: "tiny"}
			with := func(tool string, send any) *target.MCP {
				c := c
				c.Tool, c.Send = tool, send
				return mcpTarget(t, c)
			}

			m := with("trigger-sampling-request", nil)
			got, err := m.Ask(t.Context(), mcpCase(mcpQuestion))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(got.Answer, "Lisbon, says the model.") || !strings.Contains(got.Answer, `"model": "tiny-1b"`) ||
				!strings.Contains(got.Answer, `"stopReason": "endTurn"`) {
				t.Errorf("answer %q", got.Answer)
			}
			if got.Trace == nil || len(got.Trace.Stages) != 1 || got.Usage.OutputTokens != 6 {
				t.Errorf("trace %+v, usage %+v", got.Trace, got.Usage)
			} else if s := got.Trace.Stages[0]; s.Model != "tiny:tiny" || !strings.Contains(s.Prompt, "system: You are a helpful test server.") ||
				!strings.Contains(s.Prompt, mcpQuestion) || string(s.Output) != `"Lisbon, says the model."` {
				t.Errorf("stage %+v", s)
			}
			// maxTokens has a default of 100 in the schema, which the server fills in.
			if r := model.asked[0]; r.MaxTokens != 100 || r.Temperature == nil || *r.Temperature != 0.7 {
				t.Errorf("the model was asked %+v", r)
			}
			tools, err := m.Tools(t.Context())
			if err != nil || len(tools) < 10 {
				t.Errorf("%d tools, %v", len(tools), err)
			}

			if got, err := with("echo", nil).Ask(t.Context(), mcpCase("hello?")); err != nil || got.Answer != "Echo: hello?" || got.Passages != nil {
				t.Errorf("echo: %+v, %v", got, err)
			}
			if got, err := with("get-sum", map[string]any{"a": 2, "b": 40}).Ask(t.Context(), mcpCase("?")); err != nil ||
				!strings.Contains(got.Answer, "42") {
				t.Errorf("get-sum: %+v, %v", got, err)
			}
			mcpFails(t, err2(with("get-sum", nil).Ask(t.Context(), mcpCase("?"))), target.Refused, false, "a (required), b (required)")
			mcpFails(t, err2(with("get-sums", nil).Ask(t.Context(), mcpCase("?"))), target.Refused, false, `did you mean "get-sum"?`, "echo")

			refer := map[string]any{"resourceType": "Text", "resourceId": 1}
			got, err = with("get-resource-reference", refer).Ask(t.Context(), mcpCase("?"))
			if err != nil || len(got.Passages) != 1 || !strings.Contains(got.Passages[0].Document, "://") || got.Passages[0].Text == "" {
				t.Errorf("get-resource-reference: %+v, %v", got, err)
			}
			got, err = with("get-tiny-image", nil).Ask(t.Context(), mcpCase("?"))
			if err == nil {
				t.Errorf("get-tiny-image takes no question, and answers %+v", got)
			}
			v, err := m.Call(t.Context(), "get-structured-content", map[string]any{"location": "New York"})
			if object, ok := v.(map[string]any); err != nil || !ok || object["conditions"] == nil {
				t.Errorf("get-structured-content: %v, %v", v, err)
			}
			mcpFails(t, err2(m.Call(t.Context(), "get-structured-content", map[string]any{"location": "Atlantis"})), target.Failed, true, "location")
		})
	}
	t.Run("without a sampler", func(t *testing.T) {
		t.Parallel()
		m := mcpTarget(t, target.MCPConfig{Command: []string{node, script, "stdio"}, Tool: "trigger-sampling-request"})
		mcpFails(t, err2(m.Ask(t.Context(), mcpCase("q"))), target.Refused, false, "unknown tool", "--set sampler=PROVIDER:MODEL")
	})
}
