package llm

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/lazyregexp"
	modelreply "github.com/assay-eval/assay/target/reply"
)

// openaiHost is OpenAI's own server. It has renamed the field that limits the reply;
// most other servers have not.
const openaiHost = "api.openai.com"

// openaiKind is the kind of servers that speak OpenAI's protocol.
const openaiKind = "openai"

// openai is the Chat Completions protocol of OpenAI, with the fields that other
// servers of it have added: https://platform.openai.com/docs/api-reference/chat.
var openai = Protocol{
	Kind:     openaiKind,
	Doc:      "OpenAI's Chat Completions API, and compatible servers: vLLM, llama.cpp, DeepSeek, Qwen, Groq, Azure and others",
	Example:  "gpt-4.1-mini",
	BaseURL:  "https://" + openaiHost + "/v1",
	KeyEnv:   "OPENAI_API_KEY",
	Schema:   true,
	Seed:     true,
	Thinking: true,

	paths:   []string{"/chat/completions"},
	listing: "models",
	authorize: func(h http.Header, base *url.URL, key string) {
		bearer(h, base, key)
		if strings.HasSuffix(strings.ToLower(base.Hostname()), ".openai.azure.com") {
			h.Set("api-key", key)
		}
	},
	reserved: []string{"model", "messages", "system", "stream"},
	payload:  "choices",
	errors: map[Kind]expression{
		KindAuth: lazyregexp.New(`(?i)insufficient[_ ](quota|balance|credits)`),
		KindTooLong: lazyregexp.New(
			`(?i)context[_ ](length|window|size)|input (is too long|length)|too many (input )?tokens|max_prompt_tokens`),
		KindModel: lazyregexp.New(`(?i)model_not_found|model\b.{0,200}\b(not found|not exist|does not exist|doesn't exist)|` +
			`not a valid model|(unknown|no such) model`),
	},
	wait: openaiWait,
	dialect: func(base *url.URL, thinking string) dialect {
		bound, other := "max_tokens", "max_completion_tokens"
		if strings.EqualFold(base.Hostname(), openaiHost) {
			bound, other = other, bound
		}
		field := thinkingOf(thinking, base)
		return dialect{
			encode:    func(r Request) call { return encodeOpenAI(r, bound, field) },
			decode:    decodeOpenAI,
			fallbacks: openaiFallbacks(bound, other, field),
		}
	},
}

// bearer sets the key as a bearer token, as most servers expect.
func bearer(h http.Header, _ *url.URL, key string) { h.Set("Authorization", "Bearer "+key) }

// openaiFallbacks are for the fields that models and compatible servers may reject.
func openaiFallbacks(bound, other string, thinking thinkingField) []fallback {
	form := []string{"response_format", "json_schema", "json_object", "json mode", "schema", "structured output", "structured_output", "guided",
		"grammar", "constrained"}
	return append([]fallback{
		{
			name: bound, words: []string{"max_tokens", "max_completion_tokens"},
			warning: "expects " + other + " instead of " + bound,
			apply: func(body map[string]any) bool {
				n, there := body[bound]
				if there {
					delete(body, bound)
					body[other] = n
				}
				return there
			},
		},
		{
			name: "system", words: []string{"system role", "'system'", `"system"`, "role system", "roles must alternate"},
			warning: "does not support the system role; its text was sent before the first message",
			apply: func(body map[string]any) bool {
				turns, _ := body["messages"].([]map[string]any)
				if len(turns) < 2 || turns[0]["role"] != "system" {
					return false
				}
				first := maps.Clone(turns[1])
				first["content"] = fmt.Sprintf("%s\n\n%s", turns[0]["content"], first["content"])
				body["messages"] = append([]map[string]any{first}, turns[2:]...)
				return true
			},
		},
		drop("temperature", noTemperature),
		drop("seed", noSeed),
		dropLogprobs,
	}, append(slices.Clone(thinking.fallbacks), []fallback{
		{
			name: "schema", words: form, warning: noSchema, broken: true,
			apply: func(body map[string]any) bool {
				format, _ := body["response_format"].(map[string]any)
				if format["type"] != "json_schema" {
					return false
				}
				body["response_format"] = map[string]any{"type": "json_object"}
				return true
			},
		},
		{name: "response_format", words: form, warning: noForm, broken: true, apply: drop("response_format", "").apply},
	}...)...)
}

