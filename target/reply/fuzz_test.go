package reply_test

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target/reply"
)

// sound checks what holds of every response that was read.
func sound(t *testing.T, r assay.Response, readings []reply.Reading) {
	t.Helper()
	if _, err := json.Marshal(r); err != nil {
		t.Errorf("%+v: %v", r, err)
	}
	for _, p := range r.Passages {
		if math.IsNaN(p.Score) || math.IsInf(p.Score, 0) || p.Index < 0 {
			t.Errorf("%+v", p)
		}
	}
	if u := r.Usage; u.InputTokens < 0 || u.OutputTokens < 0 || u.Cost < 0 {
		t.Errorf("%+v", u)
	}
	if r.Trace != nil {
		for _, s := range r.Trace.Stages {
			if s.Latency < 0 || s.Name == "" {
				t.Errorf("%+v", s)
			}
		}
	}
	for _, r := range readings {
		if r.Part == "" || r.Path == "" || r.Found == "" {
			t.Errorf("%+v", r)
		}
	}
}

var seeds = []string{
	`{"answer": "A", "contexts": ["one", {"text": "two", "score": 1e308}]}`, `{"choices": [{"message": {"content": [{"type": "text", ` +
		`"text": "A"}]}}], "usage": {"prompt_tokens": -1}}`,
	`{"ids": [["a"], []], "documents": [[null]], "distances": [["x"]]}`, `{"root": {"fields": {"totalCount": 0}}}`,
	`{"data": {"Get": {"A": [{"content": 1}, 2]}}}`,
	`{"output": {"messages": [{"content": null}]}, "stages": [{"name": "x", "ms": 1e300}]}`, `[[], {}, null]`,
	`{"citations": [{"retrievedReferences": [1]}], "output": {"text": 1}}`,
	`{"answer": "A", "stages": [{"name": "decompose", "output": ["a", "b"]}, {"name": "retrieve", "output": [["a", [{"id": 1}]], ["b", ` +
		`[]]]}, {"name": "filter", "output": {"b": ["1"], "a": [["t", {}, 1]]}}]}`,
	`{"data": {"extracted_key_questions": [{}], "input": {"text": {}}, "retrieval": {"per_sub_question": [{"sub_question_index": 1e300, ` +
		`"chunks": [1]}]}, "filtered": {"per_sub_question": []}, "response": {"final_answer": 1, "sub_question_sources": [[]]}, "timing": ` +
		`{"filter_time_ms": "x"}}}`,
	`{"answer": "A", "stages": {"retrieve": [[["t", {"id": 1}]], ["x"]], "generate": {"sources": [["t"], []]}}, "sub_questions": [{"text": ` +
		`"t"}], "transcript": ""}`,
	`{"error": {"message": ""}, "trace": {"stages": {"a": 1}}, "result": [{"payload": {"text": ["a"]}}]}`, `"text"`,
	`{"records": [{"segment": []}]}`,
}

// mutated returns copies of a decoded reply, each with one of its values as something else.
func mutated(v any) (out []any) {
	out = []any{[]any{}, map[string]any{}, nil, "", 0.0, []any{nil}, []any{[]any{}}, []any{map[string]any{}}, true}
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			for _, m := range mutated(inner) {
				o := maps.Clone(v)
				o[k] = m
				out = append(out, o)
			}
		}
	case []any:
		for i, inner := range v {
			for _, m := range mutated(inner) {
				list := slices.Clone(v)
				list[i] = m
				out = append(out, list)
			}
		}
	}
	return out
}

// Replies of known shapes are read, or are an error, whatever one of their values is.
func TestMutatedReplies(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		`{"object": "response", "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": [{"type": "message", ` +
			`"content": [{"type": "output_text", "text": "A"}]}]}`,
		`{"choices": [{"message": {"role": "assistant", "content": "A"}, "finish_reason": "length"}]}`,
		`{"role": "assistant", "content": [{"type": "text", "text": "A"}], "stop_reason": "max_tokens"}`,
		`{"candidates": [{"content": {"parts": [{"text": "A"}]}, "finishReason": "MAX_TOKENS"}]}`,
		`{"output": {"message": {"role": "assistant", "content": [{"text": "A"}]}}, "stopReason": "max_tokens"}`,
		`{"messages": [{"type": "ai", "content": "A", "response_metadata": {"finish_reason": "length"}}]}`,
		`{"hits": {"hits": [{"_id": "a", "_source": {"text": "t"}}]}}`,
	} {
		var v any
		if err := json.Unmarshal([]byte(s), &v); err != nil {
			t.Fatal(err)
		}
		for _, m := range mutated(v) {
			detected, _, _ := reply.Detect(m)
			r, readings, _ := detected.Read(m)
			sound(t, r, readings)
		}
	}
}

