package llm_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/assay-eval/assay/llm"
)

// Ledgers hold replies that users have paid for. The key of a request to each
// kind of provider, and the body that is sent for it, must not change; a change
// of a key needs another keyVersion.
func TestRequestsStay(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]struct{ key, body string }{
		"anthropic": {
			key: "1b6ccaa07fd2708181ef1feae498caa244a40428283a973cdc0a15dbea3c4904",
			body: `{"max_tokens":8000,"messages":[{"content":[{"text":"a 甲","type":"text"}],"role":"user"},` +
				`{"content":[{"text":"{","type":"text"}],"role":"assistant"},{"content":[{"text":"again","type":"text"}],` +
				`"role":"user"}],"model":"m","output_config":{"format":{"schema":{"type":"object","required":["z"]},` +
				`"type":"json_schema"}},"system":[{"cache_control":{"type":"ephemeral"},"text":"Be careful.","type":"text"}],` +
				`"thinking":{"budget_tokens":2000,"type":"enabled"},"top_p":0.9}`,
		},
		"openai": {
			key: "7269d2afe74de3e145a7c50ba2e08da1fd230c69a099eb431af36c9c2d30e681",
			body: `{"max_completion_tokens":8000,"messages":[{"content":"Be careful.","role":"system"},{"content":"a 甲",` +
				`"role":"user"},{"content":"{","role":"assistant"},{"content":"again","role":"user"}],"model":"m",` +
				`"reasoning_effort":"low","response_format":{"json_schema":{"name":"reply","schema":{"type":"object",` +
				`"required":["z"]},"strict":true},"type":"json_schema"},"seed":7,"stream":false,"temperature":0.5,"top_p":0.9}`,
		},
		"ollama": {
			key: "670127b4be67e5f3fc4d7fddfb9625906e465a5b230cdf1d644c9ba169f48c99",
			body: `{"format":{"type":"object","required":["z"]},"messages":[{"content":"Be careful.","role":"system"},` +
				`{"content":"a 甲","role":"user"},{"content":"{","role":"assistant"},{"content":"again","role":"user"}],` +
				`"model":"m","options":{"num_ctx":8192,"num_predict":8000,"seed":7,"temperature":0.5},"shift":false,` +
				`"stream":false,"think":true,"top_p":0.9,"truncate":false}`,
		},
	} {
		s := &picky{reply: []byte(`{"content":[],"choices":[{}],"message":{}}`)}
		getenv := func(string) string { return "sk-planted-1" }
		if kind == "ollama" {
			getenv = nil
		}
		p := open(t, kind, llm.Options{Getenv: getenv, HTTP: &http.Client{Transport: s}})
		r := llm.Request{
			Operation: "support", Model: "m", System: "Be careful.",
			MaxTokens: 8000, Temperature: ptr(0.5), Seed: ptr(int64(7)), Draw: 2, Thinking: 2000,
			Messages: []llm.Message{{Role: "user", Text: "a 甲"}, {Role: "assistant", Text: "{"}, {Role: "user", Text: "again"}},
			Schema:   json.RawMessage(`{"type":"object","required":["z"]}`), Extra: map[string]any{"top_p": 0.9},
		}
		complete(t, p, r)
		if got := key(t, p.Name(), r); got != want.key {
			t.Errorf("%s: key %s: want %s", kind, got, want.key)
		}
		if s.sent[0] != want.body {
			t.Errorf("%s: sent\n%s\nwant\n%s", kind, s.sent[0], want.body)
		}
	}
}
