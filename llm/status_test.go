package llm_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/assay-eval/assay/llm"
)

// What vendors send with errors, and what it means.
func TestStatusOfVendors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status        int
		body          string
		want          llm.Kind
		message, what string
	}{
		{
			400,
			`{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`,
			llm.KindTooLong,
			"prompt is too long",
			"Anthropic",
		},
		{
			400,
			`{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`,
			llm.KindTooLong,
			"maximum context length is 8192",
			"OpenAI",
		},
		{
			400,
			`{"error":{"message":"Wrong type.","type":"invalid_request_error","param":"seed","code":null}}`,
			llm.KindRequest,
			"Wrong type. (seed)",
			"OpenAI",
		},
		{400, `{"error":"the input length exceeds the context length"}`, llm.KindTooLong, "the input length exceeds", "Ollama"},
		{500, `{"error":"the input length exceeds the context length"}`, llm.KindTooLong, "the input length exceeds", "Ollama"},
		{
			400,
			`{"error":{"message":"Model Not Exist","type":"invalid_request_error","code":"invalid_request_error"}}`,
			llm.KindModel,
			"Model Not Exist",
			"DeepSeek",
		},
		{400, `{"error":{"message":"foo/bar is not a valid model ID","code":400}}`, llm.KindModel, "not a valid model ID", "OpenRouter"},
		{
			404,
			`{"error":{"message":"The model 'x' does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"}}`,
			llm.KindModel,
			"'x' does not exist",
			"OpenAI",
		},
		{404, `{"error":"model \"x\" not found, try pulling it first"}`, llm.KindModel, "try pulling it first", "Ollama"},
		{404, `{"type":"error","error":{"type":"not_found_error","message":"model: x"}}`, llm.KindModel, "model: x", "Anthropic"},
		{
			429,
			`{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`,
			llm.KindAuth,
			"You exceeded your current quota",
			"OpenAI",
		},
		{
			429,
			`[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan.","status":"RESOURCE_EXHAUSTED"}}]`,
			llm.KindRate,
			"You exceeded",
			"Gemini",
		},
		{402, `{"error":{"message":"Insufficient Balance","type":"unknown_error"}}`, llm.KindAuth, "Insufficient Balance", "DeepSeek"},
		{
			400,
			`{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}`,
			llm.KindAuth,
			"credit balance",
			"Anthropic",
		},
		{529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, llm.KindServer, "Overloaded", "Anthropic"},
		{
			422,
			`{"detail":[{"type":"missing","loc":["body","x"],"msg":"Field required"}]}`,
			llm.KindRequest,
			`[{"loc":["body","x"],"msg":"Field required","type":"missing"}]`,
			"FastAPI",
		},
		{400, `{"object":"error","message":"bad request","code":40001}`, llm.KindRequest, "bad request", "vLLM"},
		{401, `{"error":{"message":"Incorrect API key provided"}}`, llm.KindAuth, "Incorrect API key provided; the key came from KEY", "OpenAI"},
		{503, `upstream connect error`, llm.KindServer, "upstream connect error", "a proxy"},
		{502, "<html>\r\n<head><title>502 Bad Gateway</title></head>", llm.KindServer, `a web page, "502 Bad Gateway"`, "a proxy"},
		{200, `{"error":{"message":"Provider returned error","code":502}}`, llm.KindServer, "Provider returned error", "OpenRouter"},
	} {
		net := &trip{status: c.status, body: c.body, header: http.Header{"Request-Id": {"req_011\x1b[31m"}}}
		p := open(t, "openai", llm.Options{
			BaseURL: "http://box",
			KeyEnv:  "KEY",
			Getenv:  env("KEY", "sk-planted-1"),
			HTTP:    &http.Client{Transport: net},
		})
		_, err := p.Complete(t.Context(), hello("m"))
		var e *llm.Error
		if !errors.As(err, &e) || e.Kind != c.want || !strings.Contains(e.Message, c.message) {
			t.Errorf("%s, %d %s\ngives %v\nwant kind %q and %q", c.what, c.status, c.body, err, c.want, c.message)
		}
		if strings.Contains(err.Error(), "\x1b") || c.status != 200 && !strings.HasSuffix(err.Error(), "(request req_011[31m)") {
			t.Errorf("%q: want the id of the request at the end, as plain text", err)
		}
	}
	p := open(t, "openai", llm.Options{
		BaseURL: "http://box",
		HTTP:    &http.Client{Transport: &trip{status: 401, body: strings.Repeat("é", 1000)}},
	})
	if _, err := p.Complete(t.Context(),
		hello("m")); err == nil || !strings.HasSuffix(err.Error(),
		strings.Repeat("é", 300)+"…; no key was sent; name the environment variable that holds it") {
		t.Errorf("without a key, and with a long text: %v", err)
	}
}

