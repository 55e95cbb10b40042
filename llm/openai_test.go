package llm_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/llmtest"
)

func openaiFail(message string) []byte {
	return object{"error": object{"message": message, "type": "invalid_request_error", "param": nil, "code": "invalid_request_error"}}.json()
}

func TestOpenAIConforms(t *testing.T) {
	t.Parallel()
	llmtest.Run(t, llmtest.Wire{
		Kind:    "openai",
		Reply:   openaiReply,
		Usage:   func(u llm.Usage) llm.Usage { u.CacheWrite = 0; return u },
		Refuses: true,
		Fail:    openaiFail,
		Read: func(c llmtest.Call) llmtest.Asked {
			asked := chat(c)
			asked.Schema = at(c.Body, "response_format", "json_schema", "schema")
			return asked
		},
		Reserved: chatReserved,
	})
}

func TestOpenAIRequest(t *testing.T) {
	t.Parallel()
	s := &picky{reply: openaiReply(llm.Reply{Text: "I", Stop: "end"})}
	p := s.open(t, "openai")
	r := hello("gpt")
	r.System, r.Temperature, r.Seed, r.Schema = "Be.", ptr(0.0), ptr(int64(7)), json.RawMessage(`{"type":"object"}`)
	complete(t, p, r)
	want := `{"max_tokens":4096,"messages":[{"content":"Be.","role":"system"},{"content":"hello","role":"user"}],"model":"gpt",` +
		`"response_format":{"json_schema":{"name":"reply","schema":{"type":"object"},"strict":true},"type":"json_schema"},"seed":7,"stream":false,"temperature":0}`
	if s.sent[0] != want {
		t.Errorf("sent\n%s\nwant\n%s", s.sent[0], want)
	}
	r = hello("gpt")
	for tokens, want := range map[int]string{1: "low", 2048: "low", 2049: "medium", 8192: "medium", 8193: "high"} {
		r.Thinking = tokens
		complete(t, p, r)
		if got := s.sent[len(s.sent)-1]; !strings.Contains(got, `"reasoning_effort":"`+want+`"`) {
			t.Errorf("%d tokens: sent %s: want %q", tokens, got, want)
		}
	}
	// The fields of the request go before those of the provider, and both are merged.
	p = open(t, "openai", llm.Options{
		BaseURL: "http://box",
		HTTP:    &http.Client{Transport: s},
		Extra:   map[string]any{"top_p": 0.5, "chat_template_kwargs": map[string]any{"a": 1, "b": 2}},
	})
	r = hello("gpt")
	r.Extra = map[string]any{"top_p": 0.9, "chat_template_kwargs": map[string]any{"b": 3}}
	complete(t, p, r)
	if got := s.sent[len(s.sent)-1]; !strings.Contains(got, `"top_p":0.9`) || !strings.Contains(got, `"chat_template_kwargs":{"a":1,"b":3}`) {
		t.Errorf("sent %s: want merged extra fields", got)
	}
	complete(t, p, hello("gpt"))
	if got := s.sent[len(s.sent)-1]; !strings.Contains(got, `"chat_template_kwargs":{"a":1,"b":2}`) {
		t.Errorf("sent %s: want the provider's own fields, untouched by the request before", got)
	}
	// OpenAI itself has renamed the bound.
	p = open(t, "openai", llm.Options{Getenv: env("OPENAI_API_KEY", "sk-planted-1"), HTTP: &http.Client{Transport: s}})
	complete(t, p, hello("gpt"))
	if got := s.sent[len(s.sent)-1]; !strings.Contains(got, `{"max_completion_tokens":4096,`) {
		t.Errorf("sent %s: want max_completion_tokens", got)
	}
}

