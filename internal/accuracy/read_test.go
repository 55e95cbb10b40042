package accuracy_test

import (
	"fmt"
	"testing"

	"github.com/assay-eval/assay/internal/accuracy"
)

func TestReadResult(t *testing.T) {
	t.Parallel()
	for give, want := range map[string]string{
		`{"input":{"text":"q?"},"chunk_file_path":"passed over"}`:     "",
		`{"input":{"text":"q?"},"extracted_key_questions":["a","b"]}`: "",
		`{"input_type":"audio","input":{"text":""}}`:                  "",
		`{"result_id":"\u0000","input":{"text":"q?"}}`:                "result_id: expected at most 128 bytes without control characters",
		`{"input":{"text":" "}}`:                                      "input.text: empty: expected the question",
		`{"input_type":"video","input":{"text":"q?"}}`:                `input_type "video": expected "text" or "audio"`,
		`{"input":{"text":7}}`:                                        "input.text: number: expected text",
		`[]`:                                                          "the result: array: expected an object",
		`{`:                                                           "it cannot be read: unexpected end of JSON input",
		`{"input":{"text":"q?"},"created_at":"yesterday"}`: `it cannot be read: parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": ` +
			`cannot parse "yesterday" as "2006"`,
		`{"input":{"text":"q?"},"retrieval":{"per_sub_question":` +
			`[{"sub_question_index":1}]}}`: "retrieval: sub_question_index 1 at position 0: expected them in order, from 0",
		`{"input":{"text":"q?"},"retrieval":{"per_sub_question":` +
			`[{},{"sub_question_index":1}]},"filtered":{"per_sub_question":[{}]}}`: "filtered: 1 sub-questions: expected the 2 of retrieval",
		`{"input":{"text":"q?"},"retrieval":` +
			`{"per_sub_question":[{"chunks":[{}]}]}}`: "retrieval.per_sub_question[0].chunks[0].metadata.document_id: " +
			"empty: expected the id of the document",
		`{"input":{"text":"q?"},"retrieval":{"per_sub_question":[{"chunks":[{"text":"a","metadata":{"document_id":"d"}},` +
			`{"text":"b","metadata":{"document_id":"d"}}]}]}}`: "retrieval.per_sub_question[0].chunks[1].metadata: " +
			`chunk 0 of "d" has two texts: expected an index of each chunk in its document`,
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
	f.Add([]byte(`{"input_type":"audio","input":{"text":"a","reference_transcript":"b"},` +
		`"retrieval":{"per_sub_question":[{"chunks":[{"text":"x",` +
		`"metadata":{"document_id":"d"},"distance":1}]}]},"response":{"final_answer":"# 1\n# 2"}}`))
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