// The times at which limits are full again count when they are used up.
func TestStatusLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		header map[string]string
		want   time.Duration
	}{
		{
			map[string]string{
				"X-Ratelimit-Remaining-Requests": "0",
				"X-Ratelimit-Reset-Requests":     "1m30.5s",
				"X-Ratelimit-Remaining-Tokens":   "7",
				"X-Ratelimit-Reset-Tokens":       "1h",
			},
			90500 * time.Millisecond,
		},
		{map[string]string{"X-Ratelimit-Remaining-Tokens": "0", "X-Ratelimit-Reset-Tokens": "8ms"}, 8 * time.Millisecond},
		{map[string]string{"X-Ratelimit-Remaining-Tokens": "0", "X-Ratelimit-Reset-Tokens": "8"}, 0},
		{
			map[string]string{"Anthropic-Ratelimit-Input-Tokens-Remaining": "0", "Anthropic-Ratelimit-Input-Tokens-Reset": "2026-01-02T03:04:10Z"},
			5 * time.Second,
		},
		{map[string]string{"Anthropic-Ratelimit-Requests-Remaining": "1", "Anthropic-Ratelimit-Requests-Reset": "2026-01-02T03:04:10Z"}, 0},
		{map[string]string{"Retry-After": "2", "X-Ratelimit-Remaining-Tokens": "0", "X-Ratelimit-Reset-Tokens": "8s"}, 2 * time.Second},
		{map[string]string{"Retry-After": "NaN"}, 0},
	} {
		h := http.Header{"Date": {"Fri, 02 Jan 2026 03:04:05 GMT"}}
		for k, v := range c.header {
			h.Set(k, v)
		}
		p := open(t, "ollama", llm.Options{HTTP: &http.Client{Transport: &trip{status: 429, header: h}}})
		_, err := p.Complete(t.Context(), hello("m"))
		var e *llm.Error
		if !errors.As(err, &e) || e.After != c.want {
			t.Errorf("%v: %+v: want after %v", c.header, e, c.want)
		}
	}
	// Without the server's clock a date says nothing.
	p := open(t, "ollama", llm.Options{HTTP: &http.Client{Transport: &trip{
		status: 429,
		header: http.Header{"Retry-After": {"Fri, 02 Jan 2026 03:04:05 GMT"}},
	}}})
	_, err := p.Complete(t.Context(), hello("m"))
	if e := new(llm.Error); !errors.As(err, &e) || e.After != 0 {
		t.Errorf("%+v: want after 0", e)
	}
}

// Whatever a server sends becomes a reply or an error of ours, in UTF-8 and
// without the key.
func FuzzReply(f *testing.F) {
	for _, write := range []func(llm.Reply) []byte{anthropicReply, openaiReply, ollamaReply} {
		f.Add(200, write(llm.Reply{Text: "a", Thinking: "b"}), "7")
	}
	f.Add(429, []byte(`[{"error":{"message":"x","code":1,"param":[]}}]`), "Fri, 02 Jan 2026 03:04:05 GMT")
	f.Add(500, []byte("<html><title>a"), "1e400")
	f.Add(200, []byte(`{"choices":[{"message":{"content":[{"thinking":[{"thinking":{}}]}]}}]}`), "")
	f.Add(302, []byte(`sk-planted-1`), "sk-planted-1")
	f.Add(400, []byte(`{"error":"think temperature schema max_tokens seed sk-planted-1"}`), "")
	f.Fuzz(func(t *testing.T, status int, body []byte, header string) {
		if status < 100 || status > 999 {
			return // no HTTP
		}
		for _, kind := range llm.Kinds() {
			net := &trip{status: status, body: string(body), header: http.Header{"Retry-After": {header}, "Date": {header}, "Request-Id": {header}}}
			p := open(t, kind, llm.Options{
				BaseURL: "http://box",
				KeyEnv:  "KEY",
				Getenv:  env("KEY", "sk-planted-1"),
				HTTP:    &http.Client{Transport: net},
			})
			r := hello("m")
			r.Thinking, r.Schema = 2000, []byte("{}")
			reply, err := p.Complete(t.Context(), r)
			shown := reply.Text + reply.Thinking + reply.Model + reply.Stop + strings.Join(reply.Warnings, "")
			if err != nil {
				var e *llm.Error
				if !errors.As(err, &e) || e.After < 0 || e.Kind == "" || e.Message == "" {
					t.Fatalf("%s: %#v", kind, err)
				}
				shown += err.Error()
			} else if status < 200 || status > 299 {
				t.Fatalf("%s: status %d gave a reply", kind, status)
			}
			if !utf8.ValidString(shown) || strings.Contains(shown, "sk-planted-1") {
				t.Fatalf("%s: shows %q", kind, shown)
			}
			if u := reply.Usage; u.Input < 0 || u.Output < 0 || u.CacheRead < 0 || u.Reasoning < 0 {
				t.Fatalf("%s: usage %+v", kind, u)
			}
		}
	})
}

