package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/llmtest"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The two protocols against a real server with a real model. One server serves
// all: loading a model takes longer than asking it.
func TestRealServer(t *testing.T) {
	t.Parallel()
	base := llmtest.Ollama(t)
	for kind, o := range map[string]llm.Options{
		"openai": {BaseURL: base + "/v1"},
		"ollama": {BaseURL: base},
	} {
		p := open(t, kind, o)
		for name, check := range map[string]func(*testing.T, llm.Provider){
			"answer": realAnswer, "schema": realSchema, "thinking": realThinking, "errors": realErrors, "length": realLength, "cancel": realCancel,
			"log probabilities": realLogprobs,
		} {
			t.Run(kind+" "+name, func(t *testing.T) { check(t, p) })
		}
	}
	// Ollama speaks a part of Anthropic's protocol, too.
	p := open(t, "anthropic", llm.Options{BaseURL: base, KeyEnv: "KEY", Getenv: env("KEY", "any")})
	for name, check := range map[string]func(*testing.T, llm.Provider){
		"answer": realAnswer,
		"errors": realErrors,
		"length": realLength,
		"cancel": realCancel,
	} {
		t.Run("anthropic "+name, func(t *testing.T) { check(t, p) })
	}
	t.Run("ollama window", func(t *testing.T) { realWindow(t, open(t, "ollama", llm.Options{BaseURL: base})) })
}

func smallQuestion(text string) llm.Request {
	return llm.Request{
		Model: llmtest.Small, System: "You answer briefly.", MaxTokens: 48, Temperature: ptr(0.0), Seed: ptr(int64(1)),
		Messages: []llm.Message{{Role: "user", Text: text}},
	}
}

func realAnswer(t *testing.T, p llm.Provider) {
	got := complete(t, p, smallQuestion("What is the capital of France?"))
	if !strings.Contains(got.Text, "France") || got.Model != llmtest.Small || got.Stop != "end" || len(got.Warnings) != 0 {
		t.Errorf("reply %+v: want one about France", got)
	}
	// The two messages have 11 words; the template adds its marks.
	if u := got.Usage; u.Input < 11 || u.Input > 100 || u.Output < 1 || u.Output > 48 {
		t.Errorf("usage %+v: want 11 to 100 tokens in and 1 to 48 out", u)
	}
	if again := complete(t, p, smallQuestion("What is the capital of France?")); again.Text != got.Text {
		t.Errorf("the same seed gives %q and %q", got.Text, again.Text)
	}
}

// The schema has the form of those of the judge, and nothing that a weak model
// could go on with for ever.
func realSchema(t *testing.T, p llm.Provider) {
	const schema = `{
		"type": "object",
		"properties": {
			"kind": {"type": "string", "enum": ["answered", "partial", "abstained"]},
			"items": {"type": "array", "minItems": 2, "maxItems": 2, "items": {
				"type": "object",
				"properties": {"id": {"type": "integer"}, "verdict": {"type": "string", "enum": ["supported", "not_found"]}, "alone": {"type": "boolean"}},
				"required": ["id", "verdict", "alone"], "additionalProperties": false
			}}
		},
		"required": ["kind", "items"], "additionalProperties": false
	}`
	form, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("reply.json", form); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("reply.json")
	if err != nil {
		t.Fatal(err)
	}
	r := smallQuestion("Do cats bark, and do dogs? Tell me about yesterday's weather, too.")
	r.Schema, r.MaxTokens = json.RawMessage(schema), 256
	got := complete(t, p, r)
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(got.Text))
	if err == nil {
		err = compiled.Validate(value)
	}
	if err != nil {
		t.Errorf("reply %q: %v: want JSON of the schema", got.Text, err)
	}
	if len(got.Warnings) != 0 {
		t.Errorf("warnings %q: want none", got.Warnings)
	}
}

func realThinking(t *testing.T, p llm.Provider) {
	r := smallQuestion("What is the capital of France?")
	r.Thinking = 1000
	got := complete(t, p, r)
	if got.Text == "" || got.Thinking != "" || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "does not support thinking") {
		t.Errorf("reply %+v: want an answer with one warning", got)
	}
	if got := complete(t, p, r); len(got.Warnings) != 0 {
		t.Errorf("warnings %q: want none the second time", got.Warnings)
	}
}

