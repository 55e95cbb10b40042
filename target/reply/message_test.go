package reply_test

import (
	"encoding/json"
	"testing"

	"github.com/assay-eval/assay/target/reply"
)

// What tools returned is part of the prompt, in the form of every library.
func TestToolResultsOfMessages(t *testing.T) {
	t.Parallel()
	const documents = `[{"id": "a.md", "title": "Leave", "content": "24 days", "score": 0.5}]`
	const all = "24 days\na.md\n0.5\nLeave"
	for in, want := range map[string]string{
		`{"role": "user", "content": [{"type": "tool_result", "content": "24 days"}]}`:                                                                                             "24 days",
		`{"role": "user", "content": [{"type": "tool_result", "content": [{"type": "text", "text": "24 days"}, {"type": "image", "source": {"data": "AAAA"}}]}]}`:                  "24 days",
		`{"role": "user", "parts": [{"type": "tool_call_response", "response": ` + documents + `}]}`:                                                                               all,
		`{"role": "user", "parts": [{"type": "tool_call_response", "response": {"results": ` + documents + `}}]}`:                                                                  all,
		`{"role": "tool", "content": [{"type": "tool-result", "toolName": "s", "result": ` + documents + `}]}`:                                                                     all, // AI SDK 4
		`{"role": "tool", "content": [{"type": "tool-result", "output": {"type": "json", "value": ` + documents + `}}]}`:                                                           all, // AI SDK 5
		`{"role": "tool", "content": [{"type": "tool-result", "output": {"type": "text", "value": "24 days"}}]}`:                                                                   "24 days",
		`{"role": "tool", "content": [{"type": "tool-result", "output": {"type": "content", "value": [{"type": "text", "text": "24 days"}, {"type": "media", "data": "AAAA"}]}}]}`: "24 days",
		`{"role": "user", "content": [{"toolResult": {"toolUseId": "t", "content": [{"json": {"days": 24}}]}}]}`:                                                                   "24",      // Bedrock
		`{"role": "user", "parts": [{"functionResponse": {"name": "s", "response": {"result": "24 days"}}}]}`:                                                                      "24 days", // Gemini
		`{"type": "function_call_output", "call_id": "c", "output": "[\"24 days\"]"}`:                                                                                              "24 days", // OpenAI's responses
		`{"role": "assistant", "content": [{"type": "tool_result", "content": "24 days"}]}`:                                                                                        "",
		`{"role": "user", "content": [{"type": "tool-call", "toolName": "s", "input": {"query": "leave"}}]}`:                                                                       "",
		`{"role": "tool", "content": "24 days"}`: "",
	} {
		var v any
		if err := json.Unmarshal([]byte(in), &v); err != nil {
			t.Fatal(in, err)
		}
		if got := reply.Messages([]any{v}); len(got) != 1 || got[0].Result != want {
			t.Errorf("%s:\ngot %q, want the result %q", in, got, want)
		}
	}
}

// Parts of one text are joined as the software of the servers joins them; lists of answers and blocks stay apart.
func TestPartsOfOneText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`[{"text": "The capital is "}, {"citationsContent": {"content": [{"text": "Canberra"}], "citations": []}}, {"text": "."}]`: "The capital is Canberra.", // Bedrock
		`[{"citationsContent": {"content": [{"text": "Canberra."}]}}]`:                                                             "Canberra.",
		`[{"type": "text", "text": "It is Canberra"}, {"type": "reference", "reference_ids": [0]}, {"type": "text", "text": "."}]`: "It is Canberra.", // Mistral
		`[{"text": "Canb"}, {"text": "erra."}]`:                                                                                    "Canberra.",
		`[{"text": "堪培"}, {"text": "拉。"}]`:                                                                                         "堪培拉。",
		`[{"text": "It is Canberra."}, {"text": "Ask for more."}]`:                                                                 "It is Canberra.\nAsk for more.",
		`[{"text": "Fees"}, {"text": "Members pay nothing."}]`:                                                                     "Fees\nMembers pay nothing.",
		`["red", "blue"]`: "red\nblue",
	} {
		var v any
		if err := json.Unmarshal([]byte(in), &v); err != nil {
			t.Fatal(in, err)
		}
		if got, _ := reply.TextOf(v); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	var v any
	if err := json.Unmarshal([]byte(`[{"role": "assistant", "content": [{"text": "Canb"}, {"text": "erra."}]}]`), &v); err != nil {
		t.Fatal(err)
	}
	if got := reply.LastOf(v.([]any), "assistant"); got != "Canberra." {
		t.Errorf("the message has %q", got)
	}
}
