//go:build unix

package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestPythonList(t *testing.T) {
	t.Parallel()
	got := pythonList(`['It is one.', "It's two, 'quoted'.", 'both "\'" kinds', '']`)
	if want := []string{"It is one.", "It's two, 'quoted'.", `both "\'" kinds`, ""}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// request makes a request with one message and, unless it is empty, the schema of its reply.
func request(t *testing.T, title, schema, prompt string) chat {
	t.Helper()
	body := map[string]any{"messages": []any{map[string]any{"role": "user", "content": prompt}}}
	if schema != "" {
		named := map[string]any{"name": title, "schema": json.RawMessage(schema)}
		body["response_format"] = map[string]any{"type": "json_schema", "json_schema": named}
	}
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	var c chat
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestReply(t *testing.T) {
	t.Parallel()
	const verdicts = `{"title": "Verdicts", "type": "object", "properties": {"verdicts": {"type": "array", "items": {"$ref": "#/$defs/V"}}},
		"$defs": {"V": {"type": "object", "properties": {
			"verdict": {"type": "string", "enum": ["yes", "no"]}, "reason": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}}}`
	for name, tt := range map[string]struct{ title, schema, prompt, want string }{
		"claims of an answer": {
			"Claims", `{"type": "object", "properties": {"claims": {"type": "array", "items": {"type": "string"}}}}`,
			"Take it apart.\n\nAI Output:\nThe sky is blue. The sea is too.\n\nJSON:\n", `{"claims":["The sky is blue.","The sea is too."]}`,
		},
		"a verdict a claim": {
			"Verdicts", verdicts, "Judge.\n\nRetrieval Contexts:\nIt is.\n\nClaims:\n['It is.', \"It isn't.\"]\n\nJSON:\n",
			`{"verdicts":[{"reason":null,"verdict":"yes"},{"reason":null,"verdict":"yes"}]}`,
		},
		"a verdict a passage": {
			"Verdicts", verdicts, "Judge.\n\nRetrieval Context  (1 document):\n['It is. It was.']\n\nJSON:\n",
			`{"verdicts":[{"reason":null,"verdict":"yes"}]}`,
		},
		"statements of the last input": {
			"NLIStatementOutput", `{"type": "object", "properties": {"statements": {"type": "array", "items": {"type": "object", "properties":
				{"statement": {"type": "string"}, "verdict": {"type": "integer"}}}}}}`,
			"input: {\"statements\": [\"no\"]}\nNow this:\ninput: {\"context\": \"c\", \"statements\": [\"a\", \"b\"]}\nOutput: ",
			`{"statements":[{"statement":"a","verdict":1},{"statement":"b","verdict":1}]}`,
		},
		"statements as lines": {
			"", "", "Given a question and answer, create one or more statements\nquestion:q\n" +
				"answer: The sky\nis blue. The sea is too.\nstatements:\n",
			"The sky is blue.\nThe sea is too.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := reply(request(t, tt.title, tt.schema, tt.prompt))
			if err != nil || got != tt.want {
				t.Errorf("%s, %v, want %s", got, err, tt.want)
			}
		})
	}
	for _, unknown := range []chat{
		request(t, "", "", "Hello."), request(t, "Verdicts", verdicts, "Hello."), request(t, "Other", `{"type": "object"}`, "Hello."),
	} {
		if got, err := reply(unknown); err == nil || !strings.Contains(err.Error(), "Hello.") {
			t.Errorf("to an unknown prompt: %q, %v", got, err)
		}
	}
}
