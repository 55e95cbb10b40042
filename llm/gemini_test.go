package llm_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/llmtest"
)

func TestGeminiConforms(t *testing.T) {
	t.Parallel()
	llmtest.Run(t, llmtest.Wire{
		Kind:    "gemini",
		Reply:   geminiReply,
		Usage:   func(u llm.Usage) llm.Usage { u.CacheWrite = 0; return u },
		Refuses: true,
		Fail:    func(message string) []byte { return geminiError(400, message, "INVALID_ARGUMENT") },
		Read: func(c llmtest.Call) llmtest.Asked {
			model := strings.TrimSuffix(strings.TrimPrefix(c.Path, "/v1beta/models/"), ":generateContent")
			texts := textsOf(at(c.Body, "systemInstruction", "parts"))
			for _, content := range c.Body["contents"].([]any) {
				texts = append(texts, textsOf(at(content, "parts"))...)
			}
			return llmtest.Asked{Model: model, Texts: texts, Schema: at(c.Body, "generationConfig", "responseJsonSchema")}
		},
		Reserved: []string{"contents", "systemInstruction", "system_instruction"},
	})
}

func geminiReply(r llm.Reply) []byte {
	parts := []object{}
	if r.Thinking != "" {
		parts = append(parts, object{"text": r.Thinking, "thought": true})
	}
	if r.Text != "" {
		parts = append(parts, object{"text": r.Text})
	}
	stop := in(map[string]string{"end": "STOP", "length": "MAX_TOKENS", "refusal": "SAFETY"}, r.Stop)
	return object{
		"candidates": []object{{"content": object{"role": "model", "parts": parts}, "finishReason": stop, "index": 0}},
		"usageMetadata": object{
			"promptTokenCount": r.Usage.Input, "cachedContentTokenCount": r.Usage.CacheRead,
			"candidatesTokenCount": r.Usage.Output - r.Usage.Reasoning, "thoughtsTokenCount": r.Usage.Reasoning,
			"totalTokenCount": r.Usage.Input + r.Usage.Output,
		},
		"modelVersion": r.Model, "responseId": "r-1",
	}.json()
}

func geminiError(code int, message, status string, details ...object) []byte {
	return object{"error": object{"code": code, "message": message, "status": status, "details": details}}.json()
}

func TestGeminiRequest(t *testing.T) {
	t.Parallel()
	s := &picky{reply: geminiReply(llm.Reply{Text: "I", Stop: "end"})}
	p := s.open(t, "gemini")
	r := hello("gemini-3.5-flash")
	r.System, r.Temperature, r.Seed, r.Schema, r.Thinking = "Be.", ptr(0.0), ptr(int64(7)), json.RawMessage(`{"type":"object"}`), 500
	r.Messages = append(r.Messages, llm.Message{Role: "assistant", Text: "{"})
	r.Extra = map[string]any{"generationConfig": map[string]any{"topK": 1}}
	complete(t, p, r)
	complete(t, p, hello("gemini-3.5-flash"))
	for i, want := range []string{
		`{"contents":[{"parts":[{"text":"hello"}],"role":"user"},{"parts":[{"text":"{"}],"role":"model"}],` +
			`"generationConfig":{"maxOutputTokens":4096,"responseJsonSchema":{"type":"object"},"responseMimeType":"application/json","seed":7,` +
			`"temperature":0,"thinkingConfig":{"includeThoughts":true,"thinkingBudget":500},"topK":1},` +
			`"systemInstruction":{"parts":[{"text":"Be."}]}}`,
		`{"contents":[{"parts":[{"text":"hello"}],"role":"user"}],"generationConfig":{"maxOutputTokens":4096}}`,
	} {
		if s.sent[i] != want {
			t.Errorf("request %d:\n%s\nwant\n%s", i, s.sent[i], want)
		}
	}
}

func TestGeminiAddress(t *testing.T) {
	t.Parallel()
	const vendor = "https://generativelanguage.googleapis.com"
	for _, c := range []struct{ base, model, url string }{
		{"", "gemini-3.5-flash", vendor + "/v1beta/models/gemini-3.5-flash:generateContent"},
		{vendor + "/v1beta/", "models/m", vendor + "/v1beta/models/m:generateContent"},
		{vendor + "/v1beta/models", "tunedModels/m", vendor + "/v1beta/tunedModels/m:generateContent"},
		{vendor, "../files/m?x", vendor + "/v1beta/models/..%2Ffiles%2Fm%3Fx:generateContent"},
	} {
		net := &trip{status: 500}
		p := open(t, "gemini", llm.Options{
			BaseURL: c.base, Getenv: env("GEMINI_API_KEY", "sk-planted-1"), HTTP: &http.Client{Transport: net},
		})
		if _, err := p.Complete(t.Context(), hello(c.model)); !llm.IsKind(err, llm.KindServer) {
			t.Fatal(err)
		}
		if got := net.last.URL.String(); got != c.url || net.last.Header.Get("x-goog-api-key") != "sk-planted-1" {
			t.Errorf("%q, model %q: calls %s with %v: want %s and the key", c.base, c.model, got, net.last.Header, c.url)
		}
	}
}

