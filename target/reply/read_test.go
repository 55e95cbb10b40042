package reply_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target/reply"
	"github.com/google/go-cmp/cmp"
)

// mapping parses "field: path" pairs.
func mapping(t testing.TB, pairs ...string) reply.Mapping {
	t.Helper()
	paths := map[string]string{}
	for _, p := range pairs {
		name, path, _ := strings.Cut(p, ": ")
		paths[name] = path
	}
	m, err := reply.NewMapping(paths)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// shown writes readings a line each: part at path: found, with "!" where it is
// missing.
func shown(readings []reply.Reading) []string {
	out := []string{}
	for _, r := range readings {
		line := r.Part + " at " + r.Path + ": " + r.Found
		if r.Missing {
			line = "! " + line
		}
		out = append(out, line)
	}
	return out
}

func TestRead(t *testing.T) {
	t.Parallel()
	type passages = []assay.Passage
	for _, c := range []struct {
		name, paths, in string
		want            assay.Response
		readings        []string
	}{
		{
			"texts", "answer: answer | passages: contexts", `{"answer": "A", "contexts": ["one", "two"]}`,
			assay.Response{Answer: "A", Passages: passages{{Text: "one"}, {Text: "two"}}},
			[]string{"answer at answer: text of 1 character", "passages at contexts: 2", "text of passages at contexts[]: 2 of 2"},
		},
		{
			"whole numbers of floats", "passages: chunks | id: id | text: text", `{"chunks": [{"id": 7.0, "text": "a"}, {"id": 1e3, "text": "b"}]}`,
			assay.Response{Passages: passages{{ID: "7", Text: "a"}, {ID: "1000", Text: "b"}}},
			[]string{"passages at chunks: 2", "text of passages at chunks[].text: 2 of 2", "id of passages at chunks[].id: 2 of 2"},
		},
		{
			"paths relative to a passage", "passages: hits.hits[] | text: _source.body | id: _id | score: _score | source: _source.url | title: " +
				"_source.t | index: _source.n | document: _source.doc",
			`{"hits": {"hits": [{"_id": 12345678901, "_score": 1.5, "_source": {"body": "b", "url": "u", "t": "T", "n": 3, "doc": 7}}, {"_id": ` +
				`"x", "_source": {"body": "c"}}]}}`,
			assay.Response{Passages: passages{{Text: "b", ID: "12345678901", Document: "7", Source: "u", Title: "T", Index: 3, Score: 1.5},
				{Text: "c", ID: "x"}}},
			[]string{
				"passages at hits.hits[]: 2", "text of passages at hits.hits[]._source.body: 2 of 2", "id of passages at hits.hits[]._id: 2 of 2",
				"document of passages at hits.hits[]._source.doc: 1 of 2", "source of passages at hits.hits[]._source.url: 1 of 2",
				"title of passages at hits.hits[]._source.t: 1 of 2",
				"index of passages at hits.hits[]._source.n: 1 of 2", "score of passages at hits.hits[]._score: 1 of 2",
			},
		},
		{
			"texts by a path", "passages: contexts[].text", `{"contexts": [{"text": "a"}, {}, {"text": "c"}]}`,
			assay.Response{Passages: passages{{Text: "a"}, {}, {Text: "c"}},
				Warnings: []string{"1 of 3 passages have no text, id, document or source"}},
			[]string{"passages at contexts[].text: 3", "text of passages at contexts[].text: 2 of 3"},
		},
		{
			"usual names", "passages: docs", `{"docs": [
				{"page_content": "a", "metadata": {"source": "a.md", "document_id": "d1", "chunk_index": 4, "title": "T"}, "id": "c1"},
				{"document": {"page_content": "b", "metadata": {"file_name": "b.md"}}, "score": 0.25},
				{"node": {"id_": "n", "text": "c", "metadata": {"file_path": "/c"}, "relationships": {"1": {"node_id": "doc"}}}, "score": "0.5"},
				{"id": "d2", "document": "two words", "distance": 2}, {"doc_id": "d3"}, "plain"]}`,
			assay.Response{Passages: passages{
				{Text: "a", ID: "c1", Document: "d1", Source: "a.md", Title: "T", Index: 4},
				{Text: "b", Source: "b.md", Score: 0.25},
				{Text: "c", ID: "n", Source: "/c", Document: "doc", Score: 0.5},
				{Text: "two words", ID: "d2", Details: distance(2)},
				{Document: "d3"}, {Text: "plain"},
			}},
			[]string{
				"passages at docs: 6", "text of passages at docs[].page_content: 5 of 6", "id of passages at docs[].id: 3 of 6",
				"document of passages at docs[].metadata.document_id: 3 of 6",
				"source of passages at docs[].metadata.source: 3 of 6", "title of passages at docs[].metadata.title: 1 of 6",
				"index of passages at docs[].metadata.chunk_index: 1 of 6",
				"score of passages at docs[].score: 2 of 6",
			},
		},
		{
			"columns", "text: documents[0][] | id: ids[0][] | source: metadatas[0][].source | score: distances[0]",
			`{"ids": [["a", "b"]], "documents": [["A", null]], "metadatas": [[{"source": "s"}, null]], "distances": [[0.5, 1]]}`,
			assay.Response{Passages: passages{{Text: "A", ID: "a", Source: "s", Score: 0.5}, {ID: "b", Score: 1}}},
			[]string{
				"passages at documents[0][]: 2", "text of passages at documents[0][]: 1 of 2", "id of passages at ids[0][]: 2 of 2",
				"source of passages at metadatas[0][].source: 1 of 2", "score of passages at distances[0]: 2 of 2",
			},
		},
		{
			"columns, nothing retrieved", "text: documents[0][] | id: ids[0][]", `{"ids": [[]], "documents": [[]]}`,
			assay.Response{Passages: passages{}},
			[]string{"passages at documents[0][]: 0", "text of passages at documents[0][]: 0 of 0", "id of passages at ids[0][]: 0 of 0"},
		},
		{
			"columns, one not reported", "text: documents[0][] | id: ids[0][]", `{"ids": [["a"]], "documents": null}`,
			assay.Response{Passages: passages{{ID: "a"}}},
			[]string{"! text of passages at documents[0][]: nothing: documents is null", "passages at ids[0][]: 1",
				"id of passages at ids[0][]: 1 of 1"},
		},
		{
			"nothing retrieved", "answer: answer | passages: contexts", `{"answer": "", "contexts": []}`,
			assay.Response{Passages: passages{}},
			[]string{"answer at answer: text of 0 characters", "passages at contexts: 0"},
		},
		{
			"not reported", "answer: answer | passages: contexts", `{"answer": null, "contexts": null}`,
			assay.Response{},
			[]string{"! answer at answer: nothing: answer is null", "! passages at contexts: nothing: contexts is null"},
		},
		{
			"nothing at all", "answer: a.b | passages: list[].text | id: x", `{"list": {"text": 1}, "a": {"c": 1, "d": 2}}`,
			assay.Response{},
			[]string{"! answer at a.b: nothing: a has c, d", "! passages at list[].text: nothing: list is an object: expected a list"},
		},
		{
			"a path without brackets", "passages: contexts.text", `{"contexts": [{"text": "a"}]}`,
			assay.Response{},
			[]string{"! passages at contexts.text: nothing: contexts is a list: expected contexts[].text"},
		},
		{
			"one object, one text", "passages: source", `{"source": {"content": "a"}}`,
			assay.Response{Passages: passages{{Text: "a"}}},
			[]string{"passages at source: 1", "text of passages at source.content: 1 of 1"},
		},
		{
			"a text", "passages: context", `{"context": "all of it"}`,
			assay.Response{Passages: passages{{Text: "all of it"}}},
			[]string{"passages at context: 1", "text of passages at context: 1 of 1"},
		},
		{
			"an empty text, an empty object", "passages: context", `{"context": " "}`,
			assay.Response{Passages: passages{}}, []string{"passages at context: 0"},
		},
		{
			"texts that are not found", "passages: docs | id: n", `{"docs": [{"n": 1, "words": "a"}]}`,
			assay.Response{Passages: passages{{ID: "1"}}},
			[]string{"passages at docs: 1", "! text of passages at docs[]: nothing under a usual name: a passage has n, words",
				"id of passages at docs[].n: 1 of 1"},
		},
		{
			"a path in a passage that finds nothing", "passages: docs | text: words", `{"docs": [{"n": 1}]}`,
			assay.Response{Passages: passages{{}}, Warnings: []string{"1 of 1 passages have no text, id, document or source"}},
			[]string{"passages at docs: 1", "! text of passages at docs[].words: nothing: a passage has n"},
		},
		{
			"usage", "input_tokens: usage.in | output-tokens: steps[].out | cost: usage.usd",
			`{"usage": {"in": 12, "usd": "0.0012895"}, "steps": [{"out": 3}, {"out": 4}, {}]}`,
			// 0.0012895 dollars are 1289.5 micro-dollars; tokens 3 + 4.
			assay.Response{Usage: assay.Usage{InputTokens: 12, OutputTokens: 7, Cost: 1290}},
			[]string{"input tokens at usage.in: 12", "output tokens at steps[].out: 7", "cost at usage.usd: 0.0012895"},
		},
		{
			"a price in dollars", "cost: u.price", `{"u": {"price": "0.001", "currency": "usd"}}`,
			assay.Response{Usage: assay.Usage{Cost: 1000}}, []string{"cost at u.price: 0.001"},
		},
		{"a price in another currency", "cost: u.price", `{"u": {"price": "0.001", "currency": "RMB"}}`, assay.Response{}, []string{}},
		{
			"no failure", "error: error | answer: answer", `{"error": "", "answer": "A"}`,
			assay.Response{Answer: "A"}, []string{"answer at answer: text of 1 character"},
		},
	} {
		got, readings, err := mapping(t, strings.Split(c.paths, " | ")...).Read(decode(t, c.in))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		c.want.NoAnswer = !strings.Contains(c.paths, "answer")
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
		if d := cmp.Diff(c.readings, shown(readings)); d != "" {
			t.Errorf("%s: readings (-want +got):\n%s", c.name, d)
		}
	}
}

func TestReadAnswer(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`"text"`: "text", `3.50`: "3.50", `1e3`: "1000", `true`: "true", `false`: "false",
		`[{"type": "text", "text": "Hello"}, {"type": "image", "data": "…"}, {"type": "text", "text": "world"}]`: "Hello\nworld",
		`[{"type": "text", "text": "Hello "}, {"type": "text", "text": "world"}]`:                                "Hello world",
		`["a", {"text": "b"}, "", "\nc"]`:   "a\nb\nc",
		`[]`:                                "",
		`{"content": "said", "type": "ai"}`: "said",
		// Anthropic parts one text where it cites.
		`[{"type": "text", "text": "It is"}, {"type": "text", "text": " Paris", "citations": [{"cited_text": "Paris"}]}, {"type": "text", "text": "."}]`:  "It is Paris.",
		`[{"type": "text", "text": "I search."}, {"type": "server_tool_use"}, {"type": "text", "text": "Paris", "citations": [{"cited_text": "Paris"}]}]`: "I search.\nParis",
		`{"lc": 1, "kwargs": {"content": "said"}}`:                "said",
		`{"content": [{"type": "text", "text": "a"}], "id": "x"}`: "a",
		`{"content": null, "text": "t"}`:                          "t",
		`{"message": {"content": "deep"}}`:                        "deep",
		`{"only": "one"}`:                                         "one",
		`{"text": {"value": "v", "annotations": []}}`:             "v",
		`{"result": "r", "source_documents": []}`:                 "r",
	} {
		got, _, err := mapping(t, "answer: x").Read(map[string]any{"x": decode(t, in)})
		if err != nil || got.Answer != want {
			t.Errorf("%s: %q, %v; want %q", in, got.Answer, err, want)
		}
	}
	// Several values are blocks.
	got, _, err := mapping(t, "answer: parts[].text").Read(decode(t, `{"parts": [{"text": "a"}, {}, {"text": "b"}]}`))
	if err != nil || got.Answer != "a\nb" {
		t.Errorf("got %q, %v", got.Answer, err)
	}
	// Numbers of other decoders.
	got, _, err = mapping(t, "answer: a", "passages: p").Read(map[string]any{"a": 2.5, "p": []any{map[string]any{"id": 1e15},
		map[string]any{"id": 7}}})
	if err != nil || got.Answer != "2.5" || got.Passages[0].ID != "1000000000000000" || got.Passages[1].ID != "7" {
		t.Errorf("got %+v, %v", got, err)
	}
}

