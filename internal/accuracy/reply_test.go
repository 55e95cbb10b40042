package accuracy_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/accuracy"
)

func TestReadMarks(t *testing.T) {
	t.Parallel()
	for give, want := range map[string]string{
		good:                                    "86 fine",
		"```json\n" + good + "\n```":            "86 fine",
		"<think>{\"a\":1}</think>" + good:       "86 fine",
		"Here it is: " + good + " as {you} see": "86 fine",
		good + good:                             "86 fine",
		`{"scores":{"dimension_1_準確性":40,"dimension_2_完整性":25,"dimension_3_清晰度":20,"dimension_4_簡潔性":15},"comments":" x "}`: "100 x",
		`{"dimension_1_準確性":0,"dimension_2_完整性":0.5,"dimension_3_清晰度":0,"dimension_4_簡潔性":0}`:                               "0.5 ",
		``:                                "it is empty: want one JSON object",
		`[1]`:                             "it holds no JSON object: want one",
		`{"dimension_1_準確性":36`:           "its JSON object breaks off: want a whole one",
		good + `{"x":1}`:                  "it holds several JSON objects that differ: want one",
		`{"dimension_1_準確性":41}`:          `"dimension_1_準確性" is 41: want a number from 0 to 40`,
		`{"dimension_1_準確性":-1}`:          `"dimension_1_準確性" is -1: want a number from 0 to 40`,
		`{"dimension_1_準確性":"36"}`:        `"dimension_1_準確性" is "36": want a number from 0 to 40`,
		`{"dimension_1_準確性":null}`:        `"dimension_1_準確性" is null: want a number from 0 to 40`,
		`{"dimension_1_準確性":1e999}`:       `"dimension_1_準確性" is 1e999: want a number from 0 to 40`,
		`{"total_score":88}`:              `it has no field "dimension_1_準確性": want a number from 0 to 40`,
		`{"comments":[]}`:                 `"comments" is []: want a text`,
		`{"comments":"a","comments":"b"}`: `it is no JSON: the field "comments" stands twice in one object`,
		`{"dimension_1_準確性":1,"dimension_2_完整性":26}`:                                          `"dimension_2_完整性" is 26: want a number from 0 to 25`,
		`{"dimension_1_準確性":1,"dimension_2_完整性":25,"dimension_3_清晰度":20.1}`:                   `"dimension_3_清晰度" is 20.1: want a number from 0 to 20`,
		`{"dimension_1_準確性":1,"dimension_2_完整性":25,"dimension_3_清晰度":2,"dimension_4_簡潔性":16}`: `"dimension_4_簡潔性" is 16: want a number from 0 to 15`,
	} {
		s, comments, err := accuracy.ReadMarks(give)
		got := fmt.Sprintf("%v %s", s.Total(), comments)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", give, got, want)
		}
	}
}

func TestReadRelevant(t *testing.T) {
	t.Parallel()
	for give, want := range map[string]string{
		`{"relevant_chunk_indices":[0,3]}`:                                 "[true false false true]",
		`{"relevant_chunk_indices":[3.0]}`:                                 "[false false false true]",
		`{"relevant_chunk_indices":[]}`:                                    "[false false false false]",
		`{"nonce":"x","relevant_chunk_indices":[1]} `:                      "[false true false false]",
		`{"relevant_chunk_indices":[4]}`:                                   `"relevant_chunk_indices" holds 4: want whole numbers from 0 to 3`,
		`{"relevant_chunk_indices":[-1]}`:                                  `"relevant_chunk_indices" holds -1: want whole numbers from 0 to 3`,
		`{"relevant_chunk_indices":[0.5]}`:                                 `"relevant_chunk_indices" holds 0.5: want whole numbers from 0 to 3`,
		`{"relevant_chunk_indices":[null]}`:                                `"relevant_chunk_indices" holds null: want whole numbers from 0 to 3`,
		`{"relevant_chunk_indices":[1,1]}`:                                 `"relevant_chunk_indices" holds 1 twice: want each once`,
		`{"relevant_chunk_indices":null}`:                                  `"relevant_chunk_indices" is null: want a list of numbers`,
		`{"relevant_chunk_indices":["1"]}`:                                 `"relevant_chunk_indices" is ["1"]: want a list of numbers`,
		`{"indices":[1]}`:                                                  `it has no field "relevant_chunk_indices": want the list of the indices of the relevant chunks`,
		`{"relevant_chunk_indices":[1]} or {"relevant_chunk_indices":[2]}`: "it holds several JSON objects that differ: want one",
	} {
		r, err := accuracy.ReadRelevant(give, 4)
		got := fmt.Sprint(r)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", give, got, want)
		}
	}
}