// What servers say that do not take a part of the request, in their own words,
// and what is left of the request.
func TestOpenAIConcedes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status   int
		refuses  [][2]string
		left     string // what the request then ends with, from "model" on
		warnings []string
	}{
		"DeepSeek": {400, [][2]string{{"json_schema", "This response_format type is unavailable now"}},
			`"model":"m","reasoning_effort":"low","response_format":{"type":"json_object"},"seed":7,"stream":false,"temperature":0}`,
			[]string{"does not support JSON schemas"}},
		"DeepSeek's first": {422, [][2]string{{
			"json_schema",
			"Failed to deserialize the JSON body into the target type: response_format: response_format.type `json_schema` is unavailable now at line 1 column 1193",
		}},
			`"model":"m","reasoning_effort":"low","response_format":{"type":"json_object"},"seed":7,"stream":false,"temperature":0}`,
			[]string{"does not support JSON schemas"}},
		"no form at all": {400, [][2]string{
			{"json_schema", "json_schema is not supported"},
			{"json_object", "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."},
		},
			`"model":"m","reasoning_effort":"low","seed":7,"stream":false,"temperature":0}`,
			[]string{"does not support JSON schemas", "does not support JSON replies"}},
		"a reasoning model": {400, [][2]string{
			{"max_tokens", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."},
			{"temperature", "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported."}},
			`"model":"m","reasoning_effort":"low","response_format":{"json_schema":{"name":"reply","schema":{"type":"object"},"strict":true},"type":"json_schema"},"seed":7,"stream":false}`,
			[]string{"expects max_completion_tokens instead of max_tokens", "does not accept a temperature"}},
		"Ollama": {400, [][2]string{{"reasoning_effort", `"m" does not support thinking`}},
			`"model":"m","response_format":{"json_schema":{"name":"reply","schema":{"type":"object"},"strict":true},` +
				`"type":"json_schema"},"seed":7,"stream":false,"temperature":0}`,
			[]string{"does not support thinking"}},
		"Mistral": {422, [][2]string{{`"seed"`, `Extra inputs are not permitted: seed`}, {"reasoning_effort", "reasoning_effort: not permitted"}},
			`"model":"m","response_format":{"json_schema":{"name":"reply","schema":{"type":"object"},"strict":true},` +
				`"type":"json_schema"},"stream":false,"temperature":0}`,
			[]string{"does not accept a seed", "does not support thinking"}},
	} {
		s := &picky{status: c.status, refuses: c.refuses, fail: openaiFail, reply: openaiReply(llm.Reply{Text: "I", Stop: "end"})}
		p := s.open(t, "openai")
		r := hello("m")
		r.Temperature, r.Seed, r.Thinking, r.Schema = ptr(0.0), ptr(int64(7)), 1000, json.RawMessage(`{"type":"object"}`)
		got := complete(t, p, r)
		if len(s.sent) != 1+len(c.refuses) {
			t.Errorf("%s: %d requests: want one more than refusals", name, len(s.sent))
		}
		if last := s.sent[len(s.sent)-1]; !strings.HasSuffix(last, c.left) {
			t.Errorf("%s: sent\n%s\nwant\n%s", name, last, c.left)
		}
		if len(got.Warnings) != len(c.warnings) {
			t.Errorf("%s: warnings %q: want %q", name, got.Warnings, c.warnings)
			continue
		}
		for i, w := range c.warnings {
			if !strings.HasPrefix(got.Warnings[i], "m: "+w) {
				t.Errorf("%s: warning %q: want %q", name, got.Warnings[i], w)
			}
		}
		n := len(s.sent)
		if again := complete(t, p, r); len(again.Warnings) != 0 || len(s.sent) != n+1 {
			t.Errorf("%s: the second time: warnings %q and %d requests: want none and 1", name, again.Warnings, len(s.sent)-n)
		}
	}
}

