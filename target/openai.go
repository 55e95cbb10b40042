package target

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"

	"github.com/assay-eval/assay/target/reply"
)

// OpenAIConfig describes a server of the chat-completions protocol.
type OpenAIConfig struct {
	// HTTP holds the common settings. Endpoint is the base address, such as
	// "http://127.0.0.1:8000/v1", or the address of chat/completions itself; an address
	// without a path gets /v1. Send, if set, holds additional body fields, which
	// override the defaults. Read adds paths, such as those of an answer elsewhere or
	// of the passages.
	HTTP HTTPConfig
	// Model is required unless Send has it. System is the system prompt, "" for none.
	// Neither may hold placeholders.
	Model, System string
}

// The parts of a chat completion.
var openAIPaths = map[string]string{
	reply.Answer:       "choices[0].message.content",
	reply.InputTokens:  "usage.prompt_tokens",
	reply.OutputTokens: "usage.completion_tokens",
	reply.Failure:      "error.message",
}

// NewOpenAI makes a target of a chat-completions server. {"stream": true} in Send
// requests a streamed reply. Passages are read from the fields in which known vendors
// return them, unless Read says otherwise.
func NewOpenAI(c OpenAIConfig) (*HTTP, error) {
	body := map[string]any{"stream": false}
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
	default:
		return nil, fmt.Errorf("send: %T: expected an object of further fields, such as {\"temperature\": 0}", send)
	}
	if body["model"] == nil {
		return nil, errors.New("openai.model: is empty: expected the name of a model of the server")
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

// literal escapes a text as a template without placeholders.
func literal(s string) string { return strings.ReplaceAll(s, "{{", "{{{{") }

// openAIEndpoint completes a base address. NewHTTP reports invalid addresses.
func openAIEndpoint(s string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", errors.New("endpoint: is empty: expected the base address of a server, such as http://127.0.0.1:8000/v1")
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
