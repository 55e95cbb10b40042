package llm

import (
	"context"
	"maps"
	"net/http"
	"strings"
)

const (
	anthropicHost    = "api.anthropic.com"
	anthropicVersion = "2023-06-01"
	// leastThinking is the smallest budget that the protocol takes. As much
	// is left for the reply itself.
	leastThinking = 1024
)

// anthropic speaks the Messages protocol of Anthropic.
type anthropic struct {
	transport
	agreement
}

func openAnthropic(o Options) (Provider, error) {
	if o.BaseURL == "" {
		o.BaseURL = "https://" + anthropicHost
	}
	base, err := address(o.BaseURL, "/v1/messages", "/v1")
	if err != nil {
		return nil, err
	}
	t, err := reach(o, base, anthropicHost, "ANTHROPIC_API_KEY", true)
	if err != nil {
		return nil, err
	}
	t.authorize = func(h http.Header, key string) {
		h.Set("x-api-key", key)
		h.Set("anthropic-version", anthropicVersion)
	}
	return &anthropic{transport: t, agreement: agreement{terms: []concession{
		drop("temperature", "takes no temperature: its own is used"),
		{
			name: "adaptive thinking", words: []string{"thinking.type", "adaptive"},
			warning: "decides itself how much to think: the budget is not sent",
			yield: func(body map[string]any) bool {
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
			yield: func(body map[string]any) bool {
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
			name: "cache_control", words: []string{"cache_control"}, warning: "caches no prompts",
			yield: func(body map[string]any) bool {
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
	}}}, nil
}

const (
	noThinking = "does not think: it is not asked to"
	noSchema   = "takes no JSON schema: only the prompt asks for the form"
)

func (p *anthropic) Complete(ctx context.Context, r Request) (Reply, error) {
	body, warnings := p.body(r)
	reply, err := p.exchange(ctx, &p.transport, r, "v1/messages", body, p.reply)
	if err != nil {
		return Reply{}, err
	}
	reply.Warnings = append(warnings, reply.Warnings...)
	return reply, nil
}

func (p *anthropic) body(r Request) (body map[string]any, warnings []string) {
	messages := []map[string]any{}
	for _, m := range r.Messages {
		messages = append(messages, map[string]any{"role": m.Role, "content": []map[string]any{{"type": "text", "text": m.Text}}})
	}
	body = map[string]any{"model": r.Model, "max_tokens": mostOutput(r), "messages": messages}
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
			if p.first(r.Model, "room to think") {
				warnings = append(warnings, r.Model+": is not asked to think: that takes a bound of 2048 tokens or more")
			}
			return body, warnings
		}
		delete(body, "temperature")
		body["thinking"] = map[string]any{"type": "enabled", "budget_tokens": budget}
	}
	return body, warnings
}

func (p *anthropic) reply(r Request, a answer) (Reply, error) {
	var v struct {
		Model   string `json:"model"`
		Content []struct {
			Type     string `json:"type"`
			Text     string `json:"text"`
			Thinking string `json:"thinking"`
		} `json:"content"`
		Stop  string `json:"stop_reason"`
		Usage struct {
			Input      count `json:"input_tokens"`
			CacheRead  count `json:"cache_read_input_tokens"`
			CacheWrite count `json:"cache_creation_input_tokens"`
			Output     count `json:"output_tokens"`
			Details    struct {
				Thinking count `json:"thinking_tokens"`
			} `json:"output_tokens_details"`
		} `json:"usage"`
	}
	if err := p.decode(r.Model, a, &v); err != nil {
		return Reply{}, err
	}
	if v.Content == nil {
		return Reply{}, p.without(r.Model, a, "content")
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
	u := v.Usage
	return Reply{
		Text: said.String(), Thinking: thought.String(), Model: v.Model, Stop: stop(v.Stop),
		Usage: Usage{
			// Anthropic counts what the cache took apart from the rest.
			Input:     int(u.Input + u.CacheRead + u.CacheWrite),
			CacheRead: int(u.CacheRead), CacheWrite: int(u.CacheWrite),
			Output: int(u.Output), Reasoning: int(u.Details.Thinking),
		},
	}, nil
}

// stop gives a provider's reason for the end of a reply in our words.
func stop(reason string) string {
	switch reason {
	case "end_turn", "stop_sequence", "stop", "eos":
		return "end"
	case "max_tokens", "length", "model_context_window_exceeded":
		return "length"
	case "refusal", "content_filter":
		return "refusal"
	}
	return reason
}
