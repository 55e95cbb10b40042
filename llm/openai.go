package llm

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
)

const openaiHost = "api.openai.com"

// openai speaks the Chat Completions protocol of OpenAI, with the fields that
// other servers of it have added.
type openai struct {
	transport
	agreement
	// bound is the field that bounds the reply: OpenAI has renamed it, most
	// others have not.
	bound string
}

// openaiTransport prepares the way to a server of the protocol; ends are paths
// that users may have copied along with its base.
func openaiTransport(o Options, ends ...string) (transport, error) {
	if o.BaseURL == "" {
		o.BaseURL = "https://" + openaiHost + "/v1"
	}
	base, err := address(o.BaseURL, ends...)
	if err != nil {
		return transport{}, err
	}
	t, err := reach(o, base, openaiHost, "OPENAI_API_KEY", false)
	if err != nil {
		return transport{}, err
	}
	azure := strings.HasSuffix(strings.ToLower(base.Hostname()), ".openai.azure.com")
	t.authorize = func(h http.Header, key string) {
		h.Set("Authorization", "Bearer "+key)
		if azure {
			h.Set("api-key", key)
		}
	}
	return t, nil
}

func openOpenAI(o Options) (Provider, error) {
	t, err := openaiTransport(o, "/chat/completions")
	if err != nil {
		return nil, err
	}
	p := &openai{transport: t, bound: "max_tokens"}
	other := "max_completion_tokens"
	if strings.EqualFold(t.base.Hostname(), openaiHost) {
		p.bound, other = other, p.bound
	}
	form := []string{"response_format", "json_schema", "json_object", "json mode", "schema", "structured output", "structured_output"}
	p.terms = []concession{
		{
			name: p.bound, words: []string{"max_tokens", "max_completion_tokens"},
			warning: "takes " + other + " in place of " + p.bound,
			yield: func(body map[string]any) bool {
				n, there := body[p.bound]
				if there {
					delete(body, p.bound)
					body[other] = n
				}
				return there
			},
		},
		drop("temperature", "takes no temperature: its own is used"),
		drop("seed", "takes no seed"),
		drop("reasoning_effort", noThinking, "reasoning", "think"),
		{
			name: "schema", words: form, warning: noSchema,
			yield: func(body map[string]any) bool {
				format, _ := body["response_format"].(map[string]any)
				if format["type"] != "json_schema" {
					return false
				}
				body["response_format"] = map[string]any{"type": "json_object"}
				return true
			},
		},
		drop("response_format", "takes no form of the reply, not even JSON: only the prompt asks for it", form...),
	}
	return p, nil
}

func (p *openai) Complete(ctx context.Context, r Request) (Reply, error) {
	return p.exchange(ctx, &p.transport, r, "chat/completions", p.body(r), p.reply)
}

func (p *openai) body(r Request) map[string]any {
	body := map[string]any{"model": r.Model, "messages": r.turns(), p.bound: mostOutput(r)}
	if r.Schema != nil {
		body["response_format"] = map[string]any{"type": "json_schema", "json_schema": map[string]any{
			"name": "reply", "strict": true, "schema": r.Schema,
		}}
	}
	if r.Temperature != nil {
		body["temperature"] = *r.Temperature
	}
	if r.Seed != nil {
		body["seed"] = *r.Seed
	}
	if r.Thinking > 0 {
		body["reasoning_effort"] = effort(r.Thinking)
	}
	return body
}

// effort gives a budget of reasoning in the words of the protocol, which has no
// number for it: up to 2,000 tokens are a short deliberation, more than 8,000 a
// long one.
func effort(tokens int) string {
	switch {
	case tokens <= 2048:
		return "low"
	case tokens <= 8192:
		return "medium"
	}
	return "high"
}

func (p *openai) reply(r Request, a answer) (Reply, error) {
	var v struct {
		Model   string `json:"model"`
		Choices []struct {
			Message struct {
				Content   json.RawMessage `json:"content"`
				Refusal   string          `json:"refusal"`
				Reasoning json.RawMessage `json:"reasoning"`
				Thought   json.RawMessage `json:"reasoning_content"`
			} `json:"message"`
			Stop string `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			Input  count `json:"prompt_tokens"`
			Output count `json:"completion_tokens"`
			Hit    count `json:"prompt_cache_hit_tokens"` // DeepSeek
			In     struct {
				Cached count `json:"cached_tokens"`
			} `json:"prompt_tokens_details"`
			Out struct {
				Reasoning count `json:"reasoning_tokens"`
			} `json:"completion_tokens_details"`
		} `json:"usage"`
	}
	if err := p.decode(r.Model, a, &v); err != nil {
		return Reply{}, err
	}
	if len(v.Choices) == 0 {
		return Reply{}, p.without(r.Model, a, "choices")
	}
	m := v.Choices[0].Message
	said, thought := parts(m.Content)
	for _, field := range []json.RawMessage{m.Thought, m.Reasoning} {
		if thought == "" {
			thought, _ = parts(field)
		}
	}
	if thought == "" {
		said, thought = splitThinking(said)
	}
	reply := Reply{
		Text: said, Thinking: thought, Model: v.Model, Stop: stop(v.Choices[0].Stop),
		Usage: Usage{
			Input: int(v.Usage.Input), CacheRead: int(max(v.Usage.In.Cached, v.Usage.Hit)),
			Output: int(v.Usage.Output), Reasoning: int(v.Usage.Out.Reasoning),
		},
	}
	if m.Refusal != "" {
		reply.Stop = "refusal"
		if reply.Text == "" {
			reply.Text = m.Refusal
		}
	}
	return reply, nil
}

// parts reads the content of a message: a text, or a list of parts of which
// some are texts and some, with some servers, reasoning.
func parts(data json.RawMessage) (text, thinking string) {
	var s string
	if json.Unmarshal(data, &s) == nil {
		return s, ""
	}
	var list []struct {
		Type     string          `json:"type"`
		Text     string          `json:"text"`
		Thinking json.RawMessage `json:"thinking"`
	}
	if json.Unmarshal(data, &list) != nil {
		return "", ""
	}
	var said, thought strings.Builder
	for _, part := range list {
		said.WriteString(part.Text)
		inner, _ := parts(part.Thinking)
		thought.WriteString(inner)
	}
	return said.String(), thought.String()
}