// What models refuse that lack a feature.
func TestGeminiConcedes(t *testing.T) {
	t.Parallel()
	s := &picky{status: 400, fail: func(m string) []byte { return geminiError(400, m, "INVALID_ARGUMENT") },
		reply: geminiReply(llm.Reply{Text: "I", Stop: "end"}), refuses: [][2]string{
			{"systemInstruction", "Developer instruction is not enabled for models/gemma-3-27b-it"},
			{"thinkingConfig", "Thinking is not enabled for models/gemma-3-27b-it"},
			{"responseJsonSchema", `Invalid JSON payload received. Unknown name "responseJsonSchema" at 'generation_config': Cannot find field.`},
			{"responseMimeType", "JSON mode is not enabled for models/gemma-3-27b-it"},
		}}
	p := s.open(t, "gemini")
	r := hello("gemma-3-27b-it")
	r.System, r.Thinking, r.Schema = "Be.", 500, json.RawMessage(`{"type":"object"}`)
	got := complete(t, p, r)
	want := `{"contents":[{"parts":[{"text":"Be."},{"text":"hello"}],"role":"user"}],"generationConfig":{"maxOutputTokens":4096}}`
	if last := s.sent[len(s.sent)-1]; len(s.sent) != 5 || last != want || len(got.Warnings) != 4 {
		t.Errorf("%d requests, the last %s, warnings %q: want 5, %s, and 4", len(s.sent), last, got.Warnings, want)
	}
	if again := complete(t, p, r); len(again.Warnings) != 0 || len(s.sent) != 6 {
		t.Errorf("the second time: warnings %q, %d requests: want none, and 6", again.Warnings, len(s.sent))
	}
}

func TestGeminiReply(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]llm.Reply{
		`{"candidates":[{"content":{"parts":[{"text":"a","thought":true},{"text":"b"},{"text":"c"}]},"finishReason":"STOP"}],` +
			`"usageMetadata":{"promptTokenCount":9,"cachedContentTokenCount":4,"candidatesTokenCount":2,"thoughtsTokenCount":5}}`: {
			Text: "bc", Thinking: "a", Stop: "end", Usage: llm.Usage{Input: 9, CacheRead: 4, Output: 7, Reasoning: 5}},
		`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":80,"toolUsePromptTokenCount":20}}`: {
			Text: "a", Stop: "end", Usage: llm.Usage{Input: 100}},
		// All tokens were spent on thoughts: there is no content.
		`{"candidates":[{"finishReason":"MAX_TOKENS"}],"usageMetadata":{"promptTokenCount":3,"thoughtsTokenCount":60}}`: {
			Stop: "length", Usage: llm.Usage{Input: 3, Output: 60, Reasoning: 60}},
		`{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":3}}`: {
			Stop: "refusal", Usage: llm.Usage{Input: 3}},
		`{"candidates":[{"content":{"role":"model"},"finishReason":"RECITATION"}]}`: {Stop: "refusal"},
		`{"candidates":[{"content":{},"finishReason":"OTHER"}]}`:                    {Stop: "broken"},
	} {
		s := &picky{reply: []byte(body)}
		got := complete(t, s.open(t, "gemini"), hello("m"))
		if got.Text != want.Text || got.Thinking != want.Thinking || got.Stop != want.Stop || got.Usage != want.Usage {
			t.Errorf("%s\ngives %+v\nwant  %+v", body, got, want)
		}
	}
}

func TestGeminiErrors(t *testing.T) {
	t.Parallel()
	retry := object{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "37.5s"}
	day := object{"@type": "type.googleapis.com/google.rpc.QuotaFailure",
		"violations": []object{{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier", "quotaValue": "20"}}}
	for _, c := range []struct {
		status int
		body   []byte
		kind   llm.Kind
		after  time.Duration
	}{
		{400, geminiError(400, "API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT"), llm.KindAuth, 0},
		{400, geminiError(400, "User location is not supported for the API use.", "FAILED_PRECONDITION"), llm.KindAuth, 0},
		{400, geminiError(400, "The input token count (2845475) exceeds the maximum number of tokens allowed (1048576).", "INVALID_ARGUMENT"),
			llm.KindTooLong, 0},
		{400, geminiError(400, "Request contains an invalid argument.", "INVALID_ARGUMENT"), llm.KindRequest, 0},
		{403, geminiError(403, "Method doesn't allow unregistered callers.", "PERMISSION_DENIED"), llm.KindAuth, 0},
		{404, geminiError(404, "models/x is not found for API version v1beta.", "NOT_FOUND"), llm.KindModel, 0},
		{429, geminiError(429, "You exceeded your current quota.", "RESOURCE_EXHAUSTED", retry), llm.KindRate, 37500 * time.Millisecond},
		{429, geminiError(429, "You exceeded your current quota.", "RESOURCE_EXHAUSTED", day, retry), llm.KindRate, 24 * time.Hour},
		{503, geminiError(503, "The model is overloaded. Please try again later.", "UNAVAILABLE"), llm.KindServer, 0},
		{504, geminiError(504, "Deadline expired before operation could complete.", "DEADLINE_EXCEEDED"), llm.KindTimeout, 0},
	} {
		net := &trip{status: c.status, body: string(c.body)}
		p := open(t, "gemini", llm.Options{Getenv: env("GEMINI_API_KEY", "sk-planted-1"), HTTP: &http.Client{Transport: net}})
		_, err := p.Complete(t.Context(), hello("m"))
		var e *llm.Error
		if !errors.As(err, &e) || e.Kind != c.kind || e.After != c.after {
			t.Errorf("%s\ngives %#v\nwant kind %q after %v", c.body, e, c.kind, c.after)
		}
	}
}
