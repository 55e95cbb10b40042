package target_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/targettest"
)

const completion = `{"id": "c1", "object": "chat.completion", "model": "m", "choices": [{"index": 0, "message": {"role": "assistant", "content": "Paris."}, "finish_reason": "stop"}],
 "usage": {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}, "kb": {"hits": [{"body": "Paris is the capital.", "file": "fr.md"}]}}`

func openAITarget(t testing.TB, c target.OpenAIConfig) *target.HTTP {
	t.Helper()
	h, err := target.NewOpenAI(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

func TestOpenAI(t *testing.T) {
	t.Parallel()
	server, seen := httpRecorder(t, completion)
	for _, test := range []struct {
		name          string
		conf          target.OpenAIConfig
		address, body string
		passages      int // -1 when none are reported
	}{
		{"the base address", target.OpenAIConfig{HTTP: target.HTTPConfig{Endpoint: "/v1/"}, Model: "m"},
			"/v1/chat/completions", `{"messages":[{"content":"Is \"A&B\" <ok>?","role":"user"}],"model":"m","stream":false}`, -1},
		{"no path at all", target.OpenAIConfig{HTTP: target.HTTPConfig{Endpoint: ""}, Model: "m"},
			"/v1/chat/completions", `{"messages":[{"content":"Is \"A&B\" <ok>?","role":"user"}],"model":"m","stream":false}`, -1},
		{"the whole address", target.OpenAIConfig{HTTP: target.HTTPConfig{Endpoint: "/d/x/chat/completions?api-version=1"}, Model: "m"},
			"/d/x/chat/completions?api-version=1", `{"messages":[{"content":"Is \"A&B\" <ok>?","role":"user"}],"model":"m","stream":false}`, -1},
		{"system, further fields and passages", target.OpenAIConfig{
			HTTP: target.HTTPConfig{Endpoint: "/api?v=1", TopK: 3, Send: map[string]any{"temperature": 0, "extra": map[string]any{"k": "{{top_k}}"}},
				Read: httpMapping(t, map[string]string{"passages": "kb.hits", "text": "body", "source": "file"})},
			Model: "{{m}}", System: "Say {{it}}.",
		}, "/api/chat/completions?v=1", `{"extra":{"k":3},"messages":[{"content":"Say {{it}}.","role":"system"},{"content":"Is \"A&B\" ` +
			`<ok>?","role":"user"}],"model":"{{m}}","stream":false,"temperature":0}`, 1},
		{"messages of the user's own", target.OpenAIConfig{HTTP: target.HTTPConfig{Endpoint: "/v1", Send: map[string]any{"model": "n",
			"messages": []any{map[string]any{"role": "user", "content": "Q: {{question}}"}}}}, System: "unused"},
			"/v1/chat/completions", `{"messages":[{"content":"Q: Is \"A&B\" <ok>?","role":"user"}],"model":"n","stream":false}`, -1},
	} {
		conf := test.conf
		conf.HTTP.Endpoint = server.URL + conf.HTTP.Endpoint
		c := httpCase
		resp, err := openAITarget(t, conf).Ask(t.Context(), &c)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		passages := len(resp.Passages)
		if resp.Passages == nil {
			passages = -1
		}
		if resp.Answer != "Paris." || passages != test.passages || resp.Usage.InputTokens != 12 || resp.Usage.OutputTokens != 3 {
			t.Errorf("%s: %+v", test.name, resp)
		}
		if got := seen(); got.Address != test.address || got.Body != test.body || got.Method != "POST" {
			t.Errorf("%s: %s %s %s\nwant POST %s %s", test.name, got.Method, got.Address, got.Body, test.address, test.body)
		}
	}
}

func TestOpenAIConfigErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		conf target.OpenAIConfig
		want string
	}{
		{target.OpenAIConfig{HTTP: target.HTTPConfig{Endpoint: "http://h/v1"}}, "openai.model: is empty"},
		{target.OpenAIConfig{Model: "m"}, "endpoint: is empty: expected the base address"},
		{target.OpenAIConfig{Model: "m", HTTP: target.HTTPConfig{Endpoint: "h:1"}}, "has no scheme"},
		{target.OpenAIConfig{Model: "m", HTTP: target.HTTPConfig{Endpoint: "http://h", Send: []any{1}}}, "expected an object of further fields"},
		{target.OpenAIConfig{Model: "m", HTTP: target.HTTPConfig{Endpoint: "http://h", Send: map[string]any{"messages": []any{}}}},
			"no placeholder of the case"},
	} {
		if _, err := target.NewOpenAI(test.conf); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v\nwant %s", test.conf, err, test.want)
		}
	}
}