// What its reader should know of an answer is a warning.
func TestReadWarnings(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		events(`{"choices":[{"delta":{"content":"A"}}]}`):                                   "without saying that it is complete",
		events(`{"choices":[{"delta":{"content":"A"}}]}`, "[DONE]"):                         "",
		events(`{"choices":[{"delta":{"content":"A"},"finish_reason":"stop"}]}`):            "",
		"{\"response\":\"A\",\"done\":false}\n{\"response\":\"B\",\"done\":false}":          "without saying that it is complete",
		"{\"response\":\"A\",\"done\":false}\n{\"response\":\"B\",\"done\":true}":           "",
		`{"choices":[{"message":{"content":null,"refusal":"No."},"finish_reason":"stop"}]}`: "ended the answer (refusal)",
		`{"choices":[{"message":{"content":"A","refusal":false},"finish_reason":"stop"}]}`:  "",
		events(`{"choices":[{"delta":{"refusal":"N"}}]}`, `{"choices":[{"delta":{"refusal":"o."}}]}`,
			`{"choices":[{"delta":{"refusal":null},"finish_reason":"stop"}]}`): "ended the answer (refusal)",
		"{\"answer\":\"Caf\xe9\"}": "cannot be decoded",
		// The object of the answer, its message or what describes it says why it ended.
		`{"messages":[{"content":"q"},{"content":"A","response_metadata":{"stop_reason":"max_tokens"}}]}`:                      "(max_tokens)",
		`{"messages":[{"content":"q","response_metadata":{"finish_reason":"length"}},{"content":"A","response_metadata":{}}]}`: "",
		`{"output":{"messages":[{"type":"ai","content":"A","response_metadata":{"stopReason":"max_tokens"}}]}}`:                "(max_tokens)",
		`{"output":{"content":"A","type":"ai","response_metadata":{"done_reason":"length"}},"metadata":{"run_id":"r"}}`:        "(length)",
		`{"output":{"id":["AIMessage"],"kwargs":{"content":"A","response_metadata":{"done_reason":"length"}}}}`:                "(length)",
		`{"content":"A","type":"ai","response_metadata":{"stopReason":"max_tokens"}}`:                                          "(max_tokens)",
		`{"messages":[{"content":"","type":"ai","response_metadata":{"stop_reason":"refusal"}}]}`:                              "ended the answer (refusal)",
		`{"messages":[{"content":[{"type":"refusal","refusal":"No."}],"type":"ai"}]}`:                                          "ended the answer (refusal)",
		`{"messages":[{"content":"","type":"ai","additional_kwargs":{"refusal":"No."}}]}`:                                      "ended the answer (refusal)",
		`{"llm":{"replies":[{"role":"assistant","meta":{"finish_reason":"length"},"content":[{"text":"A"}]}]}}`:                "(length)",
		`{"llm":{"replies":["A"],"meta":[{"finish_reason":"length"}]}}`:                                                        "(length)",
		`{"answer_builder":{"answers":[{"data":"A","documents":[],"meta":{"finish_reason":"length"}}]}}`:                       "(length)",
		`{"answer":"A","metadata":{"finish_reason":"length"}}`:                                                                 "(length)",
		// SGLang, AI21, Cohere, Ollama and llama.cpp
		`{"text":"A","meta_info":{"finish_reason":{"type":"length","length":3}}}`:                           "(length)",
		`{"text":"A","meta_info":{"finish_reason":{"type":"stop","matched":2}}}`:                            "",
		`{"answer":"A","finishReason":{"reason":"length"}}`:                                                 "(length)",
		`{"message":{"role":"assistant","content":[{"type":"text","text":"A"}]},"finish_reason":"TIMEOUT"}`: "(TIMEOUT)",
		`{"message":{"content":"A"},"done":false}`:                                                          "without saying that it is complete",
		`{"content":"A","stop":true,"stopped_eos":false,"stopped_limit":true,"stopped_word":false}`:         "(length)",
		`{"content":"A","stop":true,"stopped_eos":true,"stopped_limit":false,"stopped_word":false}`:         "",
		`{"content":"A","stop":true,"stop_type":"limit","truncated":false}`:                                 "(limit)",
		`{"content":"A","stop":true,"stop_type":"word","truncated":false}`:                                  "",
		`{"content":"A","stop":true,"stop_type":"eos","truncated":true}`:                                    "cut the prompt",
		`{"took":1,"timed_out":true,"hits":{"total":{"value":0,"relation":"gte"},"hits":[]}}`:               "searched everything",
		`{"took":1,"timed_out":false,"hits":{"total":{"value":0,"relation":"eq"},"hits":[]}}`:               "",
		events(`{"content":"A","stop":false}`, `{"content":"","stop":true,"stop_type":"limit"}`):            "(limit)",
		events(`{"content":"A","stop":false}`, `{"content":"B","stop":false}`):                              "without saying that it is complete",
		events(`{"content":"A","stop":false}`, `{"content":"","stop":true,"stop_type":"eos"}`):              "",
	} {
		v, err := reply.ReadBody(strings.NewReader(in), reply.KindOf("", []byte(in)), reply.Mapping{})
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		m, _, _ := reply.Detect(v)
		got, _, err := m.Read(v)
		if all := strings.Join(got.Warnings, "; "); err != nil || !strings.Contains(all, want) || (all == "") != (want == "") {
			t.Errorf("%s: %q, %v: want %q", in, all, err, want)
		}
		// A refusal with text is the model's own answer; one without leaves it open.
		if refused := strings.Contains(want, "refusal"); refused && (got.Answer == "") != (got.Withheld != "") ||
			strings.Contains(in, `"refusal":"`) && got.Answer != "No." {
			t.Errorf("%s: the answer %q, withheld %q", in, got.Answer, got.Withheld)
		}
	}
}

