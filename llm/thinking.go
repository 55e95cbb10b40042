package llm

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// NoThinking as [Request.Thinking] asks a model not to reason, also one that does so
// unless it is told otherwise.
const NoThinking = -1

// A thinkingField is a way in which servers of the protocol openai are told to reason.
type thinkingField struct {
	name string
	// hosts are the ends of the hosts that document the field.
	hosts []string
	// set sets the field; tokens is the budget, below 0 for none.
	set func(body map[string]any, tokens int)
	// fallbacks are for servers that reject the field.
	fallbacks []fallback
}

// withoutField is the name in settings for servers that cannot be told.
const withoutField = "none"

// thinkingFields lists the fields; the first is that of servers that are not known.
var thinkingFields = []thinkingField{
	{
		// OpenAI, Gemini's and Ollama's OpenAI addresses, Groq, xAI, Mistral.
		name: "reasoning_effort",
		set: func(body map[string]any, tokens int) {
			body["reasoning_effort"] = effort(tokens)
		},
		fallbacks: []fallback{drop("reasoning_effort", noThinking, "reasoning", "think")},
	},
	{
		// Qwen's own service, and SiliconFlow.
		name: "enable_thinking", hosts: []string{"dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com", "dashscope-us.aliyuncs.com",
			"api.siliconflow.cn", "api.siliconflow.com"},
		set: func(body map[string]any, tokens int) {
			body["enable_thinking"] = tokens > 0
			if tokens > 0 {
				body["thinking_budget"] = tokens
			}
		},
		fallbacks: []fallback{
			{
				name: "streamed thinking", words: []string{"non-streaming"},
				warning: "thinks in streamed calls only; the request was sent without thinking",
				apply: func(body map[string]any) bool {
					if body["enable_thinking"] != true {
						return false
					}
					body["enable_thinking"] = false
					delete(body, "thinking_budget")
					return true
				},
			},
			drop("thinking_budget", "does not accept a budget for thinking"),
			drop("enable_thinking", noThinking),
		},
	},
	{
		// vLLM and SGLang hand it to the template of the model. Templates of Qwen and GLM
		// read enable_thinking, those of DeepSeek and Granite thinking; others ignore both.
		name: "chat_template_kwargs",
		set: func(body map[string]any, tokens int) {
			body["chat_template_kwargs"] = map[string]any{"enable_thinking": tokens > 0, "thinking": tokens > 0}
		},
		fallbacks: []fallback{drop("chat_template_kwargs", noThinking)},
	},
	{
		// DeepSeek, Z.ai and Moonshot.
		name: "thinking", hosts: []string{"api.deepseek.com", "api.z.ai", "open.bigmodel.cn", "api.moonshot.cn", "api.moonshot.ai"},
		set: func(body map[string]any, tokens int) {
			state := "disabled"
			if tokens > 0 {
				state = "enabled"
			}
			body["thinking"] = map[string]any{"type": state}
		},
		fallbacks: []fallback{drop("thinking", noThinking)},
	},
	{name: withoutField},
}

// ThinkingFields lists the names of the fields by which a server of the protocol openai
// can be told to reason, and "none".
func ThinkingFields() []string {
	var names []string
	for _, f := range thinkingFields {
		names = append(names, f.name)
	}
	return names
}

// thinkingOf returns the field of a server: the one that is named or, for "", the one
// that its host documents, else the first.
func thinkingOf(name string, base *url.URL) thinkingField {
	host := strings.ToLower(base.Hostname())
	for _, f := range thinkingFields {
		if name == f.name || name == "" && slices.Contains(f.hosts, host) {
			return f
		}
	}
	return thinkingFields[0]
}

// addTo sets the field as a request wants it, and returns a remark if it cannot.
func (f thinkingField) addTo(body map[string]any, tokens int) (remark string) {
	if tokens == 0 {
		return ""
	}
	if f.set == nil {
		return "its server cannot be told whether to think; the request was sent without it"
	}
	f.set(body, tokens)
	return ""
}

// ThinkingIn returns the name of the field of extra fields that decides about thinking,
// one of [ThinkingFields]; "" if there is none.
func ThinkingIn(extra map[string]any) string {
	for _, f := range thinkingFields {
		v, there := extra[f.name]
		if !there {
			continue
		}
		// A template has other settings too.
		if inner, object := v.(map[string]any); object && f.name == "chat_template_kwargs" {
			if _, qwen := inner["enable_thinking"]; !qwen && inner["thinking"] == nil {
				continue
			}
		}
		return f.name
	}
	return ""
}

// WithoutThinking returns extra fields without those that decide about thinking, which
// would override [Request.Thinking].
func WithoutThinking(extra map[string]any) map[string]any {
	out := maps.Clone(extra)
	for name := ThinkingIn(out); name != ""; name = ThinkingIn(out) {
		inner, object := out[name].(map[string]any)
		if !object || name != "chat_template_kwargs" {
			delete(out, name)
			continue
		}
		inner = maps.Clone(inner)
		delete(inner, "enable_thinking")
		delete(inner, "thinking")
		out[name] = inner
	}
	delete(out, "thinking_budget")
	return out
}

// CheckThinking checks the name of a field for servers of a kind.
func CheckThinking(kind, name string) error {
	switch {
	case name == "":
		return nil
	case kind != openaiKind:
		return fmt.Errorf("thinking: %q: servers of the kind %s have one field of their own; leave this one out", name, kind)
	case !slices.Contains(ThinkingFields(), name):
		return fmt.Errorf("thinking: %q: expected one of %q", name, ThinkingFields())
	}
	return nil
}
