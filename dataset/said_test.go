package dataset_test

import (
	"testing"

	"github.com/assay-eval/assay/dataset"
)

// The question is found in whatever a function was given.
func TestQuestionInInputs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ inputs, want string }{
		{`"a"`, "a"},
		{`{"question": "a", "x": "b"}`, "a"},
		{`{"x": "b", "query": "a"}`, "a"},
		{`{"anything": "a"}`, "a"},
		{`{"anything": "a", "n": 5}`, "a"},
		{`{"input": {"question": "a"}}`, "a"},
		{`{"question": 5}`, "5"},
		{`{"question": "", "query": "a"}`, "a"},
		{`[{"role": "user", "content": "b"}, {"role": "assistant", "content": "c"}, {"role": "user", "content": "a"}]`, "a"},
		{`{"messages": [{"type": "human", "content": [{"type": "text", "text": "a"}, {"type": "image_url"}]}]}`, "a"},
	} {
		d := load(t, "x.jsonl", `{"dataset_id": "d", "inputs": `+c.inputs+`}`, dataset.Options{})
		diff(t, c.inputs, d.Cases.At(0).Question, c.want)
	}
	for _, c := range []struct{ inputs, want string }{
		{`{"a": "x", "b": "y"}`, `no question in "a", "b": expected a text, or an object with "question", "query", "input", "user_input", "prompt", "text"`},
		{`{}`, `no question in an object: expected a text, or an object with "question", "query", "input", "user_input", "prompt", "text"`},
		{`" "`, `no question in empty string: expected a text, or an object with "question", "query", "input", "user_input", "prompt", "text"`},
		{`[{"role": "system", "content": "x"}]`, `no question in a list: expected a text, or an object with "question", "query", "input", "user_input", "prompt", "text"`},
		{`null`, `missing: expected the question`},
	} {
		diff(t, c.inputs, refuse(t, "x.jsonl", `{"dataset_id": "d", "inputs": `+c.inputs+`}`, dataset.Options{}), []string{
			"x.jsonl:1: case 1: inputs: " + c.want,
		})
	}
	d := load(t, "x.jsonl", `{"dataset_id": "d", "inputs": {"a": "x", "b": "y"}}`, dataset.Options{Columns: map[string]string{"question": "b"}})
	diff(t, "mapped", []any{d.Cases.At(0).Question, d.Cases.At(0).Metadata}, []any{"y", map[string]any{"a": "x"}})
	d = load(t, "x.jsonl", `{"dataset_id": "d", "inputs": [{"role": "user", "content": "b"}, {"role": "user", "content": "a"}]}`, dataset.Options{})
	diff(t, "turns", warnings(d)[0], "x.jsonl:1: inputs: messages before the last of its role are not carried over (1 of 1 case)")
}
