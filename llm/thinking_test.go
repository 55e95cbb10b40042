package llm_test

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/assay-eval/assay/llm"
)

// Each server is told in the field that it documents.
func TestThinkingFields(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, kind, base, field, model string
		on, off                        string
	}{
		{name: "OpenAI", kind: "openai", base: "https://api.openai.com/v1", on: `"reasoning_effort":"medium"`, off: `"reasoning_effort":"none"`},
		{name: "DashScope", kind: "openai", base: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
			on:  `"enable_thinking":true,"max_tokens":9000,"messages":[{"content":"hello","role":"user"}],"model":"m","stream":false,"thinking_budget":4000`,
			off: `"enable_thinking":false`},
		{name: "DeepSeek", kind: "openai", base: "https://api.deepseek.com", on: `"thinking":{"type":"enabled"}`,
			off: `"thinking":{"type":"disabled"}`},
		{name: "vLLM", kind: "openai", base: "http://127.0.0.1:8000/v1", field: "chat_template_kwargs",
			on:  `"chat_template_kwargs":{"enable_thinking":true,"thinking":true}`,
			off: `"chat_template_kwargs":{"enable_thinking":false,"thinking":false}`},
		{name: "a definition goes before the host", kind: "openai", base: "https://api.deepseek.com", field: "reasoning_effort",
			on: `"reasoning_effort":"medium"`, off: `"reasoning_effort":"none"`},
		{name: "Ollama", kind: "ollama", base: "http://box", on: `"think":true`, off: `"think":false`},
		{name: "Ollama's gpt-oss", kind: "ollama", base: "http://box", model: "gpt-oss:20b", on: `"think":"medium"`, off: `"think":"low"`},
		{name: "Anthropic", kind: "anthropic", base: "http://box", on: `"thinking":{"budget_tokens":4000,"type":"enabled"}`,
			off: `"thinking":{"type":"disabled"}`},
		{name: "Gemini", kind: "gemini", base: "http://box", on: `"thinkingConfig":{"includeThoughts":true,"thinkingBudget":4000}`,
			off: `"thinkingConfig":{"thinkingBudget":0}`},
	} {
		s := &picky{reply: []byte(`{"content":[],"choices":[{}],"message":{},"candidates":[{}]}`)}
		p := open(t, c.kind, llm.Options{BaseURL: c.base, KeyEnv: "KEY", Getenv: func(string) string { return "sk-planted-1" },
			HTTP: &http.Client{Transport: s}, Thinking: c.field})
		for _, tokens := range []int{4000, llm.NoThinking, 0} {
			r := hello("m")
			if c.model != "" {
				r.Model = c.model
			}
			r.MaxTokens, r.Thinking = 9000, tokens
			if got := complete(t, p, r); len(got.Warnings) != 0 {
				t.Errorf("%s: warnings %q", c.name, got.Warnings)
			}
			sent := s.sent[len(s.sent)-1]
			if want := map[int]string{4000: c.on, llm.NoThinking: c.off}[tokens]; !strings.Contains(sent, want) {
				t.Errorf("%s, %d tokens: sent %s: want %s", c.name, tokens, sent, want)
			}
			if tokens == 0 && (strings.Contains(sent, "think") || strings.Contains(sent, "effort")) {
				t.Errorf("%s: nothing was asked for, and sent %s", c.name, sent)
			}
		}
	}
}

// A server that cannot be told is asked without, and that is said once.
func TestThinkingThatCannotBeSent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		options llm.Options
		refuses [][2]string
		sent    string
		warning string
	}{
		{"no field", llm.Options{BaseURL: "http://box", Thinking: "none"}, nil,
			`{"max_tokens":4096,"messages":[{"content":"hello","role":"user"}],"model":"m","stream":false}`, "m: its server cannot be told whether to think"},
		{"streams", llm.Options{BaseURL: "http://box", Thinking: "enable_thinking"},
			[][2]string{{`"enable_thinking":true`, "parameter.enable_thinking must be set to false for non-streaming calls"}},
			`{"enable_thinking":false,"max_tokens":4096,"messages":[{"content":"hello","role":"user"}],"model":"m","stream":false}`,
			"m: thinks in streamed calls only"},
		{"refuses", llm.Options{BaseURL: "http://box", Thinking: "chat_template_kwargs"},
			[][2]string{{"chat_template_kwargs", "chat_template_kwargs: extra inputs are not permitted"}},
			`{"max_tokens":4096,"messages":[{"content":"hello","role":"user"}],"model":"m","stream":false}`, "m: does not support thinking"},
		{"set otherwise", llm.Options{BaseURL: "http://box", Thinking: "enable_thinking", Extra: map[string]any{"enable_thinking": false}}, nil,
			`{"enable_thinking":false,"max_tokens":4096,"messages":[{"content":"hello","role":"user"}],"model":"m","stream":false}`,
			"m: the extra field enable_thinking decides about thinking"},
	} {
		s := &picky{status: 400, refuses: c.refuses, fail: openaiFail, reply: openaiReply(llm.Reply{Text: "I", Stop: "end"})}
		c.options.HTTP = &http.Client{Transport: s}
		p := open(t, "openai", c.options)
		r := hello("m")
		r.Thinking = 500
		got := complete(t, p, r)
		if sent := s.sent[len(s.sent)-1]; sent != c.sent {
			t.Errorf("%s: sent\n%s\nwant\n%s", c.name, sent, c.sent)
		}
		if len(got.Warnings) != 1 || !strings.HasPrefix(got.Warnings[0], c.warning) {
			t.Errorf("%s: warnings %q: want %q", c.name, got.Warnings, c.warning)
		}
		if again := complete(t, p, r); len(again.Warnings) != 0 {
			t.Errorf("%s: warned again: %q", c.name, again.Warnings)
		}
	}
	for kind, field := range map[string]string{"openai": "enable", "ollama": "enable_thinking"} {
		if _, err := llm.Open(kind, llm.Options{BaseURL: "http://box", Thinking: field}); err == nil ||
			!strings.Contains(err.Error(), "thinking: ") {
			t.Errorf("%s, %s: %v", kind, field, err)
		}
	}
}

func TestThinkingIn(t *testing.T) {
	t.Parallel()
	extra := map[string]any{"enable_thinking": false, "thinking_budget": 3.0, "top_p": 0.5,
		"chat_template_kwargs": map[string]any{"enable_thinking": false, "tone": "dry"}}
	if got := llm.ThinkingIn(extra); got != "enable_thinking" {
		t.Errorf("%q", got)
	}
	want := map[string]any{"top_p": 0.5, "chat_template_kwargs": map[string]any{"tone": "dry"}}
	if got := llm.WithoutThinking(extra); !reflect.DeepEqual(got, want) || llm.ThinkingIn(got) != "" {
		t.Errorf("%v: want %v", got, want)
	}
	if llm.ThinkingIn(nil) != "" || len(llm.WithoutThinking(nil)) != 0 {
		t.Error("nothing was set")
	}
}