func TestOpenAIReply(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]llm.Reply{
		// DeepSeek
		`{"choices":[{"message":{"content":"a","reasoning_content":"b"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2,"prompt_cache_hit_tokens":4,"prompt_cache_miss_tokens":5}}`: {
			Text:     "a",
			Thinking: "b",
			Stop:     "end",
			Usage:    llm.Usage{Input: 9, CacheRead: 4, Output: 2},
		},
		// vLLM, OpenRouter, Ollama
		`{"choices":[{"message":{"content":"a","reasoning":"b","reasoning_content":null},"finish_reason":"length"}]}`: {Text: "a", Thinking: "b", Stop: "length"},
		// Mistral
		`{"choices":[{"message":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"b"}]},{"type":"text","text":"a"}]},"finish_reason":"eos"}]}`: {Text: "a", Thinking: "b", Stop: "end"},
		// a server that does not tell reasoning apart
		`{"choices":[{"message":{"content":"\n<think>\nb </think>\n\na"}}]}`:        {Text: "a", Thinking: "b"},
		`{"choices":[{"message":{"content":"<think>b"},"finish_reason":"length"}]}`: {Thinking: "b", Stop: "length"},
		`{"choices":[{"message":{"content":"x <think>b</think>"}}]}`:                {Text: "x <think>b</think>"},
		// OpenAI
		`{"choices":[{"message":{"content":null,"refusal":"No."},"finish_reason":"stop"}],"error":null}`: {Text: "No.", Stop: "refusal"},
		`{"choices":[{"message":{"content":"a"},"finish_reason":"content_filter"}],"usage":null}`:        {Text: "a", Stop: "refusal"},
		`{"choices":[{"message":{"content":"a"},"finish_reason":"tool_calls"},{"message":{"content":"second"}}],"usage":{"prompt_tokens":1,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":1},"completion_tokens_details":{"reasoning_tokens":2}}}`: {
			Text:  "a",
			Stop:  "tool_calls",
			Usage: llm.Usage{Input: 1, CacheRead: 1, Output: 2, Reasoning: 2},
		},
		`{"choices":[{"index":1,"message":{"content":"second"},"finish_reason":"length"},{"index":0,"message":{"content":"a"},"finish_reason":"stop"}]}`: {Text: "a", Stop: "end"},
		// Gemini and xAI leave reasoning out of completion_tokens.
		`{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":100,"completion_tokens":10,"total_tokens":1110}}`: {
			Text: "a", Usage: llm.Usage{Input: 100, Output: 1010},
		},
		`{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":100,"completion_tokens":10,"completion_tokens_details":{"reasoning_tokens":1000}}}`: {
			Text: "a", Usage: llm.Usage{Input: 100, Output: 1010, Reasoning: 1000},
		},
		`{"choices":[{"message":{"content":"a"}}],"usage":{"input_tokens":"12","output_tokens":3,"total_tokens":9}}`: {
			Text: "a", Usage: llm.Usage{Input: 12, Output: 3},
		},
	} {
		s := &picky{reply: []byte(body)}
		if got := complete(t, s.open(t, "openai"),
			hello("m")); got.Text != want.Text || got.Thinking != want.Thinking || got.Stop != want.Stop || got.Usage != want.Usage {
			t.Errorf("%s\ngives %+v\nwant  %+v", body, got, want)
		}
	}
}

func openaiReply(r llm.Reply) []byte {
	message := object{"role": "assistant", "content": r.Text}
	if r.Thinking != "" {
		message["reasoning_content"] = r.Thinking
	}
	return object{
		"id": "chatcmpl-1", "object": "chat.completion", "model": r.Model,
		"choices": []object{{
			"index": 0, "message": message,
			"finish_reason": in(map[string]string{"end": "stop", "refusal": "content_filter"}, r.Stop),
		}},
		"usage": object{
			"prompt_tokens": r.Usage.Input, "completion_tokens": r.Usage.Output, "total_tokens": r.Usage.Input + r.Usage.Output,
			"prompt_tokens_details":     object{"cached_tokens": r.Usage.CacheRead},
			"completion_tokens_details": object{"reasoning_tokens": r.Usage.Reasoning},
		},
	}.json()
}
