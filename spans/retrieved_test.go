package spans_test

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

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
		{"RETRIEVER", "output.value", `["<NodeWithScore(node=TextNode(id_=h1), score=0.9)>"]`, nil, "OpenInference: a list, the first entry text"},
		{"RETRIEVER", "other", `x`, nil, "OpenInference: nothing was recorded"},
		{"RETRIEVER", "retrieval.documents", `[{'document.content': 'Opens at 10.', 'document.id': 'h1'}]`, nil,
			"OpenInference: text that Python printed, not JSON: write data frames with to_json, not with to_csv"},
	} {
		found, _ := spans.Exchanges([]spans.Span{
			span("1", "", "CHAIN", 0, map[string]any{"input.value": "When?", "output.value": "10"}),
			span("2", "1", c.kind, 0, map[string]any{"input.value": "When?", c.attribute: c.value}),
		})
		if len(found) != 1 {
			t.Fatalf("%s: %d exchanges", c.value, len(found))
		}
		if d := gocmp.Diff(c.want, found[0].Response.Passages); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.value, d)
		}
		if got := strings.Join(found[0].Unread, "; "); got != c.unread {
			t.Errorf("%s: unread %q, want %q", c.value, got, c.unread)
		}
	}
}

// OpenLLMetry says by the operation that a class of any name retrieves.
func TestRetrieverOfAnyName(t *testing.T) {
	t.Parallel()
	for output, want := range map[string]string{
		`{"documents": [{"page_content": "24 days", "metadata": {"source": "leave.md"}}]}`: "1 []",
		`{"documents": 5}`: "0 [OpenLLMetry: a number or a truth]",
	} {
		found, _ := spans.Exchanges([]spans.Span{
			span("1", "", "", 0, map[string]any{"traceloop.span.kind": "workflow", "traceloop.entity.input": `{"inputs": "When?"}`, "traceloop.entity.output": `{"outputs": "10"}`}),
			span("2", "1", "", 1, map[string]any{
				"traceloop.span.kind": "task", "gen_ai.operation.name": "vector_db_retrieve", "traceloop.entity.name": "ByWords",
				"traceloop.entity.input": `{"query": "When?"}`, "traceloop.entity.output": output,
			}),
		})
		if got := fmt.Sprint(len(found[0].Response.Passages), " ", found[0].Unread); got != want {
			t.Errorf("%s: %s, want %s", output, got, want)
		}
	}
}