// A streamed completion gives the same response as a whole one.
func TestOpenAIStream(t *testing.T) {
	t.Parallel()
	server := httpServe(t, func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Stream bool }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || !in.Stream {
			t.Errorf("no stream was asked for: %v", err)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, piece := range []string{`{"role":"assistant","content":""}`, `{"content":"Pa"}`, `{"content":"ris."}`, `{}`} {
			fmt.Fprintf(w, "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":%s}]}\n\n", piece)
			w.(http.Flusher).Flush()
		}
		io.WriteString(w, `data: {"object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":12,"completion_tokens":3}}`+
			"\n\ndata: [DONE]\n\n")
	})
	for name, paths := range map[string]map[string]string{"by itself": nil, "with a path of the user's": {"passages": "kb.hits"}} {
		conf := target.OpenAIConfig{HTTP: target.HTTPConfig{Endpoint: server.URL, Send: map[string]any{"stream": true}}, Model: "m"}
		if paths != nil {
			conf.HTTP.Read = httpMapping(t, paths)
		}
		resp, err := openAITarget(t, conf).Ask(t.Context(), &assay.Case{ID: "1", Question: "?"})
		if err != nil || resp.Answer != "Paris." || resp.Usage.InputTokens != 12 || resp.Usage.OutputTokens != 3 {
			t.Errorf("%s: %+v, %v", name, resp, err)
		}
	}
}

func TestOpenAIConformance(t *testing.T) {
	server := httpServe(t, func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Messages []struct{ Content string }
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		switch q := in.Messages[0].Content; q {
		case "hangs":
			<-r.Context().Done()
		case "error":
			io.WriteString(w, `{"error": {"message": "no such model", "code": 404}}`)
		case "shape":
			io.WriteString(w, `{"choices": []}`)
		case "status":
			http.Error(w, `{"error": {"message": "bad"}}`, http.StatusBadRequest)
		default:
			fmt.Fprintf(w, `{"choices": [{"message": {"role": "assistant", "content": %q}}]}`, q)
		}
	})
	ask := func(q string) assay.Case { return assay.Case{ID: q, Question: q} }
	silent, hangs := ask("silent"), ask("hangs")
	targettest.Run(t, targettest.Suite{
		Target: openAITarget(t, target.OpenAIConfig{HTTP: target.HTTPConfig{Endpoint: server.URL}, Model: "m"}), Cases: []assay.Case{ask("one?"),
			ask("two?")},
		Fails: map[string]assay.Case{"status": ask("status"), "reply": ask("shape"), "error": ask("error")}, Silent: &silent, Hangs: &hangs,
	})
}

