package target_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/reply"
)

// The same reply reads alike as an object of Python, a line of a program and a body of HTTP.
func TestRepliesReadAlike(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Question string }
		raw, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(raw, &in); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, in.Question)
	}))
	t.Cleanup(server.Close)
	overHTTP := httpTarget(t, target.HTTPConfig{Endpoint: server.URL})
	inPython := python(t, requiretest.Command(t, "python3"), "shim/app.py:from_json", nil)
	program := helper(t, "", func(c *target.ExecConfig) { c.Read = reply.Mapping{} })
	inNode := helper(t, "", func(c *target.ExecConfig) {
		c.Read, c.Command = reply.Mapping{}, []string{requiretest.Command(t, "node"), "testdata/node.cjs", requiretest.Env(t, "ASSAY_CLIENTS")}
	})
	echo := mcp.NewServer(&mcp.Implementation{Name: "echo", Version: "1"}, nil)
	echo.AddTool(&mcp.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}`)},
		func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var in struct{ Q string }
			err := json.Unmarshal(r.Params.Arguments, &in)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: in.Q}}}, err
		})
	overMCP := mcpEndpoint(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return echo }, nil), target.MCPConfig{})
	for _, in := range []string{
		`{"answer": "A", "contexts": ["one", "two"]}`,
		`{"answer": "A", "contexts": []}`,
		`{"answer": "A"}`,
		`{"answer": 5, "contexts": ["one"]}`,
		`{"response": "A", "source_documents": [{"page_content": "one", "metadata": {"source": "a.md", "document_id": "d"}}]}`,
		`{"result": "A", "documents": [{"id": "p", "content": "one", "score": 0.5}]}`,
		`{"output": "A", "passages": [{"text": "one", "document": "d"}]}`,
		`{"output": "A", "passages": [{"text": "one", "document": "HR Handbook.docx"}, {"text": "two", "document": "leave.md"}]}`,
		`{"answer": "A", "contexts": [{"text": "one", "document": "HR Handbook.docx"}, {"text": "two", "document": "Price list"}]}`,
		`{"answer": "A", "documents": [{"content": "one", "metadata": {"document": "HR Handbook.docx"}}]}`,
		`{"answer": "A", "contexts": [{"document": "A room has two beds.", "score": 0.5}, {"document": "Chrome", "score": 0.25}]}`,
		`{"answer": "A", "documents": [{"document": "第一年有二十四日有薪年假", "score": 0.5}, {"document": "請用 Chrome 瀏覽。", "score": 0.25}]}`,
		`{"answer": "A", "documents": [{"id": "7", "document": "入社一年目の社員", "metadata": {"source": "a.md"}}]}`,
		`{"answer": "A", "documents": [{"document": "HR Handbook.docx", "score": 0.5}, {"document": "d7"}]}`,
		`{"answer": "A", "documents": [{"doc_id": "HR Handbook", "score": 0.5}]}`,
		`{"answer": "A", "usage": {"prompt_tokens": 3, "completion_tokens": 4}}`,
		`{"answer": "A", "sources": ["fr.md", "b/de.md"]}`,
		`{"answer": "A", "contexts": ["fr.md"]}`,
		`{"answer": "A", "contexts": ["fr.md"], "ok": true}`,
		`{"answer": "A", "contexts": ["https://a.example/fr", "Annual report.pdf"]}`,
		`{"answer": "A", "contexts": ["fr.md", "It opens at 9."]}`,
		`{"answer": "A", "contexts": [{"text": "Shoes are lent in hall.md"}]}`,
		`{"answer": "A", "contexts": [{"page_content": "notes/leave.md"}]}`,
		`{"answer": "A", "contexts": ["Shoes are lent in the hall. Source: sports.pdf"]}`,
		`{"answer": "A", "contexts": ["停車場收費為每車10元/小時"]}`,
		`{"answer": "A", "contexts": "[\"one\", \"two\"]"}`,
		`{"answer": "A", "contexts": {"0": "one", "1": "two"}}`,
		`{"answer": "A", "contexts": [{"text": "b", "rank": 2}, {"text": "a", "rank": 1}]}`,
		`{"generated_answer": "A", "chunks": [{"text": "one"}]}`,
		`{"question": "q", "generation": "A", "documents": [{"id": "1", "text": "one"}]}`,
		`{"reply": "A", "hits": [{"text": "one"}]}`,
		`{"choices": [{"message": {"role": "assistant", "content": "A"}}], "contexts": ["one"]}`,
		`{"choices": [{"index": 1, "message": {"content": "B"}}, {"index": 0, "message": {"content": "A"}}]}`,
		`{"model_instance_id": "m", "output": [{"type": "reasoning", "content": "R"}, {"type": "message", "content": "A"}], "stats": {}}`,
		`{"results": [{"text": "A", "finish_reason": "stop"}]}`,
		`{"object": "list", "data": [{"object": "thread.message", "role": "assistant", "content": [{"type": "text", "text": {"value": "A"}}]}]}`,
		`{"responses": [{"type": "text", "text": "A"}], "state": {}}`,
		`{"queryResult": {"fulfillmentText": "A"}}`,
		`{"output": {"generic": [{"response_type": "text", "text": "A"}]}}`,
		`{"activities": [{"from": {"id": "b"}, "text": "A", "replyToId": "1"}]}`,
		`{"messages": [{"content": "A", "contentType": "PlainText"}, {"content": "B", "contentType": "PlainText"}]}`,
		`{"choices": [{"message": {"content": "{\"answer\": \"A\", \"sources\": [\"fr.md\"]}"}}]}`,
		`{"answer": "{\"answer\": \"A\", \"sources\": [\"fr.md\"]}", "ok": true}`,
		`{"messages": [{"role": "assistant", "content": "", "tool_calls": [{"id": "1"}]}], "structured_response": {"answer": "A", "sources": ["fr.md"]}}`,
		`{"data": {"answer": "A", "contexts": ["one"]}}`,
		`{"result": {"answer": "A", "contexts": ["one"]}}`,
		`{"answer": "A", "ok": false}`,
		`{"answer": "", "error_msg": "overloaded", "contexts": []}`,
		`{"answer": "", "contexts": [], "errors": [{"message": "overloaded"}]}`,
		`{"answer": "", "errorCode": "E1"}`,
		`{"answer": "A", "contexts": ["one"], "exception": "overloaded"}`,
		`{"answer": "A", "contexts": ["one"], "code": 7, "msg": "overloaded"}`,
		`{"answer": "A", "error": "none", "errors": [], "error_code": 0, "error_msg": "", "contexts": ["one"]}`,
		`{"choices": [{"message": {"content": "A"}, "finish_reason": null, "error": {"code": 502, "message": "overloaded"}}]}`,
		`{"choices": [{"message": {"content": "A"}, "finish_reason": "stop"}], "error": {"code": 502, "message": "overloaded"}}`,
		`{"answer": "A", "success": false, "contexts": ["one"]}`,
		`{"answer": "A", "status": "error"}`,
		`{"answer": "A", "status": "Failed"}`,
		`{"answer": "A", "status": 503}`,
		`{"answer": "A", "statusCode": "404"}`,
		`{"answer": "A", "status_code": 429, "contexts": ["one"]}`,
		`{"data": {"answer": "A", "status": 500}}`,
		`{"statusCode": 502, "body": "down"}`,
		`{"answer": "A", "status": 201}`,
		`{"answer": "A", "status": 450.5}`,
		`{"answer": "A", "error": true}`,
		`{"answer": "A", "error": {"message": "down"}}`,
		`{"answer": "A", "error": 500}`,
		`{"answer": "A", "error": 0.5}`,
		`{"answer": "A", "ok": true, "success": true, "status": "ok", "error": null}`,
		`{"success": false, "message": "down"}`,
		`{"data": {"answer": "A", "success": false}}`,
		`{"choices": [{"message": {"role": "assistant", "content": "Let me look.", "tool_calls": [{"id": "1"}]}, "finish_reason": "tool_calls"}]}`,
		`{"answer": "Let me look.", "finish_reason": "tool_calls"}`,
		`{"text": "Let me look.", "finishReason": "tool-calls"}`,
		`{"messages": [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "Let me look.", "tool_calls": [{"id": "1"}]}]}`,
		`{"messages": [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "Let me look."}, {"role": "tool", "content": "found"}]}`,
		`{"messages": [{"role": "assistant", "content": "", "tool_calls": [{"id": "1"}]}, {"role": "tool", "content": "found"}, {"role": "assistant", "content": "A"}]}`,
		`{"role": "assistant", "content": "Let me look.", "tool_calls": [{"id": "1"}]}`,
		`{"message": {"role": "assistant", "content": "Let me look.", "tool_calls": [{"function": {}}]}, "done": true, "done_reason": "stop"}`,
		`{"role": "assistant", "content": [{"type": "text", "text": "Let me look."}, {"type": "tool_use", "id": "1"}], "stop_reason": "tool_use"}`,
		`{"output": [{"type": "message", "content": [{"type": "output_text", "text": "Let me look."}]}, {"type": "function_call", "call_id": "1"}]}`,
		`{"candidates": [{"content": {"parts": [{"text": "Let me look."}, {"functionCall": {"name": "f"}}]}, "finishReason": "STOP"}]}`,
		`{"choices": [{"message": {"role": "assistant", "content": "Let me look.", "tool_calls": [{"id": "1"}]}, "finish_reason": "stop"}]}`,
		`{"role": "assistant", "content": "Let me look.", "invalid_tool_calls": [{"id": "1"}]}`,
		`{"answer": "Let me look. <tool_call>\n{\"name\": \"f\"}\n</tool_call>"}`,
		`{"role": "assistant", "content": "A", "tool_calls": [], "response_metadata": {"stopReason": "max_tokens"}}`,
		`{"answer": "A", "contexts": ["one"], "tool_calls": [{"name": "search", "args": {"q": "Q"}, "result": "one"}]}`,
		`{"response": "A", "tool_calls": ["search"]}`,
		`{"output": "A", "invalid_tool_calls": 2}`,
		`{"answer": "A", "finish_reason": "OTHER"}`,
		`{"answer": "A", "finish_reason": "length"}`,
		`{"answer": "", "finish_reason": "content_filter"}`,
		`{"answer": "A", "usage": {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 17}}`,
		`{"code": 102, "message": "no chat", "data": {"answer": ""}}`,
		`{"code": 0, "data": {"answer": "A", "reference": {"chunks": []}}}`,
		`{"answer": "A", "citations": ["fr.md"]}`,
		`{"message": {"role": "assistant", "content": [{"type": "text", "text": "A"}]}, "usage": {}}`,
		`{"generated_text": "A", "usage": {"prompt_tokens": 3}}`,
		`{"data": {"answer": "A"}, "usage": {"prompt_tokens": 3}}`,
		`{"answer": "A", "documents": [{"_id": "7", "_score": 1.5, "_source": {"source": "a.md", "text": "one"}}]}`,
		`{"answer": "A", "hits": {"hits": [{"_id": "7", "_source": {"source": "a.md", "text": "one"}}]}}`,
		`{"answer": "A", "documents": [{"id": 7, "entity": {"source": "a.md", "text": "one"}}, {"id": 8, "fields": {"source": "b.md", "text": "two"}}]}`,
		`{"answer": "A", "results": [{"document_name": "a.md", "chunk_text": "one"}]}`,
		`{"answer": "A", "references": [{"pageContent": "one", "meta": {"file_name": "a.md"}}]}`,
		`{"answer": "A", "matches": [{"id": "7", "metadata": {"text": "one"}}]}`,
		`{"output": [{"text": "one", "source": "a.md"}]}`,
		`{"answer": "A", "metadata": {"retriever_resources": [{"document_name": "a.md", "content": "one"}]}}`,
		`{"answer": "A", "citations": [2]}`,
		`{"answer": "A", "citations": []}`,
		`{"text": "A", "sources": [], "toolResults": []}`,
		`{"text": "A", "sources": [], "toolResults": [], "contexts": ["fr.md"]}`,
		`{"answer": "A", "citations": ["de.md"], "search_results": [{"url": "fr.md"}]}`,
		`{"answer": "A", "citations": ["de.md"], "chunks": [{"id": "1", "source": "fr.md"}]}`,
		`{"answer": {"text": "A"}, "citations": ["de.md"], "results": [{"source": "fr.md"}]}`,
		`{"answer": "A", "citations": ["de.md"], "stages": [{"name": "retrieve", "output": [{"source": "fr.md"}]}]}`,
		`{"choices": [{"message": {"content": "A"}}], "citations": ["de.md"], "stages": [{"name": "retrieve", "output": [{"source": "fr.md"}]}]}`,
	} {
		want := plainly(t, overHTTP, in)
		recorded, err := target.ReadResponses(strings.NewReader(`{"id": "c", `+in[1:]), "r.jsonl")
		if err != nil {
			t.Error(err)
			continue
		}
		for name, got := range map[string]plain{
			"python": plainly(t, inPython, in), "program": plainly(t, program, "raw:"+in), "MCP": plainly(t, overMCP, in),
			"node":     plainly(t, inNode, in),
			"recorded": plainly(t, recorded, in),
		} {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s: HTTP (-), here (+)\n%s", in, name, diff)
			}
		}
		if strings.Contains(in, `"citations"`) && len(want.Response.Passages) > 0 && want.Response.Passages[0].Source != "fr.md" {
			t.Errorf("%s: passages %+v: want what was retrieved", in, want.Response.Passages)
		}
		if failed := regexp.MustCompile(`false|"error": [t{5]|"status": ("[eF]|50)|"404"|429|502|Let me look|"code": 1|"answer": "",.*(overloaded|E1)`).MatchString(in); failed != want.Failed {
			t.Errorf("%s: failed: %t", in, want.Failed)
		}
	}
	const rasa = `[{"recipient_id": "u", "text": "A"}, {"recipient_id": "u", "text": "B"}]`
	for name, e := range map[string]assay.Target{"HTTP": overHTTP, "python": inPython, "MCP": overMCP, "node": inNode} {
		if got := plainly(t, e, rasa); got.Response.Answer != "A\nB" || got.Response.Passages != nil {
			t.Errorf("%s: %s: %+v", rasa, name, got)
		}
	}
	for status, again := range map[string]bool{"503": true, "429": true, "404": false, "501": false} {
		code := `{"choices": [{"message": {"content": "A"}, "error": {"code": ` + status + `, "message": "of status ` + status + `"}}]}`
		for name, e := range map[string]assay.Target{"HTTP": overHTTP, "MCP": overMCP, "node": inNode} {
			if fails := execFails(t, e, code, target.Failed, "of status"); fails.Again != again {
				t.Errorf("%s: %s: retried: %t", name, code, fails.Again)
			}
		}
		in := `{"answer": "A", "status": ` + status + `}`
		for name, fails := range map[string]*target.Error{
			"HTTP": execFails(t, overHTTP, in, target.Failed, status), "python": execFails(t, inPython, in, target.Failed, status),
			"program": execFails(t, program, "raw:"+in, target.Failed, status), "MCP": execFails(t, overMCP, in, target.Failed, status),
			"node": execFails(t, inNode, in, target.Failed, status),
		} {
			if fails.Again != again {
				t.Errorf("%s: %s: retried: %t", name, in, fails.Again)
			}
		}
	}
}