// openaiWait returns the time until an exhausted limit is reset.
func openaiWait(h http.Header, _ []byte, _ func(time.Time) time.Duration) (wait time.Duration) {
	for _, limit := range []string{"Requests", "Tokens", "Input-Tokens", "Output-Tokens"} {
		if h.Get("X-Ratelimit-Remaining-"+limit) == "0" {
			if d, err := time.ParseDuration(h.Get("X-Ratelimit-Reset-" + limit)); err == nil {
				wait = max(wait, d)
			}
		}
	}
	return wait
}

// encodeOpenAI encodes a request; bound is the name of the field that limits the reply.
// Some servers have fields of their own for thinking.
func encodeOpenAI(r Request, bound string, thinking thinkingField) call {
	body := map[string]any{"model": r.Model, "messages": r.turns(), "stream": false, bound: mostOutput(r)}
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
	if r.TopLogprobs > 0 {
		body["logprobs"], body["top_logprobs"] = true, r.TopLogprobs
	}
	remark := thinking.addTo(body, r.Thinking)
	return call{path: "chat/completions", body: body, remark: remark}
}

// effort maps a reasoning budget in tokens to the levels of the protocol: below 0 is
// "none", up to 2048 tokens is "low", more than 8192 is "high".
func effort(tokens int) string {
	switch {
	case tokens < 0:
		return "none"
	case tokens <= 2048:
		return "low"
	case tokens <= 8192:
		return "medium"
	}
	return "high"
}

func decodeOpenAI(body []byte) (Reply, error) {
	var v struct {
		Model   side[string] `json:"model"`
		Choices []struct {
			Index   count `json:"index"`
			Message struct {
				Content   json.RawMessage `json:"content"`
				Refusal   side[string]    `json:"refusal"`
				Tools     side[[]any]     `json:"tool_calls"`
				Reasoning json.RawMessage `json:"reasoning"`
				Thought   json.RawMessage `json:"reasoning_content"`
			} `json:"message"`
			Stop     side[string] `json:"finish_reason"`
			Logprobs side[struct {
				Content []Token `json:"content"`
			}] `json:"logprobs"`
		} `json:"choices"`
		Usage side[struct {
			Input  count `json:"prompt_tokens"`
			Output count `json:"completion_tokens"`
			Read   count `json:"input_tokens"`
			Wrote  count `json:"output_tokens"`
			Total  count `json:"total_tokens"`
			Hit    count `json:"prompt_cache_hit_tokens"` // DeepSeek
			In     side[struct {
				Cached count `json:"cached_tokens"`
			}] `json:"prompt_tokens_details"`
			Out side[struct {
				Reasoning count `json:"reasoning_tokens"`
			}] `json:"completion_tokens_details"`
		}] `json:"usage"`
	}
	if err := json.Unmarshal(body, &v); err != nil {
		return Reply{}, err
	}
	if len(v.Choices) == 0 {
		return Reply{}, errNoPayload
	}
	choice := v.Choices[0]
	for _, c := range v.Choices {
		if c.Index < choice.Index {
			choice = c
		}
	}
	m := choice.Message
	said, thought := parts(m.Content)
	for _, field := range []json.RawMessage{m.Thought, m.Reasoning} {
		if thought == "" {
			thought, _ = parts(field)
		}
	}
	used := v.Usage.v
	in, thoughts := max(used.Input, used.Read), used.Out.v.Reasoning
	out := max(used.Output, used.Wrote, used.Total-in) // Gemini and xAI count reasoning in the total alone
	if thoughts > out {
		out += thoughts
	}
	reply := Reply{
		Text: said, Thinking: thought, Model: v.Model.v, Stop: choice.Stop.v, Tokens: choice.Logprobs.v.Content,
		Usage: Usage{
			Input: int(in), CacheRead: int(max(used.In.v.Cached, used.Hit)), Output: int(out), Reasoning: int(thoughts),
		},
	}
	if len(m.Tools.v) > 0 {
		reply.Stop = modelreply.StopTool
	}
	if m.Refusal.v != "" {
		reply.Stop = "refusal"
		if reply.Text == "" {
			reply.Text = m.Refusal.v
		}
	}
	return reply, nil
}

// parts reads the content of a message: a text, a list of parts of which some are texts and
// some, with some servers, reasoning, or any other JSON.
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
		return string(data), "" // JSON instead of a text that holds it
	}
	var said, thought strings.Builder
	for _, part := range list {
		switch part.Type {
		case "", "text", "output_text":
			said.WriteString(part.Text)
		default:
			thought.WriteString(part.Text)
		}
		inner, _ := parts(part.Thinking)
		thought.WriteString(inner)
	}
	return said.String(), thought.String()
}
