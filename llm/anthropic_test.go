package llm_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/llmtest"
)

// A picky server refuses requests for what they hold.
type picky struct {
	// refuses maps what a body may not hold to what the server says then.
	refuses [][2]string
	status  int
	fail    func(message string) []byte
	reply   []byte
	sent    []string
}

func (s *picky) open(t *testing.T, kind string) llm.Provider {
	return open(t, kind, llm.Options{
		BaseURL: "http://server.example",
		KeyEnv:  "KEY",
		Getenv:  env("KEY", "sk-planted-1"),
		HTTP:    &http.Client{Transport: s},
	})
}

func (s *picky) RoundTrip(q *http.Request) (*http.Response, error) {
	net := trip{status: 200, body: string(s.reply)}
	r, err := net.RoundTrip(q)
	if err != nil {
		return nil, err
	}
	s.sent = append(s.sent, net.sent)
	for _, c := range s.refuses {
		if strings.Contains(net.sent, c[0]) {
			net = trip{status: s.status, body: string(s.fail(c[1]))}
			q.Body = http.NoBody
			return net.RoundTrip(q)
		}
	}
	return r, nil
}

func anthropicFail(message string) []byte {
	return object{"type": "error", "error": object{"type": "invalid_request_error", "message": message}}.json()
}

func ptr[T any](v T) *T { return &v }

func TestAnthropicConforms(t *testing.T) {
	t.Parallel()
	llmtest.Run(t, llmtest.Wire{
		Kind:    "anthropic",
		Reply:   anthropicReply,
		Usage:   func(u llm.Usage) llm.Usage { return u },
		Refuses: true,
		Fail:    anthropicFail,
		Read: func(c llmtest.Call) llmtest.Asked {
			texts := textsOf(c.Body["system"])
			for _, m := range c.Body["messages"].([]any) {
				texts = append(texts, textsOf(m.(map[string]any)["content"])...)
			}
			return llmtest.Asked{Model: c.Body["model"].(string), Texts: texts, Schema: at(c.Body, "output_config", "format", "schema")}
		},
		Reserved: chatReserved,
	})
}

func TestAnthropicRequest(t *testing.T) {
	t.Parallel()
	s := &picky{reply: anthropicReply(llm.Reply{Text: "I", Stop: "end"})}
	p := s.open(t, "anthropic")
	r := hello("claude")
	r.System, r.Temperature, r.Seed, r.Schema = "Be.", ptr(0.0), ptr(int64(7)), json.RawMessage(`{"type":"object"}`)
	complete(t, p, r)
	r.Thinking, r.MaxTokens = 100, 8000
	complete(t, p, r)
	r.Thinking, r.MaxTokens, r.Schema, r.System = 9000, 8000, nil, ""
	r.Extra = map[string]any{"output_config": map[string]any{"effort": "low"}}
	complete(t, p, r)
	schema := `"output_config":{"format":{"schema":{"type":"object"},"type":"json_schema"}}`
	system := `"system":[{"cache_control":{"type":"ephemeral"},"text":"Be.","type":"text"}]`
	messages := `"messages":[{"content":[{"text":"hello","type":"text"}],"role":"user"}],"model":"claude"`
	for i, want := range []string{
		// The protocol takes no seed.
		`{"max_tokens":4096,` + messages + `,` + schema + `,` + system + `,"temperature":0}`,
		// The least budget is 1024. Thinking and a temperature exclude each other.
		`{"max_tokens":8000,` + messages + `,` + schema + `,` + system + `,"thinking":{"budget_tokens":1024,"type":"enabled"}}`,
		// 1024 tokens are left for the reply.
		`{"max_tokens":8000,` + messages + `,"output_config":{"effort":"low"},"thinking":{"budget_tokens":6976,"type":"enabled"}}`,
	} {
		if s.sent[i] != want {
			t.Errorf("request %d:\n%s\nwant\n%s", i, s.sent[i], want)
		}
	}
	// 1500 tokens cannot hold the least budget and a reply.
	r = hello("claude")
	r.Thinking, r.MaxTokens = 1000, 1500
	if got := complete(t, p, r); len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "2048") {
		t.Errorf("warnings %q: want one", got.Warnings)
	}
	if got := complete(t, p, r); len(got.Warnings) != 0 || strings.Contains(s.sent[4], "thinking") {
		t.Errorf("warnings %q and request %s: want neither a warning nor thinking", got.Warnings, s.sent[4])
	}
}

