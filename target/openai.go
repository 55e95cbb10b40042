package target

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"

	"github.com/assay-eval/assay/target/reply"
)

// OpenAIConfig says how a server of the chat-completions protocol is asked.
type OpenAIConfig struct {
	// HTTP holds the rest: Endpoint is the base address, such as
	// "http://127.0.0.1:8000/v1", or that of chat/completions itself; an address
	// without a path gets /v1. The fields of Send, when it is set, are added to
	// the body and go before those that it has. Read adds to what the protocol
	// has: an answer elsewhere, or where the passages are.
	HTTP HTTPConfig
	// Model is required, unless Send has it; System is the system prompt, ""
	// for none. Neither holds placeholders.
	Model, System string
}

// The parts of a chat completion.
var openAIPaths = map[string]string{
	reply.Answer:       "choices[0].message.content",
	reply.InputTokens:  "usage.prompt_tokens",
	reply.OutputTokens: "usage.completion_tokens",
	reply.Failure:      "error.message",
}

// NewOpenAI makes a target of a chat-completions server. The reply may be
// streamed: {"stream": true} in Send asks for that. Passages are read from the
// fields in which vendors are known to return them, unless Read says where they
// are.
func NewOpenAI(c OpenAIConfig) (*HTTP, error) {
	body := map[string]any{}
	if c.Model != "" {
		body["model"] = literal(c.Model)
	}
	var messages []any
	if c.System != "" {
		messages = append(messages, map[string]any{"role": "system", "content": literal(c.System)})
	}
	body["messages"] = append(messages, map[string]any{"role": "user", "content": "{{question}}"})
	switch send := c.HTTP.Send.(type) {
	case nil:
	case map[string]any:
		maps.Copy(body, send)
	case map[any]any:
		for key, value := range send {
			body[fmt.Sprint(key)] = value
		}
	default:
		return nil, fmt.Errorf("send: %T: want an object of further fields, such as {\"temperature\": 0}", send)
	}
	if body["model"] == nil {
		return nil, errors.New("openai.model: is empty: want the name of a model of the server")
	}
	endpoint, err := openAIEndpoint(c.HTTP.Endpoint)
	if err != nil {
		return nil, err
	}
	conf := c.HTTP
	conf.Endpoint, conf.Send = endpoint, body
	if !conf.Read.Empty() {
		all := maps.Clone(openAIPaths)
		maps.Copy(all, conf.Read.Paths())
		if conf.Read, err = reply.NewMapping(all); err != nil {
			return nil, err
		}
	}
	return NewHTTP(conf)
}

// literal makes a template of a text that holds no placeholders.
func literal(s string) string { return strings.ReplaceAll(s, "{{", "{{{{") }

// openAIEndpoint completes a base address. What is wrong with it NewHTTP says.
func openAIEndpoint(s string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", errors.New("endpoint: is empty: want the base address of a server, such as http://127.0.0.1:8000/v1")
	}
	address, query, _ := strings.Cut(s, "?")
	if query != "" {
		query = "?" + query
	}
	address = strings.TrimRight(address, "/")
	if strings.HasSuffix(address, "/chat/completions") {
		return address + query, nil
	}
	if u, err := url.Parse(address); err == nil && u.Host != "" && u.Path == "" {
		address += "/v1"
	}
	return address + "/chat/completions" + query, nil
}
