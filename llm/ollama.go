package llm

import (
	"encoding/json"
	"net"
	"net/url"
	"strings"
	"sync"

	modelreply "github.com/assay-eval/assay/target/reply"
)

// leastWindow is the smallest context requested, in tokens. It is the server's default,
// so small requests do not reload the model.
const leastWindow = 4096

// ollama is the protocol of Ollama: https://docs.ollama.com/api/chat.
var ollama = Protocol{
	Kind:     "ollama",
	Doc:      "Ollama's own API",
	Example:  "qwen3",
	BaseURL:  "http://127.0.0.1:11434",
	Free:     true,
	Schema:   true,
	Seed:     true,
	Thinking: true,

	baseURL:   func(getenv func(string) string) string { return ollamaHost(getenv("OLLAMA_HOST")) },
	paths:     []string{"/api/chat", "/api"},
	listing:   "api/tags",
	authorize: bearer,
	reserved:  []string{"model", "messages", "system", "stream"},
	payload:   "message",
	dialect: func(*url.URL, string) dialect {
		o := &ollamaDialect{windows: map[string]int{}}
		return dialect{encode: o.encode, decode: decodeOllama, fallbacks: []fallback{
			drop("think", noThinking), dropLogprobs,
			{
				// Servers before 0.5 know the word "json", but no schema.
				name: "schema", words: []string{"format", "schema", "grammar"}, warning: noSchema,
				apply: func(body map[string]any) bool {
					_, word := body["format"].(string)
					if body["format"] == nil || word {
						return false
					}
					body["format"] = "json"
					return true
				},
			},
		}}
	},
}

// ollamaDialect encodes requests to one server.
type ollamaDialect struct {
	mu sync.Mutex
	// windows are the last contexts requested, by model.
	windows map[string]int
}

func (p *ollamaDialect) encode(r Request) call {
	options := map[string]any{"num_ctx": p.window(r), "num_predict": mostOutput(r)}
	if r.Temperature != nil {
		options["temperature"] = *r.Temperature
	}
	if r.Seed != nil {
		options["seed"] = *r.Seed
	}
	// Without truncate and shift, a server that finds the context too small
	// says so, where it would otherwise drop the beginning of the question.
	body := map[string]any{
		"model": r.Model, "messages": r.turns(), "stream": false,
		"options": options, "truncate": false, "shift": false,
	}
	if r.Schema != nil {
		body["format"] = r.Schema
	}
	if r.TopLogprobs > 0 { // servers before 0.12.11 ignore it
		body["logprobs"], body["top_logprobs"] = true, r.TopLogprobs
	}
	switch {
	case r.Thinking != 0 && strings.Contains(strings.ToLower(r.Model), "gpt-oss"):
		// Its models take a level, and cannot do without.
		body["think"] = effort(max(r.Thinking, 1))
	case r.Thinking != 0:
		body["think"] = r.Thinking > 0
	}
	return call{path: "api/chat", body: body}
}

// window is the context to ask for: what the request and its reply take at most,
// as a power of two, and never less than before, for the server loads the model
// anew whenever it changes. A text that goes beyond is refused by the server,
// not cut.
func (p *ollamaDialect) window(r Request) int {
	need := mostInput(r) + mostOutput(r)
	p.mu.Lock()
	defer p.mu.Unlock()
	n := max(p.windows[r.Model], leastWindow)
	for n < need {
		n *= 2
	}
	p.windows[r.Model] = n
	return n
}

func decodeOllama(body []byte) (Reply, error) {
	var v struct {
		Model   string `json:"model"`
		Message *struct {
			Content  string `json:"content"`
			Thinking string `json:"thinking"`
			Tools    []any  `json:"tool_calls"`
		} `json:"message"`
		Done   *bool         `json:"done"`
		Stop   string        `json:"done_reason"`
		Input  count         `json:"prompt_eval_count"`
		Output count         `json:"eval_count"`
		Tokens side[[]Token] `json:"logprobs"`
	}
	if err := json.Unmarshal(body, &v); err != nil {
		return Reply{}, err
	}
	if v.Message == nil {
		return Reply{}, errNoPayload
	}
	switch {
	case len(v.Message.Tools) > 0:
		v.Stop = modelreply.StopTool
	case v.Stop == "" && v.Done != nil && !*v.Done:
		v.Stop = modelreply.StopCut
	}
	return Reply{
		Text: v.Message.Content, Thinking: v.Message.Thinking, Model: v.Model, Stop: v.Stop, Tokens: v.Tokens.v,
		Usage: Usage{Input: int(v.Input), Output: int(v.Output)},
	}, nil
}

// ollamaHost turns what OLLAMA_HOST holds into a base URL, as Ollama reads it:
// scheme, port and host may each be missing. A server that listens on all
// addresses is called at the loopback one.
func ollamaHost(s string) string {
	s = strings.Trim(strings.TrimSpace(s), `"'`)
	scheme, rest, given := strings.Cut(s, "://")
	if !given {
		scheme, rest = "http", s
	}
	rest, path, _ := strings.Cut(rest, "/")
	host, port, err := net.SplitHostPort(rest)
	if err != nil {
		host, port = strings.Trim(rest, "[]"), "11434"
		if given {
			port = map[string]string{"http": "80", "https": "443"}[scheme]
		}
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return strings.TrimRight(scheme+"://"+net.JoinHostPort(host, port)+"/"+path, "/")
}
