package target_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/require"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/reply"
)

// The same reply reads alike as an object of Python, a line of a program and a body of HTTP.
func TestRepliesReadAlike(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Question string }
		raw, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(raw, &in); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, in.Question)
	}))
	t.Cleanup(server.Close)
	overHTTP := httpTarget(t, target.HTTPConfig{Endpoint: server.URL})
	inPython := python(t, require.Command(t, "python3"), "shim/app.py:from_json", nil)
	program := helper(t, "", func(c *target.ExecConfig) { c.Read = reply.Mapping{} })
	for _, in := range []string{
		`{"answer": "A", "contexts": ["one", "two"]}`,
		`{"answer": "A", "contexts": []}`,
		`{"answer": "A"}`,
		`{"answer": 5, "contexts": ["one"]}`,
		`{"response": "A", "source_documents": [{"page_content": "one", "metadata": {"source": "a.md", "document_id": "d"}}]}`,
		`{"result": "A", "documents": [{"id": "p", "content": "one", "score": 0.5}]}`,
		`{"output": "A", "passages": [{"text": "one", "document": "d"}]}`,
		`{"answer": "A", "usage": {"prompt_tokens": 3, "completion_tokens": 4}}`,
		`{"answer": "A", "contexts": "[\"one\", \"two\"]"}`,
		`{"answer": "A", "contexts": {"0": "one", "1": "two"}}`,
		`{"answer": "A", "contexts": [{"text": "b", "rank": 2}, {"text": "a", "rank": 1}]}`,
		`{"generated_answer": "A", "chunks": [{"text": "one"}]}`,
		`{"reply": "A", "hits": [{"text": "one"}]}`,
		`{"choices": [{"message": {"role": "assistant", "content": "A"}}], "contexts": ["one"]}`,
		`{"choices": [{"index": 1, "message": {"content": "B"}}, {"index": 0, "message": {"content": "A"}}]}`,
		`{"data": {"answer": "A", "contexts": ["one"]}}`,
		`{"result": {"answer": "A", "contexts": ["one"]}}`,
	} {
		want := plainly(t, overHTTP, in)
		for name, got := range map[string]assay.Response{"python": plainly(t, inPython, in), "program": plainly(t, program, "raw:"+in)} {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s: HTTP (-), here (+)\n%s", in, name, diff)
			}
		}
	}
}

func plainly(t *testing.T, e assay.Target, question string) assay.Response {
	t.Helper()
	r, err := e.Ask(t.Context(), &assay.Case{ID: "c", Question: question})
	if err != nil {
		t.Errorf("%s: %v", question, err)
	}
	r.Latency = 0
	return r
}