func FuzzDetect(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var v any
		if d := json.NewDecoder(strings.NewReader(text)); len(text)%2 == 0 {
			d.UseNumber()
			_ = d.Decode(&v)
		} else {
			_ = d.Decode(&v)
		}
		suggested := reply.Suggest(v)
		if len(suggested) > 5 {
			t.Errorf("%q", suggested)
		}
		for _, s := range suggested {
			if !strings.HasPrefix(s, "read.") || !strings.Contains(s, ": ") {
				t.Errorf("suggests %q", s)
			}
		}
		m, shape, ok := reply.Detect(v)
		if ok == (shape == "") || ok == m.Empty() {
			t.Errorf("%q, %v: %v", shape, ok, m.Paths())
		}
		if _, err := reply.NewMapping(m.Paths()); err != nil {
			t.Errorf("%s: %v", shape, err)
		}
		r, readings, err := m.Read(v)
		var failure *reply.FailureError
		if err != nil && !errors.As(err, &failure) && !strings.Contains(err.Error(), ", as many as ") {
			t.Errorf("detected as %q by %v, and then: %v", shape, m.Paths(), err)
		}
		sound(t, r, readings)
	})
}

func FuzzRead(f *testing.F) {
	for i, s := range seeds {
		f.Add([]string{"answer", "contexts[]", "$", "choices[0].message", "ids[0][]", "*"}[i%6], []string{"text", "*", "a[0]", "$",
			"payload.text"}[i%5], uint8(i), s)
	}
	names := []string{reply.Answer, reply.Passages, reply.Text, reply.ID, reply.Document, reply.Score, reply.Stages,
		reply.Transcript, reply.Cost}
	f.Fuzz(func(t *testing.T, first, second string, pick uint8, text string) {
		m, err := reply.NewMapping(map[string]string{names[int(pick)%len(names)]: first, names[int(pick/16)%len(names)]: second,
			"passages": first, "answer": second, "stages": first, "cost": second})
		if err != nil {
			return
		}
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			v = text
		}
		r, readings, err := m.Read(v)
		if err != nil && err.Error() == "" {
			t.Error("an error without a word")
		}
		sound(t, r, readings)
	})
}

func FuzzReadBody(f *testing.F) {
	for i, s := range append([]string{
		events(`{"token":"a"}`, `[DONE]`), "event: data\ndata: \"a\"\r\n\r\nevent: end\n\n", events(`{"event":"message","answer":"a"}`,
			`{"event":"message_end"}`),
		events(`{"code":0,"data":{"answer":"a","reference":{"chunks":[1]}}}`, `{"code":0,"data":true}`),
		`{"message":{"content":"a"},"done":true}` + "\n" + `{"response":"a","done":false}`,
		events(`{"choices":[null,{"delta":null,"text":"a"}]}`), events(`{"type":"source","data":[1]}`, `[1]`, `"a"`, `1`, `null`, `x`),
		"\xff\xfed\x00a\x00", ":\n\ndata\n\ndata:\r\rid: 1",
	}, seeds...) {
		f.Add(uint8(i), s, "data.answer", "delta.text")
	}
	f.Fuzz(func(t *testing.T, kind uint8, body, answer, delta string) {
		if kind/4%2 == 0 {
			delta = ""
		}
		m, err := reply.NewMapping(map[string]string{"answer": answer, "delta": delta})
		if err != nil {
			m = reply.Mapping{}
		}
		v, err := reply.ReadBody(strings.NewReader(body), reply.Kind(kind%4), m)
		if err != nil {
			if v != nil || err.Error() == "" {
				t.Errorf("%v, %q", v, err)
			}
			return
		}
		raw, err := json.Marshal(v)
		if err != nil || !utf8.Valid(raw) {
			t.Errorf("%v: %v", v, err)
		}
		r, readings, _ := m.Read(v)
		sound(t, r, readings)
		reply.KindOf(answer, []byte(body))
	})
}