func TestReadComparison(t *testing.T) {
	t.Parallel()
	for give, want := range map[string]string{
		compare: "0.8 0.9 misses a fee",
		`{"completeness_score":1,"factual_accuracy_score":-0}`:   "1 0 ",
		`{"completeness_score":1.01,"factual_accuracy_score":0}`: `"completeness_score" is 1.01: want a number from 0 to 1`,
		`{"completeness_score":1}`:                               `it has no field "factual_accuracy_score": want a number from 0 to 1`,
	} {
		c, f, comments, err := accuracy.ReadComparison(give)
		got := fmt.Sprintf("%v %v %s", c, f, comments)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", give, got, want)
		}
	}
}

// FuzzReplies: whatever a model says, what is read of it is within its range.
func FuzzReplies(f *testing.F) {
	for _, s := range []string{good, compare, `{"relevant_chunk_indices":[0,3]}`, "<think>{</think>{", "\ufeff```json\n{}\n```", strings.Repeat("{", 300), `{"scores":{"scores":1}}`, "{\"a\":\"\xff\"}"} {
		f.Add(s)
	}
	within := func(v, top float64) bool { return v >= 0 && v <= top && !math.Signbit(v) }
	f.Fuzz(func(t *testing.T, reply string) {
		if s, _, err := accuracy.ReadMarks(reply); err == nil && !(within(s.Accuracy, 40) && within(s.Completeness, 25) &&
			within(s.Clarity, 20) && within(s.Conciseness, 15)) {
			t.Errorf("%q: %+v", reply, s)
		}
		if r, err := accuracy.ReadRelevant(reply, 3); err == nil && len(r) != 3 {
			t.Errorf("%q: %v", reply, r)
		}
		if c, a, _, err := accuracy.ReadComparison(reply); err == nil && !(within(c, 1) && within(a, 1)) {
			t.Errorf("%q: %v %v", reply, c, a)
		}
	})
}

func TestReadResult(t *testing.T) {
	t.Parallel()
	for give, want := range map[string]string{
		`{"input":{"text":"q?"},"chunk_file_path":"passed over"}`:     "",
		`{"input":{"text":"q?"},"extracted_key_questions":["a","b"]}`: "",
		`{"input_type":"audio","input":{"text":""}}`:                  "",
		`{"result_id":"\u0000","input":{"text":"q?"}}`:                "result_id: want at most 128 bytes without control characters",
		`{"input":{"text":" "}}`:                                      "input.text: empty: want the question",
		`{"input_type":"video","input":{"text":"q?"}}`:                `input_type "video": want "text" or "audio"`,
		`{"input":{"text":7}}`:                                        "input.text: number: want text",
		`[]`:                                                          "the result: array: want an object",
		`{`:                                                           "it cannot be read: unexpected end of JSON input",
		`{"input":{"text":"q?"},"created_at":"yesterday"}`:            `it cannot be read: parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"`,
		`{"input":{"text":"q?"},"retrieval":{"per_sub_question":[{"sub_question_index":1}]}}`:                                         "retrieval: sub_question_index 1 at place 0: want them in order, from 0",
		`{"input":{"text":"q?"},"retrieval":{"per_sub_question":[{},{"sub_question_index":1}]},"filtered":{"per_sub_question":[{}]}}`: "filtered: 1 sub-questions: want the 2 of retrieval",
		`{"input":{"text":"q?"},"retrieval":{"per_sub_question":[{"chunks":[{}]}]}}`:                                                  "retrieval.per_sub_question[0].chunks[0].metadata.document_id: empty: want the id of the document",
	} {
		r, err := accuracy.ReadResult([]byte(give))
		if fmt.Sprint(err) != want && !(err == nil && want == "") {
			t.Errorf("%s: got %v, want %s", give, err, want)
		}
		if err == nil && (len(r.ExtractedKeyQuestions) == 0 || len(r.Retrieval.PerSubQuestion) != len(r.ExtractedKeyQuestions) ||
			len(r.Filtered.PerSubQuestion) != len(r.ExtractedKeyQuestions)) {
			t.Errorf("%s: got %+v", give, r)
		}
	}
}

// FuzzReadResult: what is read can be evaluated without a model, and written.
func FuzzReadResult(f *testing.F) {
	f.Add([]byte(`{"input":{"text":"q?"},"extracted_key_questions":["a","b"]}`))
	f.Add([]byte(`{"input_type":"audio","input":{"text":"a","reference_transcript":"b"},"retrieval":{"per_sub_question":[{"chunks":[{"text":"x","metadata":{"document_id":"d"},"distance":1}]}]},"response":{"final_answer":"# 1\n# 2"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := accuracy.ReadResult(data)
		if err != nil || len(data) > 10_000 {
			return
		}
		o, _ := options(&answering{answer: usual}, nil)
		e, err := accuracy.Evaluate(t.Context(), r, o)
		if err != nil {
			t.Fatal(err)
		}
		marshal(t, e)
		marshal(t, r)
	})
}