// TestStopReasons: how a reply ended is a warning. What a filter withheld is no wrong answer, and a
// reply that an error ended is asked for again.
func TestStopReasons(t *testing.T) {
	t.Parallel()
	chat := func(message, end string) string {
		return fmt.Sprintf(`{"choices":[{"message":%s,"finish_reason":%q}],"usage":{"prompt_tokens":7,"completion_tokens":2}}`, message, end)
	}
	for name, test := range map[string]struct {
		body, answer, withheld string
		// warning is part of the warning or of the error.
		warning string
		kind    target.Kind
		again   bool
	}{
		"stop":             {body: chat(`{"content":"Paris."}`, "stop"), answer: "Paris."},
		"cut":              {body: chat(`{"content":"Paris, wh"}`, "length"), answer: "Paris, wh", warning: "ended at its limit of tokens (length)"},
		"cut, LangChain":   {body: `{"content":"Par","response_metadata":{"finish_reason":"length"}}`, answer: "Par", warning: "limit of tokens"},
		"cut, vLLM":        {body: chat(`{"content":"Par"}`, "abort"), answer: "Par", warning: "cut the target's answer off (abort)"},
		"cut, DeepSeek":    {body: chat(`{"content":"Par"}`, "insufficient_system_resource"), answer: "Par", warning: "(insufficient_system_resource)"},
		"cut, AI SDK":      {body: `{"text":"Par","finishReason":"length"}`, answer: "Par", warning: "limit of tokens"},
		"cut, Gemini":      {body: `{"candidates":[{"content":{"parts":[{"text":"Par"}]},"finishReason":"MAX_TOKENS"}]}`, answer: "Par", warning: "limit of tokens"},
		"cut, Bedrock":     {body: `{"answer":"Par","finish_reason":"LENGTH"}`, answer: "Par", warning: "limit of tokens"},
		"whole":            {body: chat(`{"content":"Par"}`, "eos_token"), answer: "Par"},
		"filtered, AI SDK": {body: `{"text":"","finishReason":"content-filter"}`, withheld: "content-filter", warning: "content filter"},
		"cut, Ollama":      {body: `{"message":{"content":"Par"},"done":true,"done_reason":"length"}`, answer: "Par", warning: "limit of tokens"},
		"cut, LangChain's response": {body: `{"content":"Par","response_metadata":{"incomplete_details":{"reason":"max_output_tokens"}}}`, answer: "Par",
			warning: "limit of tokens"},
		"filtered, LangChain's last message": {body: `{"messages":[{"type":"human","content":"q"},{"type":"ai","content":"Par",` +
			`"response_metadata":{"status":"incomplete","incomplete_details":{"reason":"content_filter"}}}]}`, answer: "Par", warning: "content filter"},
		"incomplete, no reason": {body: `{"answer":"Par","status":"incomplete"}`, answer: "Par", warning: "may be cut off"},
		"cut, events of the SDK of OpenAI": {body: `{"type":"chunk","chunk":{"choices":[{"delta":{"content":"Par"}}]},"snapshot":{"choices":[{"message":{"content":"Par"}}]}}` + "\n" +
			`{"type":"content.delta","delta":"Par","snapshot":"Par"}` + "\n" +
			`{"type":"chunk","chunk":{"choices":[{"delta":{},"finish_reason":"length"}]},"snapshot":{"choices":[{"message":{"content":"Par"},"finish_reason":"length"}]}}` + "\n" +
			`{"type":"content.done","content":"Par"}` + "\n", answer: "Par", warning: "limit of tokens"},
		"no output":            {body: `{"output":[],"incomplete_details":{"reason":"max_output_tokens"}}`, warning: "the limit of tokens ended the reply before its text", kind: target.Reply},
		"no output, a filter":  {body: `{"object":"response","output":[],"incomplete_details":{"reason":"content_filter"}}`, withheld: "content_filter", warning: "content filter"},
		"a stream without any": {body: "data: {\"choices\":[]}\n\ndata: [DONE]\n\n", warning: "expected read.answer or read.passages", kind: target.Reply},
		"a page as the answer": {body: `{"answer":"<html><head><title>502 Bad Gateway</title></head></html>"}`,
			answer: "<html><head><title>502 Bad Gateway</title></head></html>", warning: `the answer is a web page, "502 Bad Gateway"`},
		"cut, response":      {body: `{"output":[{"content":[{"type":"output_text","text":"Par"}]}],"incomplete_details":{"reason":"max_output_tokens"}}`, answer: "Par", warning: "limit of tokens"},
		"filtered in part":   {body: chat(`{"content":"Paris"}`, "content_filter"), answer: "Paris", warning: "content filter ended the answer"},
		"filtered, null":     {body: chat(`{"content":null}`, "content_filter"), withheld: "content_filter", warning: "content filter ended the answer"},
		"filtered, no field": {body: chat(`{"role":"assistant"}`, "content_filter"), withheld: "content_filter", warning: "content filter"},
		"filtered, Gemini":   {body: `{"candidates":[{"finishReason":"SAFETY"}]}`, withheld: "SAFETY", warning: "content filter"},
		"blocked, Gemini":    {body: `{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}`, withheld: "PROHIBITED_CONTENT", warning: "content filter"},
		"filtered, MiniMax": {body: `{"choices":[{"message":{"content":""},"finish_reason":"stop"}],"output_sensitive":true,"base_resp":{"status_code":1027}}`,
			withheld: "output_sensitive", warning: "content filter"},
		"filtered by a code": {body: `{"choices":[{"message":{"content":""},"finish_reason":"stop"}],"base_resp":{"status_code":1027,"status_msg":"blocked"}}`,
			withheld: "1027", warning: "content filter"},
		"filtered, ERNIE": {body: `{"choices":[{"message":{"content":"Par"},"finish_reason":"stop","flag":"3","ban_round":-1}]}`, answer: "Par",
			withheld: "3", warning: "content filter"},
		"no filter, ERNIE": {body: `{"choices":[{"message":{"content":"Par"},"finish_reason":"stop","flag":2}]}`, answer: "Par"},
		"no filter, MiniMax": {body: `{"choices":[{"message":{"content":"Par"},"finish_reason":"stop"}],"output_sensitive":false,"base_resp":{"status_code":0}}`,
			answer: "Par"},
		"a failure, MiniMax": {body: `{"choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}`,
			warning: "the target reports: insufficient balance", kind: target.Failed, again: true},
		"blocked prompt, Azure": {body: `{"error":{"message":"The prompt was filtered","code":"content_filter","status":400}}`, withheld: "content_filter",
			warning: "content filter"},
		"blocked prompt, DashScope": {body: `{"code":"DataInspectionFailed","message":"Input data may contain inappropriate content."}`,
			withheld: "DataInspectionFailed", warning: "content filter"},
		"blocked prompt, OpenAI": {body: `{"error":{"message":"Invalid prompt: your prompt was flagged as potentially violating our usage policy.",` +
			`"code":"invalid_prompt"}}`, withheld: "content_filter", warning: "content filter"},
		"another bad prompt": {body: `{"error":{"message":"Missing required parameter: 'model'.","code":"invalid_prompt"}}`, warning: "Missing required",
			kind: target.Failed},
		"filtered stream": {body: "data: {\"choices\":[{\"delta\":{\"content\":\"\"},\"finish_reason\":\"content_filter\"}]}\n\ndata: [DONE]\n\n",
			withheld: "content_filter", warning: "content filter"},
		"error": {body: `{"choices":[{"message":{"content":"Par"},"finish_reason":"error","error":{"message":"Upstream lost","code":502}}]}`,
			warning: "the server ended the reply with an error: Upstream lost", kind: target.Failed, again: true},
		"tool calls": {body: chat(`{"content":null,"tool_calls":[{"id":"1"}]}`, "tool_calls"), warning: "calls a tool instead of writing text", kind: target.Reply},
		"reasoning alone": {body: chat(`{"content":null,"reasoning_content":"Paris?"}`, "stop"), warning: "reasoning and no text after it",
			kind: target.Reply},
		"reasoning and no text": {body: chat(`{"content":"","reasoning_content":"Paris?"}`, "stop"), warning: "reasoning and no text after it",
			kind: target.Reply},
		"reasoning that is cut": {body: chat(`{"content":null,"reasoning_content":"Paris?"}`, "length"), warning: "limit of tokens ended the reply before",
			kind: target.Reply},
	} {
		server, _ := httpRecorder(t, test.body)
		for _, mapped := range []bool{false, true} {
			conf := target.HTTPConfig{Endpoint: server.URL}
			if mapped && strings.Contains(test.body, "choices") {
				conf.Read = httpMapping(t, map[string]string{"passages": "kb.hits"})
			}
			resp, err := openAITarget(t, target.OpenAIConfig{HTTP: conf, Model: "m"}).Ask(t.Context(), &assay.Case{Question: "q"})
			if strings.Contains(test.body, `"usage"`) && resp.Usage != (assay.Usage{InputTokens: 7, OutputTokens: 2}) {
				t.Errorf("%s: used %+v", name, resp.Usage)
			}
			if test.kind != "" {
				var own *target.Error
				if !errors.As(err, &own) || own.Kind != test.kind || own.Again != test.again || !strings.Contains(err.Error(), test.warning) {
					t.Errorf("%s: %#v, want %q of kind %s", name, err, test.warning, test.kind)
				}
				continue
			}
			if warnings := strings.Join(resp.Warnings, "\n"); err != nil || resp.Answer != test.answer || resp.Withheld != test.withheld ||
				(warnings == "") != (test.warning == "") || !strings.Contains(warnings, test.warning) || resp.NoAnswer {
				t.Errorf("%s: %+v, %v, want the warning %q", name, resp, err, test.warning)
			}
		}
	}
}
