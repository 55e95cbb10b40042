package target_test

import (
	"encoding/json"
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
			"/v1/chat/completions", `{"messages":[{"content":"Is \"A&B\" <ok>?","role":"user"}],"model":"m"}`, -1},
		{"no path at all", target.OpenAIConfig{HTTP: target.HTTPConfig{Endpoint: ""}, Model: "m"},
			"/v1/chat/completions", `{"messages":[{"content":"Is \"A&B\" <ok>?","role":"user"}],"model":"m"}`, -1},
		{"the whole address", target.OpenAIConfig{HTTP: target.HTTPConfig{Endpoint: "/d/x/chat/completions?api-version=1"}, Model: "m"},
			"/d/x/chat/completions?api-version=1", `{"messages":[{"content":"Is \"A&B\" <ok>?","role":"user"}],"model":"m"}`, -1},
		{"system, further fields and passages", target.OpenAIConfig{
			HTTP: target.HTTPConfig{Endpoint: "/api?v=1", TopK: 3, Send: map[any]any{"temperature": 0, "extra": map[string]any{"k": "{{top_k}}"}},
				Read: httpMapping(t, map[string]string{"passages": "kb.hits", "text": "body", "source": "file"})},
			Model: "{{m}}", System: "Say {{it}}.",
		}, "/api/chat/completions?v=1", `{"extra":{"k":3},"messages":[{"content":"Say {{it}}.","role":"system"},{"content":"Is \"A&B\" ` +
			`<ok>?","role":"user"}],"model":"{{m}}","temperature":0}`, 1},
		{"messages of the user's own", target.OpenAIConfig{HTTP: target.HTTPConfig{Endpoint: "/v1", Send: map[string]any{"model": "n",
			"messages": []any{map[string]any{"role": "user", "content": "Q: {{question}}"}}}}, System: "unused"},
			"/v1/chat/completions", `{"messages":[{"content":"Q: Is \"A&B\" <ok>?","role":"user"}],"model":"n"}`, -1},
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
		{target.OpenAIConfig{Model: "m"}, "endpoint: is empty: want the base address"},
		{target.OpenAIConfig{Model: "m", HTTP: target.HTTPConfig{Endpoint: "h:1"}}, "has no scheme"},
		{target.OpenAIConfig{Model: "m", HTTP: target.HTTPConfig{Endpoint: "http://h", Send: []any{1}}}, "want an object of further fields"},
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
