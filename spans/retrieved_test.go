package spans_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/spans"
)

// What vector databases and frameworks return of a retrieval is read, or its form is kept.
func TestRetrievedForms(t *testing.T) {
	t.Parallel()
	one := []assay.Passage{{ID: "h1", Text: "Opens at 10.", Score: 0.9}}
	for _, c := range []struct {
		kind, attribute, value string
		want                   []assay.Passage
		unread                 string
	}{
		{"retriever", "output.value", `[{"id": "h1", "text": "Opens at 10.", "score": 0.9}]`, one, ""},
		{"RETRIEVER", "output.value", `[[{"id": "h1", "page_content": "Opens at 10.", "metadata": {}}, 0.9]]`, one, ""},
		{"RETRIEVER", "output.value", `[["Opens at 10.", 0.9], {"id": "h1", "text": "b"}]`,
			[]assay.Passage{{Text: "Opens at 10.", Score: 0.9}, {ID: "h1", Text: "b"}}, ""},
		{"RETRIEVER", "retrieval.documents", `[{"document.id": "h1", "document.content": "Opens at 10.", "document.score": 0.9}]`, one, ""},
		{"RETRIEVER", "output.value", `{"points": [{"id": "h1", "score": 0.9, "payload": {"text": "Opens at 10."}}]}`, one, ""},
		{"RETRIEVER", "output.value", `{"ids": [["h1"]], "documents": [["Opens at 10."]], "distances": [[0.1]], "metadatas": [[{}]]}`,
			[]assay.Passage{{ID: "h1", Text: "Opens at 10."}}, ""},
		{"RERANKER", "output.value", `{"h2": "b", "h1": "a"}`, []assay.Passage{{ID: "h1", Text: "a"}, {ID: "h2", Text: "b"}},
			"OpenInference: texts by id, read in the order of the ids because JSON has no other"},
		{"RETRIEVER", "output.value", `{"status": "none"}`, nil, "OpenInference: an object with status"},
		{"RETRIEVER", "output.value", `[[1, 2]]`, nil, "OpenInference: a list, the first entry a list, the first entry a number or a truth"},
		{"RETRIEVER", "other", `x`, nil, "OpenInference: nothing was recorded"},
	} {
		found, _ := spans.Exchanges([]spans.Span{
			span("1", "", "CHAIN", 0, map[string]any{"input.value": "When?", "output.value": "10"}),
			span("2", "1", c.kind, 0, map[string]any{"input.value": "When?", c.attribute: c.value}),
		})
		if len(found) != 1 {
			t.Fatalf("%s: %d exchanges", c.value, len(found))
		}
		if d := cmp.Diff(c.want, found[0].Response.Passages); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.value, d)
		}
		if got := strings.Join(found[0].Unread, "; "); got != c.unread {
			t.Errorf("%s: unread %q, want %q", c.value, got, c.unread)
		}
	}
}

// A span that cannot be read does not lose the others, in any format.
func TestBadSpanAmongGood(t *testing.T) {
	t.Parallel()
	const good = `{"context": {"trace_id": "1", "span_id": "%d"}, "name": "n", "start_time": "2026-01-15T12:00:00Z", "attributes": {}}` + "\n"
	var lines strings.Builder
	for i := range 500 {
		fmt.Fprintf(&lines, good, i)
		if i == 250 {
			lines.WriteString(`{"context": {"trace_id": "1"}, "name": "bad", "start_time": "2026-01-15T12:00:00Z"}` + "\n")
		}
	}
	for _, c := range []struct {
		file  string
		spans int
	}{
		{lines.String(), 500},
		{`{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "0a", "spanId": "01"}, {"traceId": "0a"}, {"traceId": "0a", "spanId": "02"}]}]}]}`, 2},
	} {
		n := 0
		err := spans.Read(strings.NewReader(c.file), "f", func(spans.Span) error { n++; return nil })
		var skipped *spans.SkippedError
		if !errors.As(err, &skipped) || skipped.Count != 1 || n != c.spans {
			t.Errorf("%d spans, %v: want %d, and one that was skipped", n, err, c.spans)
		}
	}
}