func realErrors(t *testing.T, p llm.Provider) {
	r := smallQuestion("Hello.")
	r.Model = "no-such-model"
	_, err := p.Complete(t.Context(), r)
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.KindModel || e.Status != 404 || !strings.Contains(e.Message, "no-such-model") {
		t.Errorf("a model that is not there: %v: want kind %q", err, llm.KindModel)
	}
	r = smallQuestion("Hello.")
	r.Messages[0].Role = "nobody"
	if _, err := p.Complete(t.Context(), r); err != nil && !llm.IsKind(err, llm.KindRequest) {
		t.Errorf("a role that is not there: %v: want a reply or kind %q", err, llm.KindRequest)
	}
}

func realLength(t *testing.T, p llm.Provider) {
	r := smallQuestion("Count from one to a hundred, in words.")
	r.MaxTokens = 8
	if got := complete(t, p, r); got.Stop != "length" || got.Usage.Output > 8 {
		t.Errorf("reply %+v: want one that ended by its length", got)
	}
}

// The likeliest tokens of the first place are ordered, and the one that was drawn at
// temperature 0 is the first.
func realLogprobs(t *testing.T, p llm.Provider) {
	r := smallQuestion("Is Paris in France? Reply with one word, Yes or No.")
	r.MaxTokens, r.TopLogprobs = 4, 5
	got := complete(t, p, r)
	if len(got.Tokens) == 0 || len(got.Tokens[0].Top) != 5 || len(got.Warnings) != 0 {
		t.Fatalf("reply %+v: want tokens with 5 alternatives each", got)
	}
	first, sum := got.Tokens[0], 0.0
	for i, one := range first.Top {
		if sum += math.Exp(one.Logprob); i > 0 && one.Logprob > first.Top[i-1].Logprob {
			t.Errorf("%+v: want the likeliest first", first.Top)
		}
	}
	if first.Top[0].Text != first.Text || sum <= 0 || sum > 1+1e-6 {
		t.Errorf("%+v: want %q first, and probabilities of 1 together at most", first.Top, first.Text)
	}
	if r.TopLogprobs = 0; complete(t, p, r).Tokens != nil {
		t.Error("tokens that were not asked for")
	}
}

// The model writes for a minute; the call ends with its context.
func realCancel(t *testing.T, p llm.Provider) {
	r := smallQuestion("Write a long story.")
	r.MaxTokens, r.Schema = 4000, json.RawMessage(`{"type":"array","minItems":500,"items":{"type":"string"}}`)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	began := time.Now()
	got, err := p.Complete(ctx, r)
	if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took > 5*time.Second {
		t.Errorf("%+v, %v after %v: want %v at once", got, err, took, context.DeadlineExceeded)
	}
	if got := complete(t, p, smallQuestion("What is the capital of France?")); got.Text == "" {
		t.Errorf("after that, reply %+v", got)
	}
}

// What does not fit the model is refused, not cut.
func realWindow(t *testing.T, p llm.Provider) {
	r := smallQuestion(strings.Repeat("The ferry leaves at nine. ", 3000))
	if got, err := p.Complete(t.Context(), r); !llm.IsKind(err, llm.KindTooLong) {
		t.Errorf("18,000 tokens for a model of 8,192: %+v, %v: want kind %q", got, err, llm.KindTooLong)
	}
	// 60 sentences of 6 tokens: too many for a window of 256, but not for
	// the one that the provider asks for by itself.
	r = smallQuestion(strings.Repeat("The ferry leaves at nine. ", 60))
	r.MaxTokens = 8
	if got := complete(t, p, r); got.Usage.Input < 360 {
		t.Errorf("60 sentences: usage %+v: want all of them read", got.Usage)
	}
	r.Extra = map[string]any{"options": map[string]any{"num_ctx": 256}}
	if got, err := p.Complete(t.Context(), r); !llm.IsKind(err, llm.KindTooLong) {
		t.Errorf("60 sentences in a window of 256: %+v, %v: want kind %q", got, err, llm.KindTooLong)
	}
}
