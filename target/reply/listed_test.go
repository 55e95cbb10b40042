package reply_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target/reply"
)

// Odd ways to write a list of passages, choices or a whole body have one meaning, or are
// rejected or warned about.
func TestReadOddBodies(t *testing.T) {
	t.Parallel()
	const inOrder = "the passages are not in the order of their rank: return them best first, they are ranked as listed"
	for _, c := range []struct {
		name, in, answer string
		texts, warnings  []string
		err              string
	}{
		{name: "list in a text", in: `{"answer": "A", "contexts": "[\"one\", \"two\"]"}`, answer: "A", texts: []string{"one", "two"}},
		{name: "empty list in a text", in: `{"answer": "A", "contexts": "[]"}`, answer: "A", texts: []string{}},
		{name: "text in brackets", in: `{"answer": "A", "contexts": "[1] one"}`, answer: "A", texts: []string{"[1] one"}},
		{name: "chat completion with a list in a text", in: `{"choices": [{"message": {"content": "A"}}], "contexts": "[{\"text\": \"one\"}]"}`,
			answer: "A", texts: []string{"one"}},
		{name: "numbered object", in: `{"answer": "A", "contexts": {"1": "b", "0": "a", "2": {"text": "c"}}}`, answer: "A",
			texts: []string{"a", "b", "c"}},
		{name: "numbered object, ten and more", answer: "A", texts: strings.Split("abcdefghijk", ""), in: `{"answer": "A", "docs": {"10": "j",
			"11": "k", "1": "a", "2": "b", "3": "c", "4": "d", "5": "e", "6": "f", "7": "g", "8": "h", "9": "i"}}`},
		{name: "numbered object and no answer", in: `{"documents": {"0": {"text": "a"}, "1": {"text": "b"}}}`, texts: []string{"a", "b"}},
		{name: "ranks in order", in: `{"answer": "A", "contexts": [{"text": "a", "rank": 1}, {"text": "b", "rank": 2}]}`, answer: "A",
			texts: []string{"a", "b"}},
		{name: "ranks out of order", in: `{"answer": "A", "contexts": [{"text": "b", "rank": 2}, {"text": "a", "rank": 1}]}`, answer: "A",
			texts: []string{"b", "a"}, warnings: []string{inOrder}},
		{name: "ranks in metadata",
			in:     `{"answer": "A", "contexts": [{"text": "b", "metadata": {"rank": 1}}, {"text": "a", "metadata": {"rank": 0}}]}`,
			answer: "A", texts: []string{"b", "a"}, warnings: []string{inOrder}},
		{name: "positions out of order", in: `{"answer": "A", "contexts": [{"text": "b", "position": 2}, {"text": "a", "position": 1}]}`,
			answer: "A", texts: []string{"b", "a"}, warnings: []string{strings.Replace(inOrder, "rank:", "position:", 1)}},
		{name: "positions in documents", in: `{"answer": "A", "contexts": [{"text": "b", "position": 7}, {"text": "a", "position": 3}]}`,
			answer: "A", texts: []string{"b", "a"}},
		{name: "choices out of order", in: `{"choices": [{"index": 1, "message": {"content": "B"}}, {"index": 0, "message": {"content": "A"}}]}`,
			answer: "A"},
		{name: "JSONP", in: `app.answer({"answer": "A", "contexts": ["one"]});`, answer: "A", texts: []string{"one"}},
		{name: "text like a call", in: `Use print({x}) here`, answer: "Use print({x}) here"},
		{name: "two replies", in: `{"answer": "A", "contexts": ["one"]}` + "\n" + `{"answer": "B", "contexts": ["two"]}`,
			err: "value 2: another reply"},
		{name: "two questions",
			in: `{"question": "a?", "answer": "A"}` + "\n" + `{"question": "b?", "answer": "B"}`, err: "value 2: another reply"},
		{name: "stream of pieces", in: `{"answer": "A", "contexts": ["one"]}` + "\n" + `{"answer": "B", "contexts": ["one"]}`, answer: "AB",
			texts: []string{"one"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v, err := reply.ReadBody(strings.NewReader(c.in), reply.KindOf("", []byte(c.in)), reply.Mapping{})
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("%v, %v\nwant an error with %q", v, err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			m, _, ok := reply.Detect(v)
			if !ok {
				t.Fatalf("no shape: %v", v)
			}
			got, _, err := m.Read(v)
			if err != nil {
				t.Fatal(err)
			}
			var texts []string
			if got.Passages != nil {
				texts = []string{}
			}
			for _, p := range got.Passages {
				texts = append(texts, p.Text)
			}
			if got.Answer != c.answer || !slices.Equal(texts, c.texts) || (texts == nil) != (c.texts == nil) ||
				!slices.Equal(got.Warnings, c.warnings) {
				t.Errorf("%q %q, warnings %q\nwant %q %q, %q", got.Answer, texts, got.Warnings, c.answer, c.texts, c.warnings)
			}
		})
	}
}

func TestDocumentIsNameOrText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]assay.Passage{
		`[{"text": "T", "document": "HR Handbook.docx"}, {"text": "U", "document": "leave.md"}]`: {
			{Text: "T", Document: "HR Handbook.docx"}, {Text: "U", Document: "leave.md"}},
		`[{"chunk": "T", "document": "docs/Price list"}]`:                                              {{Text: "T", Document: "docs/Price list"}},
		`[{"payload": {"text": "T", "document": "Price list"}}]`:                                       {{Text: "T", Document: "Price list"}},
		`[{"document": "Price list", "metadata": {"text": "T"}}, {"document": "HR Handbook"}]`:         {{Text: "T", Document: "Price list"}, {Document: "HR Handbook"}},
		`[{"document": "HR Handbook.docx", "score": 0.5}, {"document": "d7"}, {"document": "手冊.pdf"}]`: {{Document: "HR Handbook.docx", Score: 0.5}, {Document: "d7"}, {Document: "手冊.pdf"}},
		`[{"source": {"name": "Rates"}, "document": ["The rate of the first year is one percent, that of the second is two, and then it is three."]}]`: {{
			Text: "The rate of the first year is one percent, that of the second is two, and then it is three.", Source: "Rates", Title: "Rates"}},
		`[{"document": ["HR Handbook.docx"]}]`:                                        {{Document: "HR Handbook.docx"}},
		`[{"document": "第一年有二十四日有薪年假", "score": 0.5}, {"document": "Chrome"}]`:        {{Text: "第一年有二十四日有薪年假", Score: 0.5}, {Text: "Chrome"}},
		`[{"document": "พนักงานใหม่มีวันลาพักร้อน", "source": "a.md"}]`:               {{Text: "พนักงานใหม่มีวันลาพักร้อน", Source: "a.md"}},
		`[{"document": "Rooms have two beds."}, {"document": "Chrome"}, {"id": "3"}]`: {{Text: "Rooms have two beds."}, {Text: "Chrome"}, {ID: "3"}},
	} {
		var v any
		if err := json.Unmarshal([]byte(in), &v); err != nil {
			t.Fatal(err)
		}
		m, _, _ := reply.Detect(v)
		r, _, err := m.Read(v)
		if diff := cmp.Diff(want, r.Passages); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got)\n%s", in, err, diff)
		}
	}
}

