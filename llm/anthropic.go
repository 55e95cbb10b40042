package llm

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

const (
	anthropicVersion = "2023-06-01"
	// leastThinking is the smallest budget that the protocol accepts. The same number
	// of tokens is reserved for the reply itself.
	leastThinking = 1024
)

// anthropic is the Messages protocol of Anthropic:
// https://platform.claude.com/docs/en/api/messages.
var anthropic = Protocol{
	Kind:     "anthropic",
	Doc:      "Anthropic's Messages API, and servers that are compatible with it",
	Example:  "claude-sonnet-4-5",
	BaseURL:  "https://api.anthropic.com",
	KeyEnv:   "ANTHROPIC_API_KEY",
	NeedsKey: true,
	Schema:   true,
	Thinking: true,

	paths:   []string{"/v1/messages", "/v1"},
	listing: "v1/models",
	authorize: func(h http.Header, _ *url.URL, key string) {
		h.Set("x-api-key", key)
		h.Set("anthropic-version", anthropicVersion)
	},
	reserved: []string{"model", "messages", "system", "stream"},
	payload:  "content",
	errors: map[Kind]expression{
		KindAuth:    lazyregexp.New(`(?i)credit balance`),
		KindTooLong: lazyregexp.New(`(?i)prompt is too long`),
	},
	wait: anthropicWait,
	dialect: func(*url.URL, string) dialect {
		return dialect{encode: encodeAnthropic, decode: decodeAnthropic, fallbacks: anthropicFallbacks}
	},
}

// anthropicFallbacks are for the fields that models and compatible servers may reject.
var anthropicFallbacks = []fallback{
	drop("temperature", noTemperature),
	{
		name: "adaptive thinking", words: []string{"thinking.type", "adaptive"},
		warning: "chooses its own thinking budget; the given one was not sent",
		apply: func(body map[string]any) bool {
			thinking, _ := body["thinking"].(map[string]any)
			if thinking["type"] != "enabled" {
				return false
			}
			body["thinking"] = map[string]any{"type": "adaptive", "display": "summarized"}
			return true
		},
	},
	drop("thinking", noThinking),
	{
		name: "schema", words: []string{"output_config", "output format", "output_format", "structured output", "schema"},
		warning: noSchema,
		apply: func(body map[string]any) bool {
			config, _ := body["output_config"].(map[string]any)
			if config["format"] == nil {
				return false
			}
			if config = maps.Clone(config); len(config) == 1 {
				delete(body, "output_config")
			} else {
				delete(config, "format")
				body["output_config"] = config
			}
			return true
		},
	},
	{
		name: "cache_control", words: []string{"cache_control"}, warning: "does not support prompt caching",
		apply: func(body map[string]any) bool {
			system, _ := body["system"].([]map[string]any)
			for _, block := range system {
				if _, there := block["cache_control"]; there {
					delete(block, "cache_control")
					return true
				}
			}
			return false
		},
	},
}

// anthropicWait returns the time until an exhausted limit is reset.
func anthropicWait(h http.Header, _ []byte, since func(time.Time) time.Duration) (wait time.Duration) {
	for _, limit := range []string{"Requests", "Tokens", "Input-Tokens", "Output-Tokens"} {
		if h.Get("Anthropic-Ratelimit-"+limit+"-Remaining") == "0" {
			if at, err := time.Parse(time.RFC3339, h.Get("Anthropic-Ratelimit-"+limit+"-Reset")); err == nil {
				wait = max(wait, since(at))
			}
		}
	}
	return wait
}

func encodeAnthropic(r Request) call {
	const path = "v1/messages"
	messages := []map[string]any{}
	for _, m := range r.Messages {
		messages = append(messages, map[string]any{"role": m.Role, "content": []map[string]any{{"type": "text", "text": m.Text}}})
	}
	body := map[string]any{"model": r.Model, "max_tokens": mostOutput(r), "messages": messages}
	if r.System != "" {
		body["system"] = []map[string]any{{"type": "text", "text": r.System, "cache_control": map[string]any{"type": "ephemeral"}}}
	}
	if r.Schema != nil {
		body["output_config"] = map[string]any{"format": map[string]any{"type": "json_schema", "schema": r.Schema}}
	}
	if r.Temperature != nil {
		body["temperature"] = *r.Temperature
	}
	if r.Thinking > 0 {
		// The budget is part of max_tokens, and excludes a temperature.
		budget := min(max(r.Thinking, leastThinking), mostOutput(r)-leastThinking)
		if budget < leastThinking {
			return call{path: path, body: body, remark: "thinking was not requested: it needs a reply limit of at least 2048 tokens"}
		}
		delete(body, "temperature")
		body["thinking"] = map[string]any{"type": "enabled", "budget_tokens": budget}
	} else if r.Thinking < 0 {
		body["thinking"] = map[string]any{"type": "disabled"}
	}
	return call{path: path, body: body}
}

func decodeAnthropic(body []byte) (Reply, error) {
	var v struct {
		Model   string `json:"model"`
		Content []struct {
			Type     string `json:"type"`
			Text     string `json:"text"`
			Thinking string `json:"thinking"`
		} `json:"content"`
		Stop  string `json:"stop_reason"`
		Usage side[struct {
			Input      count `json:"input_tokens"`
			CacheRead  count `json:"cache_read_input_tokens"`
			CacheWrite count `json:"cache_creation_input_tokens"`
			Output     count `json:"output_tokens"`
			Details    side[struct {
				Thinking count `json:"thinking_tokens"`
			}] `json:"output_tokens_details"`
		}] `json:"usage"`
	}
	if err := json.Unmarshal(body, &v); err != nil {
		return Reply{}, err
	}
	if v.Content == nil {
		return Reply{}, errNoPayload
	}
	var said, thought strings.Builder
	for _, block := range v.Content {
		switch block.Type {
		case "text":
			said.WriteString(block.Text)
		case "thinking":
			thought.WriteString(block.Thinking)
		}
	}
	u := v.Usage.v
	return Reply{
		Text: said.String(), Thinking: thought.String(), Model: v.Model, Stop: v.Stop,
		Usage: Usage{
			// Anthropic does not include cached tokens in input_tokens.
			Input:     int(u.Input + u.CacheRead + u.CacheWrite),
			CacheRead: int(u.CacheRead), CacheWrite: int(u.CacheWrite),
			Output: int(u.Output), Reasoning: int(u.Details.v.Thinking),
		},
	}, nil
}
