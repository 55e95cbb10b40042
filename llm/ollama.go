package llm

import (
	"context"
	"net/http"
	"sync"
)

// leastWindow is the smallest context that is asked for, in tokens: the server's
// own default, so that small questions do not load the model again.
const leastWindow = 4096

// ollama speaks the protocol of Ollama.
type ollama struct {
	transport
	agreement

	mu sync.Mutex
	// windows are the contexts that were last asked for, by model.
	windows map[string]int
}

func openOllama(o Options) (Provider, error) {
	if o.BaseURL == "" {
		o.BaseURL = ollamaHost(o.Getenv("OLLAMA_HOST"))
	}
	base, err := address(o.BaseURL, "/api/chat", "/api")
	if err != nil {
		return nil, err
	}
	t, err := reach(o, base, "", "", false)
	if err != nil {
		return nil, err
	}
	t.authorize = func(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) }
	return &ollama{transport: t, windows: map[string]int{}, agreement: agreement{terms: []concession{
		drop("think", noThinking),
		{
			// Servers before 0.5 know the word "json", but no schema.
			name: "schema", words: []string{"format", "schema", "grammar"}, warning: noSchema,
			yield: func(body map[string]any) bool {
				_, word := body["format"].(string)
				if body["format"] == nil || word {
					return false
				}
				body["format"] = "json"
				return true
			},
		},
	}}}, nil
}

func (p *ollama) Complete(ctx context.Context, r Request) (Reply, error) {
	return p.exchange(ctx, &p.transport, r, "api/chat", p.body(r), p.reply)
}

func (p *ollama) body(r Request) map[string]any {
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
	if r.Thinking > 0 {
		body["think"] = true
	}
	return body
}

// window is the context to ask for: what the request and its reply take at most,
// as a power of two, and never less than before, for the server loads the model
// anew whenever it changes. A text that goes beyond is refused by the server,
// not cut.
func (p *ollama) window(r Request) int {
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

func (p *ollama) reply(r Request, a answer) (Reply, error) {
	var v struct {
		Model   string `json:"model"`
		Message *struct {
			Content  string `json:"content"`
			Thinking string `json:"thinking"`
		} `json:"message"`
		Stop   string `json:"done_reason"`
		Input  count  `json:"prompt_eval_count"`
		Output count  `json:"eval_count"`
	}
	if err := p.decode(r.Model, a, &v); err != nil {
		return Reply{}, err
	}
	if v.Message == nil {
		return Reply{}, p.without(r.Model, a, "message")
	}
	said, thought := v.Message.Content, v.Message.Thinking
	if thought == "" {
		said, thought = splitThinking(said)
	}
	return Reply{
		Text: said, Thinking: thought, Model: v.Model, Stop: stop(v.Stop),
		Usage: Usage{Input: int(v.Input), Output: int(v.Output)},
	}, nil
}
