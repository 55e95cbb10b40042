package llm_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/llmtest"
)

func ollamaFail(message string) []byte { return object{"error": message}.json() }

func TestOllamaConforms(t *testing.T) {
	t.Parallel()
	llmtest.Run(t, llmtest.Wire{
		Kind:  "ollama",
		Reply: ollamaReply,
		Usage: func(u llm.Usage) llm.Usage { return llm.Usage{Input: u.Input, Output: u.Output} },
		Fail:  ollamaFail,
		Read: func(c llmtest.Call) llmtest.Asked {
			asked := chat(c)
			asked.Schema = c.Body["format"]
			return asked
		},
		Reserved: chatReserved,
	})
}

func TestOllamaRequest(t *testing.T) {
	t.Parallel()
	s := &picky{reply: ollamaReply(llm.Reply{Text: "I", Stop: "end"})}
	p := s.open(t, "ollama")
	r := hello("m")
	r.System, r.Temperature, r.Seed, r.Thinking, r.MaxTokens, r.Schema = "Be.", ptr(0.0), ptr(int64(7)), 500, 100, json.RawMessage(`{"type":"object"}`)
	r.Extra = map[string]any{"keep_alive": "1h", "options": map[string]any{"top_k": 1}}
	complete(t, p, r)
	want := `{"format":{"type":"object"},"keep_alive":"1h","messages":[{"content":"Be.","role":"system"},{"content":"hello","role":"user"}],"model":"m",` +
		`"options":{"num_ctx":4096,"num_predict":100,"seed":7,"temperature":0,"top_k":1},"shift":false,"stream":false,"think":true,"truncate":false}`
	if s.sent[0] != want {
		t.Errorf("sent\n%s\nwant\n%s", s.sent[0], want)
	}
}

// The window holds the question and the reply, is a power of two, and never
// shrinks.
func TestOllamaWindow(t *testing.T) {
	t.Parallel()
	s := &picky{reply: ollamaReply(llm.Reply{Text: "I", Stop: "end"})}
	p := s.open(t, "ollama")
	for _, c := range []struct {
		model, text string
		max, want   int
	}{
		{"m", "hello", 100, 4096},
		{"m", "hello", 0, 8192}, // 4,096 for the reply, and more for the rest
		// By the rule of thumb of EstimateTokens, with its margin of a half.
		{"m", strings.Repeat("a", 30_000), 100, 16384},  // 1.5 × (7,500 + 32) + 100
		{"m", strings.Repeat("甲", 20_000), 100, 32768},  // 1.5 × (20,000 + 32) + 100
		{"m", strings.Repeat("1", 10_000), 100, 32768},  // less, but it was more before
		{"n", strings.Repeat("1, ", 8_000), 100, 16384}, // 1.5 × (8,000 × 5/4 + 32) + 100
	} {
		r := hello(c.model)
		r.Messages[0].Text, r.MaxTokens = c.text, c.max
		complete(t, p, r)
		if got := s.sent[len(s.sent)-1]; !strings.Contains(got, fmt.Sprintf(`"num_ctx":%d,`, c.want)) {
			t.Errorf("%s, %d × %.3q, %d tokens: the request ends with %s: want %d", c.model, len(c.text), c.text, c.max, got[len(got)-150:], c.want)
		}
	}
	r := hello("m")
	r.Extra = map[string]any{"options": map[string]any{"num_ctx": 2048}}
	complete(t, p, r)
	if got := s.sent[len(s.sent)-1]; !strings.Contains(got, `"num_ctx":2048,`) {
		t.Errorf("sent %s: want the user's own window", got)
	}
}

func TestOllamaConcedes(t *testing.T) {
	t.Parallel()
	s := &picky{status: 400, fail: ollamaFail, reply: ollamaReply(llm.Reply{Text: "I", Stop: "end"}), refuses: [][2]string{
		{`"think"`, `"m" does not support thinking`},
		{`"format":{`, `invalid format: expected "json"`},
	}}
	p := s.open(t, "ollama")
	r := hello("m")
	r.Thinking, r.Schema = 500, json.RawMessage(`{"type":"object"}`)
	got := complete(t, p, r)
	if len(s.sent) != 3 || len(got.Warnings) != 2 ||
		got.Warnings[0] != `m: does not support thinking; the request was sent without it ("m" does not support thinking)` ||
		!strings.HasPrefix(got.Warnings[1], "m: does not support JSON schemas") || !strings.HasPrefix(s.sent[2], `{"format":"json",`) {
		t.Errorf("warnings %q, requests %q", got.Warnings, s.sent)
	}
	if again := complete(t, p, r); len(again.Warnings) != 0 || len(s.sent) != 4 {
		t.Errorf("the second time: warnings %q, %d requests: want none, and 4", again.Warnings, len(s.sent))
	}
}

func TestOllamaReply(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]llm.Reply{
		`{"model":"m","message":{"content":"a","thinking":"b"},"done_reason":"stop","done":true,"prompt_eval_count":5,"eval_count":3}`: {
			Text:     "a",
			Thinking: "b",
			Stop:     "end",
			Usage:    llm.Usage{Input: 5, Output: 3},
		},
		`{"message":{"content":"<think>b</think>a"},"done_reason":"length"}`: {Text: "a", Thinking: "b", Stop: "length"},
		`{"message":{},"done_reason":"load"}`:                                {Stop: "broken"},
		`{"message":{"content":"a"},"done":false}`:                           {Text: "a", Stop: "cut"},
	} {
		s := &picky{reply: []byte(body)}
		if got := complete(t, s.open(t, "ollama"),
			hello("m")); got.Text != want.Text || got.Thinking != want.Thinking || got.Stop != want.Stop || got.Usage != want.Usage {
			t.Errorf("%s\ngives %+v\nwant  %+v", body, got, want)
		}
	}
}

func ollamaReply(r llm.Reply) []byte {
	message := object{"role": "assistant", "content": r.Text}
	if r.Thinking != "" {
		message["thinking"] = r.Thinking
	}
	return object{
		"model": r.Model, "created_at": "2026-01-02T03:04:05Z", "message": message, "done": true,
		"done_reason":       in(map[string]string{"end": "stop"}, r.Stop),
		"prompt_eval_count": r.Usage.Input, "eval_count": r.Usage.Output, "total_duration": 5191566416,
	}.json()
}