// What a model writes by a schema is read in an envelope as it is alone, and a text that a person calls the answer stays.
func TestStructuredAnswers(t *testing.T) {
	t.Parallel()
	const said = `{\"answer\": \"at 9\", \"sources\": [\"hours.md\"]}`
	hours := []assay.Passage{{Source: "hours.md"}}
	kept := strings.ReplaceAll(said, `\`, "")
	for in, want := range map[string]assay.Response{
		`{"choices": [{"message": {"content": "` + said + `"}}]}`:                                                    {Answer: "at 9", Passages: hours},
		`{"choices": [{"message": {"content": "` + said + `", "parsed": {"answer": "at 9"}}}], "contexts": ["one"]}`: {Answer: "at 9", Passages: []assay.Passage{{Text: "one"}}},
		`{"object": "response", "output": [{"type": "message", "content": [{"text": "` + said + `"}]}]}`:             {Answer: "at 9", Passages: hours},
		`{"message": {"role": "model", "content": [{"text": "` + said + `"}]}, "finishReason": "stop"}`:              {Answer: "at 9", Passages: hours},
		`{"text": "{\"answer\": 42}"}`:                                        {Answer: "42"},
		`[{"author": "a", "content": {"parts": [{"text": "` + said + `"}]}}]`: {Answer: "at 9", Passages: hours},
		`{"answer": "` + said + `"}`:                                          {Answer: kept},
		`{"text": "{\"answer\": \"at 9\", \"port\": 80}"}`:                    {Answer: `{"answer": "at 9", "port": 80}`},
		`{"text": "{\"text\": \"hi\"}"}`:                                      {Answer: `{"text": "hi"}`},
		`{"messages": [{"type": "ai", "content": "", "tool_calls": [{"id": "1"}]}], "structured_response": {"answer": "A", "sources": ["a.md"]}}`: {Answer: "A", Passages: []assay.Passage{{Source: "a.md"}}},
		`[{"source": "user", "type": "TextMessage", "content": "Q"}, {"source": "guide", "type": "TextMessage", "content": "A", "metadata": {}}]`: {Answer: "A"},
	} {
		var v any
		if err := json.Unmarshal([]byte(in), &v); err != nil {
			t.Fatal(err)
		}
		m, _, _ := reply.Detect(v)
		r, _, err := m.Read(v)
		if r.Answer != want.Answer || err != nil || !cmp.Equal(r.Passages, want.Passages) {
			t.Errorf("%s: %v: %q, %+v", in, err, r.Answer, r.Passages)
		}
		if warned := strings.Contains(in, `\"answer\"`); warned != (len(r.Warnings) > 0) {
			t.Errorf("%s: warnings %q", in, r.Warnings)
		}
	}
	var v any
	_ = json.Unmarshal([]byte(`{"choices": [{"message": {"content": "`+said+`"}}]}`), &v)
	given, _ := reply.NewMapping(map[string]string{reply.Answer: "choices[0].message.content"})
	if r, _, err := given.Read(v); r.Answer != kept || err != nil || len(r.Warnings) != 1 {
		t.Errorf("a path of the user: %q, %v", r.Answer, err)
	}
	filtered := []any{map[string]any{"author": "a", "content": map[string]any{"parts": []any{}}},
		map[string]any{"author": "a", "error_code": "SAFETY", "error_message": "blocked"}}
	if says := reply.FailureIn(filtered); says == nil || says.Message != "blocked" {
		t.Errorf("an event with an error: %v", says)
	}
}
