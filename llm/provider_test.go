package llm_test

import (
	"encoding/json"
	"testing"

	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/llmtest"
)

func TestAnthropicConforms(t *testing.T) {
	t.Parallel()
	llmtest.Run(t, llmtest.Protocol{
		Open:    opener("anthropic"),
		Reply:   anthropicReply,
		Usage:   func(u llm.Usage) llm.Usage { return u },
		Refuses: true,
		Fail: func(message string) []byte {
			return object{"type": "error", "error": object{"type": "api_error", "message": message}}.json()
		},
		Prompt: func(body map[string]any) []string {
			texts := textsOf(body["system"])
			for _, m := range body["messages"].([]any) {
				texts = append(texts, textsOf(m.(map[string]any)["content"])...)
			}
			return texts
		},
		Schema: func(body map[string]any) any { return at(body, "output_config", "format", "schema") },
	})
}

func TestOpenAIConforms(t *testing.T) {
	t.Parallel()
	llmtest.Run(t, llmtest.Protocol{
		Open:    opener("openai"),
		Reply:   openaiReply,
		Usage:   func(u llm.Usage) llm.Usage { u.CacheWrite = 0; return u },
		Refuses: true,
		Fail: func(message string) []byte {
			return object{"error": object{"type": "server_error", "code": nil, "message": message}}.json()
		},
		Prompt: contents,
		Schema: func(body map[string]any) any { return at(body, "response_format", "json_schema", "schema") },
	})
}

func TestOllamaConforms(t *testing.T) {
	t.Parallel()
	llmtest.Run(t, llmtest.Protocol{
		Open:   opener("ollama"),
		Reply:  ollamaReply,
		Usage:  func(u llm.Usage) llm.Usage { return llm.Usage{Input: u.Input, Output: u.Output} },
		Fail:   func(message string) []byte { return object{"error": message}.json() },
		Prompt: contents,
		Schema: func(body map[string]any) any { return body["format"] },
	})
}

func opener(kind string) func(t *testing.T, base, key string) llm.Provider {
	return func(t *testing.T, base, key string) llm.Provider {
		t.Helper()
		return open(t, kind, llm.Options{Name: "mine", BaseURL: base, KeyEnv: "KEY", Getenv: env("KEY", key)})
	}
}

func open(t *testing.T, kind string, o llm.Options) llm.Provider {
	t.Helper()
	p, err := llm.Open(kind, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// env is an environment of the given names and values.
func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

type object map[string]any

func (o object) json() []byte {
	data, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return data
}

// at walks down a JSON value; nil when something is missing.
func at(v any, path ...string) any {
	for _, name := range path {
		fields, _ := v.(map[string]any)
		v = fields[name]
	}
	return v
}

// textsOf gives the texts of a list of blocks.
func textsOf(blocks any) []string {
	var texts []string
	list, _ := blocks.([]any)
	for _, b := range list {
		texts = append(texts, at(b, "text").(string))
	}
	return texts
}

// contents gives the contents of all messages.
func contents(body map[string]any) []string {
	var texts []string
	for _, m := range body["messages"].([]any) {
		texts = append(texts, at(m, "content").(string))
	}
	return texts
}

// in gives a reason for the end of a reply in the words of a protocol.
func in(words map[string]string, stop string) string {
	if w := words[stop]; w != "" {
		return w
	}
	return stop
}

func anthropicReply(r llm.Reply) []byte {
	content := []object{}
	if r.Thinking != "" {
		content = append(content, object{"type": "thinking", "thinking": r.Thinking, "signature": "c2ln"})
	}
	if r.Text != "" {
		content = append(content, object{"type": "text", "text": r.Text})
	}
	return object{
		"id": "msg_1", "type": "message", "role": "assistant", "model": r.Model, "content": content,
		"stop_reason": in(map[string]string{"end": "end_turn", "length": "max_tokens"}, r.Stop),
		"usage": object{
			"input_tokens": r.Usage.Input - r.Usage.CacheRead - r.Usage.CacheWrite, "cache_read_input_tokens": r.Usage.CacheRead,
			"cache_creation_input_tokens": r.Usage.CacheWrite, "output_tokens": r.Usage.Output,
			"output_tokens_details": object{"thinking_tokens": r.Usage.Reasoning},
		},
	}.json()
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
			"prompt_tokens_details": object{"cached_tokens": r.Usage.CacheRead}, "completion_tokens_details": object{"reasoning_tokens": r.Usage.Reasoning},
		},
	}.json()
}

func ollamaReply(r llm.Reply) []byte {
	message := object{"role": "assistant", "content": r.Text}
	if r.Thinking != "" {
		message["thinking"] = r.Thinking
	}
	return object{
		"model": r.Model, "created_at": "2026-01-02T03:04:05Z", "message": message, "done": true,
		"done_reason":       in(map[string]string{"end": "stop"}, r.Stop),
		"prompt_eval_count": r.Usage.Input, "eval_count": r.Usage.Output, "total_duration": 5191566416,
	}.json()
}