// What a step with the name of a filter kept is read where frameworks print it, too. If it is
// not, the passages of the response are unknown.
func TestPrintedPassages(t *testing.T) {
	t.Parallel()
	const unread = "OpenInference: %s, a list of texts"
	for _, c := range []struct{ kind, name, output, kept, unread string }{
		{"CHAIN", "SimilarityPostprocessor._postprocess_nodes", `["<NodeWithScore(node=TextNode(id_=doc of b), score=0.8)>"]`, "[doc of b]", ""},
		{"CHAIN", "Ranker.run", `{"documents": ["Document(id=doc of b, content: 'b', score: 0.8)", "Document(id=doc of a 1, content: 'a 1')"]}`, "[doc of b doc of a 1]", ""},
		{"CHAIN", "compress", `["page_content='a 1' metadata={'source': 'x'}"]`, "[doc of a 1]", ""},
		{"CHAIN", "compress", `[]`, "[]", ""},
		{"RERANKER", "rank", `["<NodeWithScore(node=TextNode(id_=doc of b), score=0.8)>"]`, "[doc of b]", ""},
		{"CHAIN", "postprocess", `["<NodeWithScore(node=TextNode(id_=other), score=0.8)>"]`, "unknown", unread},
		{"CHAIN", "compress", `["an extract"]`, "unknown", unread},
		{"RERANKER", "rank", `["an extract of a 1"]`, "[an extract of a 1]", ""},
		{"RERANKER", "rank", `["<NodeWithScore(node=TextNode(id_=other), score=0.8)>"]`, "unknown", "OpenInference: a list, the first entry text"},
		{"RERANKER", "rank", `["doc of b", "doc of a 1"]`, "[doc of b doc of a 1]", ""},
		{"RERANKER", "rank", `["d7#0", "d8#0"]`, "unknown", "OpenInference: a list of ids that no search returned"},
		// A fusion has the scores beside the documents.
		{"CHAIN", "rrf", `[[{"id": "doc of b", "page_content": "b"}, 0.03], [{"id": "doc of a 1", "page_content": "a 1"}, 0.01]]`, "[doc of b doc of a 1]", ""},
		{"CHAIN", "each", `[[{"id": "x", "page_content": "x"}, {"id": "y", "page_content": "y"}]]`, "[doc of a 1 doc of b]", ""},
		{"CHAIN", "votes", `[["b", 0.03], ["a 1", 0.01]]`, "[doc of a 1 doc of b]", ""},
		// These are no filters.
		{"CHAIN", "split", `["a 1", "b"]`, "[doc of a 1 doc of b]", ""},
		{"CHAIN", "grade", `"yes"`, "[doc of a 1 doc of b]", ""},
	} {
		found, _ := spans.Exchanges([]spans.Span{
			span("1", "", "CHAIN", 0, map[string]any{"input.value": "When?", "output.value": "10"}),
			span("2", "1", "RETRIEVER", 0, with(documents("retrieval.documents", "a 1", "b"), "input.value", "When?")),
			func() spans.Span {
				s := span("3", "1", c.kind, 1, map[string]any{"output.value": c.output})
				s.Name = c.name
				return s
			}(),
		})
		kept := "unknown"
		if list := found[0].Response.Passages; list != nil {
			ids := []string{}
			for _, p := range list {
				ids = append(ids, cmp.Or(p.ID, p.Text))
			}
			kept = fmt.Sprint(ids)
		}
		if c.unread == unread {
			c.unread = fmt.Sprintf(unread, c.name)
		}
		if says := strings.Join(found[0].Unread, "; "); kept != c.kept || says != c.unread {
			t.Errorf("%s, %s: %s, %q; want %s, %q", c.name, c.output, kept, says, c.kept, c.unread)
		}
		// The retriever's passages stay whole, and an unread filter has no output.
		stages := found[0].Response.Trace.Stages
		if kept == "unknown" && (len(stages) != 2 || stages[1].Output != nil || !strings.Contains(string(stages[0].Output), `"text":"a 1"`)) {
			t.Errorf("%s: %s", c.output, describe(found))
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
		{fmt.Sprintf(good+good, 1, 2) + `{"context": {"trace_`, 2},
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

// What tools of an agent returned as documents was searched for, in every convention: the
// passages are those of all searches, the best of each first.
func TestSearchesOfTools(t *testing.T) {
	t.Parallel()
	const orders, rules = `[{"id": "o1", "text": "A lamp."}, {"id": "o2", "text": "A chair."}]`,
		`[{"id": "r1", "text": "Within 30 days."}, {"id": "o1", "text": "A lamp."}]`
	for convention, tool := range map[string]func(result string) map[string]any{
		"OpenInference": func(result string) map[string]any {
			return map[string]any{"openinference.span.kind": "TOOL", "tool.name": "search", "output.value": result}
		},
		"MLflow": func(result string) map[string]any {
			return map[string]any{"mlflow.spanType": `"TOOL"`, "mlflow.spanOutputs": result}
		},
		"Langfuse": func(result string) map[string]any {
			return map[string]any{"langfuse.observation.type": "tool", "langfuse.observation.output": result}
		},
		"LangSmith": func(result string) map[string]any {
			return map[string]any{"langsmith.run_type": "tool", "langsmith.outputs": map[string]any{"output": result}}
		},
		"AI SDK": func(result string) map[string]any {
			return map[string]any{"operation.name": "ai.toolCall", "ai.operationId": "ai.toolCall", "ai.toolCall.name": "search", "ai.toolCall.result": result}
		},
		"OpenLLMetry": func(result string) map[string]any {
			return map[string]any{"traceloop.span.kind": "tool", "traceloop.entity.name": "search", "traceloop.entity.output": result}
		},
		"OpenTelemetry GenAI": func(result string) map[string]any {
			return map[string]any{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "search", "gen_ai.tool.call.result": result}
		},
	} {
		list := []spans.Span{span("1", "", "AGENT", 0, map[string]any{"input.value": "When?", "output.value": "Soon."})}
		for i, result := range []string{orders, rules, `"done"`} {
			list = append(list, span(fmt.Sprint(i+2), "1", "", i+1, tool(result)))
		}
		list = append(list, span("5", "1", "LLM", 5, map[string]any{
			"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "When? Within 30 days. A lamp.",
			"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "Soon.",
		}))
		found, _ := spans.Exchanges(list)
		r := found[0].Response
		var ids, stages []string
		for _, p := range r.Passages {
			ids = append(ids, p.ID)
		}
		for _, s := range r.Trace.Stages {
			stages = append(stages, strings.Fields(s.Name)[0])
		}
		if got := fmt.Sprint(ids, stages); got != "[o1 r1 o2] [retrieve retrieve tool generate]" {
			t.Errorf("%s: %s", convention, got)
		}
		if got, _ := r.StagePassages(assay.StageRetrieve); len(got) != 3 {
			t.Errorf("%s: retrieved %v", convention, got)
		}
		if got, _ := r.Given(); len(got) != 2 || got[0].ID != "r1" {
			t.Errorf("%s: the prompt has %v", convention, got)
		}
	}
}

// A step named as a search that nothing is below is a retrieval, whatever its kind, and listed if its output is not read.
func TestSearchesByName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, out string
		passages  int
		unread    string
	}{
		{"retrieval", `[{"page_content": "a text", "metadata": {"source": "a.md"}}, {"page_content": "b text"}]`, 2, "[]"},
		{"vector_search", `{"documents": [{"id": "a", "text": "a text"}]}`, 1, "[]"},
		{"Retrieve", `["a text", "b text"]`, 2, "[]"},
		{"retrieval", `a text and b text`, 0, "[Langfuse: text]"},
		{"research", `["a text", "b text"]`, 0, "[]"},
		{"retrieval answer", `{"answer": "10", "documents": [{"id": "a", "text": "a text"}]}`, 0, "[]"},
	} {
		search := span("2", "1", "", 1, map[string]any{"langfuse.observation.type": "span", "langfuse.observation.input": "When?", "langfuse.observation.output": c.out})
		search.Name = c.name
		found, _ := spans.Exchanges([]spans.Span{span("1", "", "CHAIN", 0, map[string]any{"input.value": "When?", "output.value": "10"}), search})
		if got := found[0]; len(got.Response.Passages) != c.passages || fmt.Sprint(got.Unread) != c.unread {
			t.Errorf("%s: %s: passages %v, unread %v", c.name, c.out, got.Response.Passages, got.Unread)
		}
	}
}

// A reranker that names the documents of its input by their places, from 0, has returned these.
func TestRerankersByPlace(t *testing.T) {
	t.Parallel()
	const query = `"query": "When?", "documents": `
	texts, objects := `{`+query+`["a text", "b text", "c text"]}`, `{`+query+`[{"id": "a", "text": "a text"}, {"id": "b", "text": "b text"}, {"id": "c", "text": "c text"}]}`
	picked := []string{"c", "a"}
	for _, c := range []struct {
		in, out string
		want    []string
	}{
		{texts, `{"id": "x", "results": [{"index": 2, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.5}]}`, picked},
		{objects, `[{"index": 2, "score": 0.9}, {"index": 0, "score": 0.5}]`, picked},
		{objects, `{"data": [{"index": 2, "relevance_score": 0.9}]}`, picked[:1]},
		{texts, `[{"corpus_id": 2, "score": 0.9}]`, picked[:1]},
		{texts, `[{"index": 3, "relevance_score": 0.9}]`, nil},
		{texts, `[{"index": 2, "score": 0.9}, {"index": 1, "score": 0.8}]`, nil}, // from 0 or from 1
		{texts, `[2, 0]`, nil},
		{`{"query": "When?"}`, `[{"index": 0, "relevance_score": 0.9}]`, nil},
	} {
		for convention, attributes := range map[string]map[string]any{
			"OpenInference": {"openinference.span.kind": "RERANKER", "input.value": c.in, "output.value": c.out},
			"Langfuse":      {"langfuse.observation.type": "retriever", "langfuse.observation.input": c.in, "langfuse.observation.output": c.out},
			"MLflow":        {"mlflow.spanType": "RERANKER", "mlflow.spanInputs": c.in, "mlflow.spanOutputs": c.out},
			"OpenLLMetry": {"traceloop.span.kind": "task", "traceloop.entity.name": "reranker", "traceloop.entity.input": `{"inputs": ` + c.in + `}`,
				"traceloop.entity.output": `{"outputs": ` + c.out + `}`},
		} {
			reranker := span("3", "1", "", 2, nil)
			reranker.Name, reranker.Attributes = "rerank", attributes
			found, _ := spans.Exchanges([]spans.Span{
				span("1", "", "CHAIN", 0, map[string]any{"input.value": "When?", "output.value": "10"}),
				span("2", "1", "RETRIEVER", 1, map[string]any{"input.value": "When?", "output.value": `[{"id": "a", "text": "a text"}, ` +
					`{"id": "b", "text": "b text"}, {"id": "c", "text": "c text"}]`}), reranker,
			})
			if len(found) != 1 {
				t.Fatalf("%s: %d exchanges", convention, len(found))
			}
			var ids []string
			for _, p := range found[0].Response.Passages {
				ids = append(ids, p.ID)
			}
			if (found[0].Unread == nil) != (c.want != nil) || c.want != nil && gocmp.Diff(c.want, ids) != "" {
				t.Errorf("%s: %s: %q, unread %q: want %q", convention, c.out, ids, found[0].Unread, c.want)
			}
		}
	}
}