// A plain is what a target replied, or that it failed.
type plain struct {
	Response assay.Response
	Failed   bool
}

func plainly(t *testing.T, e assay.Target, question string) plain {
	t.Helper()
	r, err := e.Ask(t.Context(), &assay.Case{ID: "c", Question: question})
	if own := new(target.Error); err != nil && !errors.Is(err, reply.ErrNoAnswer) && (!errors.As(err, &own) || own.Kind == target.Reply) {
		t.Errorf("%s: %v", question, err)
	}
	r.Latency = 0
	return plain{r, err != nil}
}

// A message of LangChain in Node says why it ended.
func TestMessagesOfNode(t *testing.T) {
	t.Parallel()
	inNode := helper(t, "", func(c *target.ExecConfig) {
		c.Read, c.Command = reply.Mapping{}, []string{requiretest.Command(t, "node"), "testdata/node.cjs", requiretest.Env(t, "ASSAY_CLIENTS")}
	})
	const limit, filter = "the target's answer ended at its limit of tokens", "the target's model or its content filter ended the answer"
	for in, want := range map[string]string{
		`{"content": "A", "response_metadata": {"stopReason": "max_tokens"}}`:                                                       limit,
		`{"content": "A", "response_metadata": {"finish_reason": "length"}}`:                                                        limit,
		`{"content": "", "additional_kwargs": {"refusal": "No."}, "response_metadata": {"finish_reason": "stop"}}`:                  filter,
		`[{"content": "A", "response_metadata": {"finish_reason": "length"}}, {"content": ""}]`:                                     limit,
		`[{"content": "A", "additional_kwargs": {"stop_reason": "max_tokens"}}]`:                                                    limit,
		`[{"content": "A"}, {"content": "", "response_metadata": {"finish_reason": "stop"}}]`:                                       "",
		`{"content": "A", "tool_calls": [{"name": "f", "args": {}, "id": "1"}]}`:                                                    "error",
		`{"content": "", "invalid_tool_calls": [{"name": "f", "args": "{", "id": "1", "error": "x"}]}`:                              "error",
		`{"content": "A", "tool_calls": [], "response_metadata": {"finish_reason": "stop"}, "usage_metadata": {"input_tokens": 3}}`: "",
	} {
		got := plainly(t, inNode, `{"langchain": `+in+`}`)
		if got.Failed != (want == "error") || !got.Failed && !strings.Contains(strings.Join(got.Response.Warnings, " "), want) ||
			want == "" && got.Response.Warnings != nil {
			t.Errorf("%s: %+v: want %q", in, got, want)
		}
	}
}