// An error within a reply of status 200 counts as its own code says: in an event of a stream, in a
// choice, or instead of the reply.
func TestStatusWithinReplies(t *testing.T) {
	t.Parallel()
	const chunk = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Par\"}}]}\n\n"
	choice := func(code string) string {
		return `{"choices":[{"index":0,"finish_reason":"error","message":{"content":"Par"},"error":{"code":` + code + `,"message":"down"}}]}`
	}
	event := func(kind string) string {
		return "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"" + kind + "\",\"message\":\"down\"}}\n\n"
	}
	for _, c := range []struct {
		kind, body string
		want       llm.Kind
		again      bool
	}{
		{"anthropic", event("overloaded_error"), llm.KindServer, true},
		{"anthropic", event("rate_limit_error"), llm.KindRate, true},
		{"anthropic", event("invalid_request_error"), llm.KindRequest, false},
		{"anthropic", `{"type":"error","error":{"type":"overloaded_error","message":"down"}}`, llm.KindServer, true},
		{"openai", chunk + `data: {"error":{"code":429,"message":"down"}}` + "\n\n", llm.KindRate, true},
		{"openai", chunk + `data: {"error":{"code":"server_error","message":"down"}}` + "\n\n", llm.KindServer, true},
		{"openai", choice("502"), llm.KindServer, true},
		{"openai", choice(`"unknown"`), llm.KindServer, true},
		{"openai", choice("400"), llm.KindRequest, false},
		{"openai", choice("401"), llm.KindAuth, false},
		{"openai", choice("403"), llm.KindRefused, false},
		{"gemini", `data: {"error":{"code":503,"status":"UNAVAILABLE","message":"down"}}` + "\n\n", llm.KindServer, true},
		{"gemini", `data: {"error":{"status":"INVALID_ARGUMENT","message":"down"}}` + "\n\n", llm.KindRequest, false},
	} {
		p := open(t, c.kind, llm.Options{BaseURL: "http://box", KeyEnv: "K", Getenv: env("K", "sk-planted-1"),
			HTTP: &http.Client{Transport: &trip{status: 200, body: c.body}}})
		_, err := p.Complete(t.Context(), hello("m"))
		var e *llm.Error
		if !errors.As(err, &e) || e.Kind != c.want || e.Temporary() != c.again || !strings.Contains(e.Message, "down") {
			t.Errorf("%s, %s: %v, want kind %s, again %v", c.kind, c.body, err, c.want, c.again)
		}
	}
}

// A stream that breaks off is no reply, whoever sent it.
func TestStreamsThatBreakOff(t *testing.T) {
	t.Parallel()
	p := open(t, "anthropic", llm.Options{BaseURL: "http://box", KeyEnv: "K", Getenv: env("K", "sk-planted-1"), HTTP: &http.Client{Transport: &trip{
		status: 200, body: `data: {"type":"message_start","message":{"type":"message","role":"assistant","content":[],"usage":{"input_tokens":5}}}` +
			"\n\n" + `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Par"}}` + "\n\n"}}})
	if got := complete(t, p, hello("m")); got.Stop != "cut" || got.Usage.Input != 5 {
		t.Errorf("%+v: want a reply that was cut off", got)
	}
}
