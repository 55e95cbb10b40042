package spans_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/spans"
)

// asGenAI makes a span by the conventions of OpenTelemetry.
func asGenAI(id, parent string, at int, attributes ...any) spans.Span {
	return span(id, parent, "", at, with(map[string]any{}, attributes...))
}

// TestAgentsAndPipelines reads what the instrumentations of several frameworks record: the
// question is what the topmost step was asked, the answer is a text that the system wrote,
// and tools keep what they were given and what they returned.
func TestAgentsAndPipelines(t *testing.T) {
	t.Parallel()
	const asked = "How long is the leave?"
	const message = `ChatMessage(_role=<ChatRole.ASSISTANT: 'assistant'>, _content=[TextContent(text='24 days')])`
	said := map[string]any{"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "24 days"}
	model := func(id, parent string, at int) spans.Span {
		return span(id, parent, "LLM", at, with(map[string]any{"output.value": message}, "llm.input_messages.0.message.role", "user",
			"llm.input_messages.0.message.content", "Answer.\nQuestion: "+asked, "llm.output_messages.0.message.role",
			said["llm.output_messages.0.message.role"], "llm.output_messages.0.message.content", "24 days"))
	}
	in, _ := json.Marshal([]any{
		map[string]any{"role": "user", "parts": []any{map[string]any{"type": "text", "content": asked}}},
		map[string]any{"role": "assistant", "parts": []any{map[string]any{"type": "text", "content": "I search."}}},
		map[string]any{"role": "user", "parts": []any{
			map[string]any{"type": "tool_call_response", "name": "search", "result": "24 days of leave"},
		}},
	})
	out := `[{"role":"assistant","parts":[{"type":"text","content":"24 days"}]}]`
	events := `[{"content":"` + asked + `","role":"user","event.name":"gen_ai.user.message"},
		{"index":0,"message":{"role":"assistant","content":"24 days"},"event.name":"gen_ai.choice"}]`
	for name, test := range map[string]struct {
		trace  []spans.Span
		stages []string
	}{
		"haystack": {[]spans.Span{
			span("a", "", "CHAIN", 0, map[string]any{
				"input.value":  `{"data": {"retriever": {"query": "` + asked + `"}}}`,
				"output.value": `{"llm": {"replies": ["` + message + `"]}}`,
			}), model("b", "a", 1),
		}, []string{`generate`}},
		"smolagents": {[]spans.Span{
			span("a", "", "AGENT", 0, map[string]any{"input.value": `{"task": "` + asked + `", "stream": false, "images": null}`,
				"output.value": "24 days"}),
			span("b", "a", "CHAIN", 1, map[string]any{"input.value": `{"memory_step": "ActionStep(step_number=1, error=None)"}`}),
			span("c", "b", "TOOL", 1, map[string]any{"tool.name": "search", "tool.parameters": `{"query": {"type": "string"}}`,
				"input.value": `{"query": "leave"}`, "output.value": "24 days of leave"}),
		}, []string{`tool search {"query": "leave"} 24 days of leave`}},
		"agno": {[]spans.Span{
			span("a", "", "AGENT", 0, map[string]any{"input.value": `{"run_response": "RunResponse(content=None, model='fake')"}`,
				"output.value": `RunResponse(content='24 days', model='fake')`}), model("b", "a", 1),
		}, []string{`generate`}},
		"pydantic-ai, version 2": {[]spans.Span{
			asGenAI("a", "", 0, "agent_name", "a", "final_result", "24 days", "pydantic_ai.all_messages", string(in)),
			asGenAI("b", "a", 1, "gen_ai.tool.name", "search", "tool_arguments", `{"query":"leave"}`, "tool_response", "24 days of leave"),
			asGenAI("c", "a", 2, "gen_ai.operation.name", "chat", "gen_ai.input.messages", string(in), "gen_ai.output.messages", out),
		}, []string{`tool search {"query":"leave"} 24 days of leave`, `generate`}},
		"pydantic-ai, version 1": {[]spans.Span{
			asGenAI("a", "", 0, "gen_ai.usage.input_tokens", json.Number("1"), "final_result", "24 days", "all_messages_events", events),
			asGenAI("c", "a", 2, "gen_ai.operation.name", "chat", "gen_ai.request.model", "m", "events", events),
		}, []string{`generate`}},
		"pydantic-ai, result from a tool": {[]spans.Span{
			asGenAI("a", "", 0, "gen_ai.operation.name", "invoke_agent", "final_result", `{"answer":"24 days","sure":true}`,
				"pydantic_ai.all_messages", string(in)),
		}, nil},
	} {
		found, _ := spans.Exchanges(test.trace)
		if len(found) != 1 || found[0].Case.Question != asked || found[0].Response.Answer != "24 days" {
			t.Errorf("%s: %v", name, describe(found))
			continue
		}
		var got []string
		if trace := found[0].Response.Trace; trace != nil {
			for _, s := range trace.Stages {
				var in, out string
				if strings.HasPrefix(s.Name, "tool") {
					_, _ = json.Unmarshal(s.Input, &in), json.Unmarshal(s.Output, &out)
				}
				got = append(got, strings.TrimSpace(s.Name+" "+in+" "+out))
				if s.Name == "generate" && name == "pydantic-ai, version 2" && !strings.Contains(s.Prompt, "24 days of leave") {
					t.Errorf("%s: the prompt lacks the tool's result: %q", name, s.Prompt)
				}
			}
		}
		if !slices.Equal(got, test.stages) {
			t.Errorf("%s: stages %q, want %q", name, got, test.stages)
		}
	}
}

// TestPrintedObjectsAreUnknown imports no answer where only a printed object was recorded, and
// keeps answers that merely look like code.
func TestPrintedObjectsAreUnknown(t *testing.T) {
	t.Parallel()
	for output, want := range map[string]string{
		"AgentRunResult(output='24 days')":                           "",
		"<agno.agent.RunOutput object at 0x7f3a11>":                  "",
		"content='24 days' additional_kwargs={}":                     "",
		"[Document(id=1, content='x'), Document(id=2, content='y')]": "",
		"[object Object]": "",
		`["<TextNode(id_=4291f9cf)>", "<TextNode(id_=62117)>"]`: "",
		`["a < b", "b & c"]`: `["a < b","b & c"]`,
		"StopEvent(result=AgentOutput(response=ChatMessage(role='assistant'), struct...": "",
		"[Document(id=1, content='x'), Document(id=2, cont...":                           "",
		"Venn (east=3) and Dorn...":                                                      "Venn (east=3) and Dorn...",
		"Call leave(days=24).":                                                           "Call leave(days=24).",
		"f(x)=1 for all x":                                                               "f(x)=1 for all x",
		"Venn (east=3) and Dorn (east=5)":                                                "Venn (east=3) and Dorn (east=5)",
	} {
		found, _ := spans.Exchanges([]spans.Span{
			span("a", "", "CHAIN", 0, map[string]any{"input.value": "q", "output.value": output}),
			span("b", "a", "RETRIEVER", 0, documents("retrieval.documents", "one")),
		})
		if len(found) != 1 || found[0].Response.Answer != want || found[0].Response.NoAnswer != (want == "") {
			t.Errorf("%s: %v", output, describe(found))
		}
	}
}

// TestIndexingIsNoQuestion makes no case of a trace in which documents were split.
func TestIndexingIsNoQuestion(t *testing.T) {
	t.Parallel()
	found, unread := spans.Exchanges([]spans.Span{
		span("a", "", "CHAIN", 0, map[string]any{"input.value": `{"nodes": ["<Document(id_=c0f9)>"]}`, "output.value": `["<TextNode(id_=4291)>", "<TextNode(id_=6211)>"]`}),
		span("b", "a", "CHAIN", 0, map[string]any{"input.value": `{"text": "A whole document."}`, "output.value": `["A whole", "document."]`}),
	})
	if len(found) != 0 || unread != 1 {
		t.Errorf("%v, %d unread", describe(found), unread)
	}
}

// The workflow of an agent has neither its question nor its answer as text: the question is what the model was asked, not
// what the agent asked a tool, nor a text within the state, and the answer what was taken from the reply.
func TestWorkflowOfAgent(t *testing.T) {
	t.Parallel()
	found, _ := spans.Exchanges([]spans.Span{
		span("1", "", "CHAIN", 0, map[string]any{
			"input.value":  `{"init_state": {"is_running": false, "config": {"timeout": null}, "adapter": {"run_id": "lrkDRJ6c6d"}}}`,
			"output.value": "StopEvent(result=AgentOutput(response=ChatMessage(role='assistant'), struct...",
		}),
		span("2", "1", "LLM", 1, map[string]any{
			"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "When?",
			"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "Action: docs",
		}),
		span("3", "1", "TOOL", 2, map[string]any{"tool.name": "docs", "input.value": `{"kwargs": {"input": "opening hours"}}`}),
		span("4", "3", "CHAIN", 3, map[string]any{"input.value": "opening hours", "output.value": "It opens at 9."}),
		span("5", "4", "RETRIEVER", 4, with(documents("retrieval.documents", "It opens at 9."), "input.value", "opening hours")),
		span("6", "1", "LLM", 5, map[string]any{
			"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "When? It opens at 9.",
			"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "Thought: I know.\nAnswer: At 9.",
		}),
		span("7", "1", "CHAIN", 6, map[string]any{"output.value": `{"thought": "I know.", "response": "At 9."}`}),
	})
	if len(found) != 1 || found[0].Case.Question != "When?" || found[0].Response.Answer != "At 9." {
		t.Errorf("%s", describe(found))
	}
}

// An answer that is a number is an answer. A count within an output is none.
func TestNumbersAreAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		output any
		want   string
	}{{int64(42), "42"}, {4.5, "4.5"}, {true, "true"}, {`{"answer": 42}`, "42"}, {`{"count": 42}`, ""}} {
		found, _ := spans.Exchanges([]spans.Span{
			span("a", "", "CHAIN", 0, map[string]any{"input.value": "q", "output.value": c.output}),
			span("b", "a", "RETRIEVER", 0, documents("retrieval.documents", "one")),
		})
		if len(found) != 1 || found[0].Response.Answer != c.want || found[0].Response.NoAnswer != (c.want == "") {
			t.Errorf("%v: %v: want %q", c.output, describe(found), c.want)
		}
	}
}