func TestReadProblems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ paths, in, want string }{
		{"passages: n", `{"n": 3}`, `passages at "n": a number: expected a list of texts or of objects`},
		{"passages: n", `{"n": true}`, `passages at "n": true or false: expected a list of texts or of objects`},
		{"passages: n", `{"n": ["a", 3, 4]}`, `passages at "n[1]": a number: expected a text or an object (paths of ids alone go under read.id, ` +
			`without read.passages)`},
		{"passages: n[]", `{"n": [["a"]]}`, `passages at "n[0]": a list: expected a text or an object (paths of ids alone go under read.id, ` +
			`without read.passages)`},
		{"answer: n", `{"n": {"a": "x", "b": "y"}}`, `answer at "n": an object with a, b: expected a text, or the path of one inside it`},
		{"answer: n", `{"n": [{"type": "image"}]}`, `answer at "n": a list without a text: expected a text, or the path of one inside it`},
		{"answer: n", `{"n": {}}`, `answer at "n": an object: expected a text, or the path of one inside it`},
		{"passages: p | score: s", `{"p": [{}, {"s": "high"}, {"s": "low"}]}`, `score of passages at "p[1].s": text: expected a number`},
		{"passages: p | id: i", `{"p": [{"i": {"$oid": "1"}}]}`, `id of passages at "p[0].i": an object with $oid: expected a text or a number`},
		{"passages: p | index: i", `{"p": [{"i": 1.5}]}`, `index of passages at "p[0].i": a number: expected a whole number, 0 or more`},
		{"passages: p | index: i", `{"p": [{"i": -1}]}`, `index of passages at "p[0].i": a number: expected a whole number, 0 or more`},
		{"passages: p | score: s", `{"p": [{"s": 1e999}]}`, `score of passages at "p[0].s": a number: expected a number`},
		{"text: t[] | id: i[]", `{"t": ["a", "b", "c"], "i": [1, 2, 3, 4]}`,
			`id of passages at "i[]": 4 values: expected 3, as many as text at "t[]"`},
		{"text: t[] | id: i[]", `{"t": ["a", "b"], "i": [1, [2]]}`, `id of passages at "i[1]": a list without a text: expected a text or a number`},
		{"id: i[]", `{"i": [[1], [2]]}`, `id of passages at "i[0]": a list without a text: expected a text or a number`}, // once
		{"input_tokens: n", `{"n": "many"}`, `input tokens at "n": "many": expected a whole number, 0 or more`},
		{"input_tokens: n", `{"n": 1.5}`, `input tokens at "n": "1.5": expected a whole number, 0 or more`},
		{"cost: n", `{"n": -1}`, `cost at "n": "-1": expected a number, 0 or more`},
		{"cost: n", `{"n": [1]}`, `cost at "n": a list: expected a number, 0 or more`},
		{"stages: s", `{"s": 3}`, `stages at "s": a number: expected a list of stages, or an object of stages by name`},
		{"stages: s", `{"s": [{"output": 1}]}`, `stages at "s[0]": an object with output: expected a stage with a "name"`},
		{"stages: s", `{"s": [7]}`, `stages at "s[0]": a number: expected an object with a "name"`},
		{"stages: s", `{"s": ["retrieve", " "]}`, `stages at "s[1]": an empty text: expected the name of a stage`},
		{"stages: s", `{"s": {"": 1}}`, `stages at "s": an object with an empty key: expected an object of stages by name`},
		// All of them at once.
		{"answer: n | passages: m", `{"n": {}, "m": 1}`, "answer at \"n\": an object: expected a text, or the path of one inside it\npassages at " +
			"\"m\": a number: expected a list of texts or of objects"},
	} {
		got, readings, err := mapping(t, strings.Split(c.paths, " | ")...).Read(decode(t, c.in))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s of %s:\n got %v\nwant %s", c.paths, c.in, err, c.want)
			continue
		}
		// What cannot be read is among the readings too.
		first, _, _ := strings.Cut(c.want, "\n")
		_, is, _ := strings.Cut(first, `": `)
		if !slices.ContainsFunc(readings, func(r reply.Reading) bool { return r.Missing && r.Found == is }) || got.Passages != nil ||
			got.Answer != "" {
			t.Errorf("%s of %s: %+v, readings %q", c.paths, c.in, got, shown(readings))
		}
	}
}