func complete(t *testing.T, p llm.Provider, r llm.Request) llm.Reply {
	t.Helper()
	got, err := p.Complete(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Everything that a model may not take is left out, once for each model, and
// told once.
func TestAnthropicConcedes(t *testing.T) {
	t.Parallel()
	s := &picky{status: 400, fail: anthropicFail, reply: anthropicReply(llm.Reply{Text: "I", Stop: "end"}), refuses: [][2]string{
		{
			`"type":"enabled"`,
			`"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`,
		},
		{`json_schema`, `'claude-old' does not support output format.`},
		{`temperature`, "`temperature` is deprecated for this model."},
		{`cache_control`, "system.0.cache_control: Extra inputs are not permitted"},
	}}
	p := s.open(t, "anthropic")
	r := hello("claude-old")
	r.System, r.Thinking, r.Schema = "Be.", 2000, json.RawMessage(`{"type":"object"}`)
	got := complete(t, p, r)
	want := []string{
		`claude-old: chooses its own thinking budget; the given one was not sent ("thinking.type.enabled" is not supported`,
		`claude-old: does not support JSON schemas; only the prompt describes the format of the reply ` +
			`('claude-old' does not support output format.)`,
		`claude-old: does not support prompt caching (system.0.cache_control: Extra`,
	}
	if len(got.Warnings) != len(want) || len(s.sent) != 4 {
		t.Fatalf("%d requests and warnings %q: want 4 and %q", len(s.sent), got.Warnings, want)
	}
	for i := range want {
		if !strings.HasPrefix(got.Warnings[i], want[i]) {
			t.Errorf("warning %q: want %q", got.Warnings[i], want[i])
		}
	}
	if want := `{"max_tokens":4096,"messages":[{"content":[{"text":"hello","type":"text"}],"role":"user"}],"model":"claude-old","system":[{"text":"Be.","type":"text"}],"thinking":{"display":"summarized","type":"adaptive"}}`; s.sent[3] != want {
		t.Errorf("sent\n%s\nwant\n%s", s.sent[3], want)
	}
	if got := complete(t, p, r); len(got.Warnings) != 0 || len(s.sent) != 5 || s.sent[4] != s.sent[3] {
		t.Errorf("the second time: warnings %q, %d requests, the last %s", got.Warnings, len(s.sent), s.sent[len(s.sent)-1])
	}
	r.Model = "claude-new"
	if got := complete(t, p, r); len(got.Warnings) != 3 || len(s.sent) != 9 {
		t.Errorf("another model: warnings %q, %d requests: want its own three, and 9", got.Warnings, len(s.sent))
	}
	r = hello("claude-old")
	r.Temperature = ptr(0.5)
	if got := complete(t, p, r); len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "does not accept a temperature") {
		t.Errorf("warnings %q: want one of the temperature", got.Warnings)
	}
}

// A refusal that no fallback mends is an error, and nothing is learnt of it.
func TestAnthropicConcedesNothingInVain(t *testing.T) {
	t.Parallel()
	s := &picky{status: 400, fail: anthropicFail, refuses: [][2]string{{`hello`, "thinking and temperature are beside the point"}},
		reply: anthropicReply(llm.Reply{Text: "I", Stop: "end"})}
	p := s.open(t, "anthropic")
	r := hello("claude")
	r.Thinking = 2000
	if _, err := p.Complete(t.Context(), r); !llm.IsKind(err, llm.KindRequest) || len(s.sent) != 2 {
		t.Errorf("%v after %d requests: want kind %q after 2", err, len(s.sent), llm.KindRequest)
	}
	s.refuses = nil
	if got := complete(t, p, r); len(got.Warnings) != 0 || !strings.Contains(s.sent[2], "budget_tokens") {
		t.Errorf("warnings %q, request %s: want thinking, and no warning", got.Warnings, s.sent[2])
	}
}

func TestAnthropicReply(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]llm.Reply{
		`{"content":[{"type":"thinking","thinking":"a"},{"type":"redacted_thinking","data":"x"},{"type":"text","text":"b"},{"type":"thinking","thinking":"c"},{"type":"text","text":"d"}],"stop_reason":"stop_sequence"}`: {Text: "bd", Thinking: "ac", Stop: "end"},
		`{"content":[],"stop_reason":"refusal","usage":{"input_tokens":null,"output_tokens":"7"}}`:                                                                                                                        {Stop: "refusal", Usage: llm.Usage{Output: 7}},
		`{"content":[],"stop_reason":"model_context_window_exceeded","usage":{"input_tokens":3,"cache_creation_input_tokens":4,"cache_read_input_tokens":5,"output_tokens":2.0,"output_tokens_details":{"thinking_tokens":1}}}`: {
			Stop:  "length",
			Usage: llm.Usage{Input: 12, CacheRead: 5, CacheWrite: 4, Output: 2, Reasoning: 1},
		},
		`{"content":[],"stop_reason":"pause_turn","usage":{"input_tokens":-3}}`: {Stop: "broken"},
	} {
		s := &picky{reply: []byte(body)}
		if got := complete(t, s.open(t, "anthropic"),
			hello("m")); got.Text != want.Text || got.Thinking != want.Thinking || got.Stop != want.Stop || got.Usage != want.Usage {
			t.Errorf("%s\ngives %+v\nwant  %+v", body, got, want)
		}
	}
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