// What a model wrote before it called a tool is no answer of a pipeline whose last call wrote nothing, or failed.
func TestTextBeforeToolIsNoAnswer(t *testing.T) {
	t.Parallel()
	asked := func() []map[string]any { return []map[string]any{{"role": "user", "content": "Q"}} }
	look := `[{"role": "assistant", "content": "Let me look."}]`
	call := func(at int, convention, said string) spans.Span {
		s := span(fmt.Sprint("m", at), "r", "", at, nil)
		prompt, _ := json.Marshal(asked())
		switch convention {
		case "OpenInference":
			s.Attributes = map[string]any{"openinference.span.kind": "LLM", "llm.input_messages": string(prompt)}
			if said != "" {
				s.Attributes["llm.output_messages"] = look
			}
		case "AI SDK":
			s.Attributes = map[string]any{"ai.operationId": "ai.streamText.doStream", "ai.prompt.messages": string(prompt), "ai.response.text": said}
		case "GenAI":
			s.Attributes = map[string]any{"gen_ai.operation.name": "chat", "gen_ai.input.messages": string(prompt)}
			if said != "" {
				s.Attributes["gen_ai.output.messages"] = look
			}
		case "Langfuse":
			s.Attributes = map[string]any{"langfuse.observation.type": "generation", "langfuse.observation.input": string(prompt),
				"langfuse.observation.output": fmt.Sprintf(`{"role": "assistant", "content": %q}`, said)}
		}
		return s
	}
	for _, convention := range []string{"OpenInference", "AI SDK", "GenAI", "Langfuse"} {
		for _, fails := range []bool{false, true} {
			root := span("r", "", "CHAIN", 0, map[string]any{"input.value": "Q"})
			if fails {
				root.Attributes["output.value"] = "Let me look." // as a stream has it
			} else if convention == "GenAI" {
				root.Attributes["output.value"] = `{"messages": [{"type": "ai", "content": "Let me look."}, {"type": "tool", "content": "x"}, {"type": "ai", "content": ""}]}`
			}
			tool := span("s", "r", "TOOL", 2, map[string]any{"tool.name": "search", "output.value": `[{"id": "d", "text": "T"}]`})
			last := call(3, convention, "")
			if last.Failed = fails; fails {
				last.Failure = "overloaded"
			}
			found, _ := spans.Exchanges([]spans.Span{root, call(1, convention, "Let me look."), tool, last})
			if len(found) != 1 {
				t.Fatalf("%s: %d exchanges", convention, len(found))
			}
			e := found[0]
			if fails != (e.Failure == "overloaded") || !fails && (e.Failure != "" || e.Response.Answer != "" || e.Response.NoAnswer) {
				t.Errorf("%s: answer %q, failure %q", convention, e.Response.Answer, e.Failure)
			}
			if all := e.Response.Trace.Stages; all[len(all)-1].Name != assay.StageGenerate {
				t.Errorf("%s: the last stage is %q", convention, all[len(all)-1].Name)
			}
		}
	}
}