func TestReadFailure(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"error": "out of memory", "answer": "A"}`:           "out of memory",
		`{"error": {"code": 500, "message": "boom"}}`:         "boom",
		`{"error": {"detail": {"reason": "why"}}}`:            "why",
		`{"error": [{"message": "one"}, {"message": "two"}]}`: "one; two",
		`{"error": true}`:        "the system reports a failure",
		`{"error": 102}`:         "code 102",
		`{"error": {"code": 7}}`: `{"code":7}`,
		`{"error": null}`:        "", `{"error": " "}`: "", `{"error": false}`: "", `{"error": 0}`: "", `{"error": {}}`: "", `{"error": []}`: "",
		`{}`: "",
	} {
		_, readings, err := mapping(t, "error: error").Read(decode(t, in))
		var failure *reply.FailureError
		if want == "" {
			if err != nil {
				t.Errorf("%s: %v", in, err)
			}
			continue
		}
		if !errors.As(err, &failure) || failure.Message != want || len(readings) != 1 {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
}

func TestReadStages(t *testing.T) {
	t.Parallel()
	const list = `{"s": [
		{"name": "Query Decomposition", "input": "q", "output": ["a", "b"], "model": "m", "prompt": "p", "latency_ms": 12.5, "note": "n"},
		{"stage": "retrieval", "output": [{"page_content": "t", "id": 1}], "seconds": 2},
		{"name": "rerank", "output": [{"anything": 1}], "duration_ms": -1}, "my own", null]}`
	got, readings, err := mapping(t, "stages: s").Read(decode(t, list))
	if err != nil {
		t.Fatal(err)
	}
	want := &assay.Trace{Stages: []assay.Stage{
		{Name: assay.StageDecompose, Model: "m", Prompt: "p", Latency: 12500 * time.Microsecond, Input: json.RawMessage(`"q"`),
			Output: json.RawMessage(`["a","b"]`), Note: "n"},
		{Name: assay.StageRetrieve, Latency: 2 * time.Second, Output: json.RawMessage(`[{"id":"1","text":"t"}]`)},
		{Name: assay.StageFilter, Output: json.RawMessage(`[{"anything":1}]`)},
		{Name: "my own"},
	}}
	if d := cmp.Diff(want, got.Trace); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"stages at s: 4: decompose, retrieve, filter, my own", "passages at the stage retrieve: 1"},
		shown(readings)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"s[2].duration_ms: is no duration", "s[2].output: no passages could be read: expected a list of them or of their " +
		"ids, or one for each sub-question"}, got.Warnings); d != "" {
		t.Error(d)
	}
	// By name: in the order of a pipeline, own words last.
	got, _, err = mapping(t, "stages: s").Read(decode(t, `{"s": {"zeta": 1, "alpha": null, "generation": {"output": "A"}, "beta": {"ms": `+
		`3}, "retriever": ["t"]}}`))
	want = &assay.Trace{Stages: []assay.Stage{
		{Name: assay.StageRetrieve, Output: json.RawMessage(`[{"text":"t"}]`)}, {Name: assay.StageGenerate, Output: json.RawMessage(`"A"`)},
		{Name: "beta", Latency: 3 * time.Millisecond}, {Name: "zeta", Output: json.RawMessage(`1`)},
	}}
	if d := cmp.Diff(want, got.Trace); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}

func TestNewMapping(t *testing.T) {
	t.Parallel()
	const all = "answer, passages, text, id, document, source, title, index, score, stages, transcript, sub_questions, retrieved, " +
		"filtered, prompted, input_tokens, output_tokens, cost, error, delta"
	for _, c := range []struct {
		in   map[string]string
		want string
	}{
		{map[string]string{"anwser": "a"}, `read.anwser: unknown field: did you mean "answer"?  (all: ` + all + `)`},
		{map[string]string{"contexts": "a"}, `read.contexts: unknown field: did you mean "passages"?  (all: ` + all + `)`},
		{map[string]string{"zzzzzz": "a"}, `read.zzzzzz: unknown field: expected one of ` + all},
		{map[string]string{"answer": "a["}, `read.answer: path "a[": position 2: "[" without "]"`},
		{map[string]string{"input-tokens": "a", "input_tokens": "b"}, `read.input_tokens: is given twice`},
		{map[string]string{"text": "a[", "id": "."}, "read.id: path \".\": position 1: a dot at the start: expected a key\nread.text: path " +
			"\"a[\": position 2: \"[\" without \"]\""},
	} {
		if _, err := reply.NewMapping(c.in); err == nil || err.Error() != c.want {
			t.Errorf("%v:\n got %v\nwant %s", c.in, err, c.want)
		}
	}
	m := mapping(t, "input-tokens: a", "Answer: b", "title: ")
	if d := cmp.Diff(map[string]string{"input_tokens": "a", "answer": "b"}, m.Paths()); d != "" || m.Empty() {
		t.Error(d)
	}
	for _, m := range []reply.Mapping{{}, mapping(t), mapping(t, "delta: token")} {
		if !m.Empty() {
			t.Errorf("%v says something", m.Paths())
		}
	}
}

// distance returns the details of a passage of which only the distance is reported.
func distance(d float64) *assay.Details { return &assay.Details{Distance: &d} }

// Reasoning that only the total counts is output.
func TestTokens(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]assay.Usage{
		`{"choices":[{"message":{"content":"A"}}],"usage":{"prompt_tokens":100,"completion_tokens":10,"total_tokens":1110}}`: {InputTokens: 100, OutputTokens: 1010},
		`{"answer":"A","usage":{"input_tokens":"12","output_tokens":"3","total_tokens":15}}`:                                 {InputTokens: 12, OutputTokens: 3},
		`{"answer":"A","usage":{"output_tokens":3,"total_tokens":15}}`:                                                       {OutputTokens: 3},
		`{"text":"A","usage":{"inputTokens":12,"outputTokens":3,"totalTokens":15}}`:                                          {InputTokens: 12, OutputTokens: 3},
	} {
		var v any
		if err := json.Unmarshal([]byte(body), &v); err != nil {
			t.Fatal(err)
		}
		m, _, _ := reply.Detect(v)
		if got, _, err := m.Read(v); err != nil || got.Usage != want {
			t.Errorf("%s: %+v, %v, want %+v", body, got.Usage, err, want)
		}
	}
}
