package spans_test

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/spans"
)

var began = time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)

// span makes a span of OpenInference that takes a second and begins at a second of the trace.
func span(id, parent, kind string, at int, attributes map[string]any) spans.Span {
	if attributes == nil {
		attributes = map[string]any{}
	}
	if kind != "" {
		attributes["openinference.span.kind"] = kind
	}
	from := began.Add(time.Duration(at) * time.Second)
	return spans.Span{Trace: "t", ID: id, Parent: parent, Name: "name of " + id, Start: from, End: from.Add(time.Second), Attributes: attributes}
}

func documents(prefix string, list ...string) map[string]any {
	out := map[string]any{}
	for i, text := range list {
		at := fmt.Sprintf("%s.%d.document.", prefix, i)
		out[at+"id"], out[at+"content"], out[at+"score"] = "doc of "+text, text, json.Number(fmt.Sprint(1-float64(i)/10))
	}
	return out
}

func with(m map[string]any, pairs ...any) map[string]any {
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}

// describe writes what an exchange is, in a line for each part.
func describe(list []spans.Exchange) []string {
	var out []string
	for _, e := range list {
		r := e.Response
		out = append(out, fmt.Sprintf("%s: %s -> %s", e.Case.ID, e.Case.Question, r.Answer))
		if e.Failure != "" {
			out = append(out, "failed: "+e.Failure)
		}
		if r.Passages != nil {
			var ids []string
			for _, p := range r.Passages {
				ids = append(ids, p.ID)
			}
			out = append(out, "passages: "+strings.Join(ids, ", "))
		}
		if r.Usage != (assay.Usage{}) {
			out = append(out, fmt.Sprintf("tokens: %d, %d", r.Usage.InputTokens, r.Usage.OutputTokens))
		}
		if r.Trace != nil {
			for _, s := range r.Trace.Stages {
				out = append(out, fmt.Sprintf("%s %d: %s -> %s", s.Name, s.SubQuestion, s.Input, s.Output))
			}
		}
	}
	return out
}

func TestExchanges(t *testing.T) {
	t.Parallel()
	chain := func(id, parent string, at int, in, out string) spans.Span {
		return span(id, parent, "CHAIN", at, map[string]any{"input.value": in, "output.value": out})
	}
	model := func(id, parent string, at int, prompt, reply string) spans.Span {
		return span(id, parent, "LLM", at, map[string]any{
			"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": prompt,
			"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": reply,
			"llm.token_count.prompt": json.Number("10"), "llm.token_count.completion": json.Number("2"),
		})
	}
	retriever := func(id, parent string, at int, query string, found ...string) spans.Span {
		return span(id, parent, "RETRIEVER", at, with(documents("retrieval.documents", found...), "input.value", query))
	}
	found := func(texts ...string) string {
		var list []assay.Passage
		for i, text := range texts {
			list = append(list, assay.Passage{ID: "doc of " + text, Score: 1 - float64(i)/10})
		}
		b, _ := json.Marshal(list)
		return string(b)
	}
	cases := []struct {
		name   string
		spans  []spans.Span
		want   []string
		unread int
	}{
		{"a pipeline, its spans in any order", []spans.Span{
			model("m", "c", 3, "Use: red boats. When?", "At nine."), retriever("r", "c", 1, "when?", "red boats", "blue boats"), chain("c", "", 0, `{"question": "When?"}`, "At nine."),
		}, []string{
			"t: When? -> At nine.", "passages: doc of red boats, doc of blue boats", "tokens: 10, 2",
			`retrieve 0: "when?" -> ` + found("red boats", "blue boats"), `generate 0: ` + found("red boats") + ` -> "At nine."`,
		}, 0},
		{"topmost steps of one question", []spans.Span{
			retriever("r", "", 1, "When?", "red boats"), model("m", "", 3, "red boats. When?", "At nine."),
		}, []string{
			"t: When? -> At nine.", "passages: doc of red boats", "tokens: 10, 2", `retrieve 0: "When?" -> ` + found("red boats"),
			`generate 0: ` + found("red boats") + ` -> "At nine."`,
		}, 0},
		{"topmost steps of two questions and a greeting", []spans.Span{
			model("h", "", 0, "Hi", "Hello."), retriever("r", "", 1, "When?", "a b"), retriever("s", "", 2, "Where?", "c d"),
			model("m", "", 3, "a b When?", "Nine."), model("n", "", 4, "c d Where?", "Here."),
		}, []string{
			"t/h: Hi -> Hello.", "tokens: 10, 2", `generate 0:  -> "Hello."`,
			"t/m: When? -> Nine.", "passages: doc of a b", "tokens: 10, 2", `retrieve 0: "When?" -> ` + found("a b"), `generate 0: ` + found("a b") + ` -> "Nine."`,
			"t/n: Where? -> Here.", "passages: doc of c d", "tokens: 10, 2", `retrieve 0: "Where?" -> ` + found("c d"), `generate 0: ` + found("c d") + ` -> "Here."`,
		}, 0},
		{"a reranker", []spans.Span{
			chain("c", "", 0, "When?", "Nine."), retriever("r", "c", 1, "When?", "a b", "c d"),
			span("k", "c", "RERANKER", 2, with(documents("reranker.output_documents", "c d"), "reranker.query", "When?")),
		}, []string{
			"t: When? -> Nine.", "passages: doc of c d", `retrieve 0: "When?" -> ` + strings.Replace(found("a b", "c d"), `"id":"doc of a b"`, `"id":"doc of a b","text":"a b"`, 1),
			`filter 0: "When?" -> ` + found("c d"),
		}, 0},
		{"the last reranker decides", []spans.Span{
			chain("c", "", 0, "When?", "Nine."), retriever("r", "c", 1, "When?", "a", "b"),
			span("k", "c", "RERANKER", 2, documents("reranker.output_documents", "a", "b")),
			span("l", "c", "RERANKER", 3, documents("reranker.output_documents", "b")),
		}, []string{
			"t: When? -> Nine.", "passages: doc of b", `retrieve 0: "When?" -> ` + strings.Replace(found("a", "b"), `"id":"doc of a"`, `"id":"doc of a","text":"a"`, 1),
			`filter 0: "" -> ` + strings.Replace(found("a", "b"), `"id":"doc of a"`, `"id":"doc of a","text":"a"`, 1), `filter 0: "" -> ` + found("b"),
		}, 0},
		{"a retriever that drops what another found", []spans.Span{
			chain("c", "", 0, "When?", "Nine."), retriever("r", "c", 1, "When?", "b"), retriever("r1", "r", 1, "When?", "b", "a"), retriever("r2", "r", 2, "When?", "b"),
		}, []string{
			"t: When? -> Nine.", "passages: doc of b", `retrieve 0: "When?" -> ` + strings.Replace(found("b", "a"), `"id":"doc of a"`, `"id":"doc of a","text":"a"`, 1),
			`retrieve 0: "When?" -> ` + found("b"), `filter 0: "When?" -> ` + found("b"),
		}, 0},
		{"a compressor that changes a text", []spans.Span{
			chain("c", "", 0, "When?", "Nine."), func() spans.Span {
				s := span("r", "c", "RETRIEVER", 1, map[string]any{"retrieval.documents.0.document.content": "b."})
				s.Name = "ContextualCompressionRetriever"
				return s
			}(), retriever("r1", "r", 1, "When?", "b. a"),
		}, []string{
			"t: When? -> Nine.", "passages: ", `retrieve 0: "When?" -> [{"id":"doc of b. a","text":"b. a","score":1}]`, `filter 0: "" -> [{"text":"b."}]`,
		}, 0},
		{"evaluators and guardrails are passed over", []spans.Span{
			span("c", "", "CHAIN", 0, map[string]any{"input.value": "When?"}), retriever("r", "c", 1, "When?", "a"), model("m", "c", 2, "When?", "Nine."),
			span("e", "c", "EVALUATOR", 3, nil), retriever("r1", "e", 4, "Gold?", "b"), span("g", "m", "GUARDRAIL", 5, nil), model("n", "g", 6, "When? Safe?", "safe"),
			span("f", "c", "CHAIN", 7, nil), span("v", "f", "", 8, map[string]any{"langfuse.observation.type": "EVALUATOR"}), model("o", "v", 9, "When? Right?", "CORRECT"),
		}, []string{
			"t: When? -> Nine.", "passages: doc of a", "tokens: 10, 2", `retrieve 0: "When?" -> ` + found("a"), `generate 0: [] -> "Nine."`,
		}, 0},
		{"a later model that suggests questions does not answer", []spans.Span{
			span("c", "", "CHAIN", 0, map[string]any{"input.value": "When?"}), model("m", "c", 1, "When?", "Nine."), model("s", "c", 2, "Suggest more.", "Where? Who?"),
		}, []string{"t: When? -> Nine.", "tokens: 20, 4", `generate 0:  -> "Nine."`, `name of s 0:  -> "Where? Who?"`}, 0},
		{"several queries are sub-questions", []spans.Span{
			chain("c", "", 0, "When and where?", "Nine, here."), retriever("r1", "c", 1, "When?", "a"), retriever("r2", "c", 2, "Where?", "b"), retriever("r3", "c", 3, "When?", "c"),
		}, []string{
			"t: When and where? -> Nine, here.", "passages: doc of a, doc of b, doc of c", `decompose 0: "When and where?" -> ["When?","Where?"]`,
			`retrieve 1: "When?" -> ` + found("a"), `retrieve 2: "Where?" -> ` + found("b"), `retrieve 1: "When?" -> ` + found("c"),
		}, 0},
		{"a retriever within a retriever counts once", []spans.Span{
			chain("c", "", 0, "When?", "Nine."), span("r", "c", "RETRIEVER", 1, map[string]any{"input.value": "When?"}), retriever("r1", "r", 1, "When?", "a"),
		}, []string{"t: When? -> Nine.", "passages: doc of a", `retrieve 0: "When?" -> ` + found("a")}, 0},
		{"a model call that two libraries recorded counts once", []spans.Span{
			chain("c", "", 0, "When?", "Nine."), model("m", "c", 1, "When?", "Nine."), model("m1", "m", 1, "When?", "Nine."),
		}, []string{"t: When? -> Nine.", "tokens: 10, 2", `generate 0:  -> "Nine."`}, 0},
		{"a model call before the answer keeps its name", []spans.Span{
			chain("c", "", 0, "And then?", "Nine."), model("m", "c", 1, "Rewrite: and then?", "When then?"), model("n", "c", 2, "When then?", "Nine."),
		}, []string{
			"t: And then? -> Nine.", "tokens: 20, 4", `name of m 0:  -> "When then?"`, `generate 0:  -> "Nine."`,
		}, 0},
		{"below the span of a web server", []spans.Span{span("w", "", "", 0, nil), chain("c", "w", 1, "When?", "Nine.")},
			[]string{"t: When? -> Nine."}, 0},
		{"two pipelines below one span", []spans.Span{span("w", "", "", 0, nil), chain("c", "w", 1, "When?", "Nine."), chain("d", "w", 2, "Where?", "Here.")},
			[]string{"t/c: When? -> Nine.", "t/d: Where? -> Here."}, 0},
		{"the parts of a pipeline that is not instrumented", []spans.Span{
			span("w", "", "", 0, nil), retriever("r", "w", 1, "When?", "a"), model("m", "w", 2, "a\n\nQuestion: When?", "Nine."),
		}, []string{
			"t: When? -> Nine.", "passages: doc of a", "tokens: 10, 2", `retrieve 0: "When?" -> ` + found("a"), `generate 0: ` + found("a") + ` -> "Nine."`,
		}, 0},
		{"only a model", []spans.Span{model("m", "", 0, "When?", "Nine.")}, []string{"t: When? -> Nine.", "tokens: 10, 2", `generate 0:  -> "Nine."`}, 0},
		{"a search", []spans.Span{retriever("r", "", 0, "When?")}, nil, 0},
		{"the parent was not exported", []spans.Span{chain("c", "gone", 0, "When?", "Nine.")}, []string{"t: When? -> Nine."}, 0},
		{"the first span is still to come", []spans.Span{retriever("r", "c", 1, "When?", "a"), model("m", "c", 2, "a\n\nQuestion: When?", "Nine.")}, []string{
			"t: When? -> Nine.", "passages: doc of a", "tokens: 10, 2", `retrieve 0: "When?" -> ` + found("a"), `generate 0: ` + found("a") + ` -> "Nine."`,
		}, 0},
		{"two pipelines of a caller that is not traced", []spans.Span{chain("c", "gone", 0, "When?", "Nine."), chain("d", "gone", 1, "Where?", "Here.")},
			[]string{"t/c: When? -> Nine.", "t/d: Where? -> Here."}, 0},
		{"a span that came twice", []spans.Span{chain("c", "", 0, "When?", "Nine."), chain("c", "", 0, "When?", "Nine.")}, []string{"t: When? -> Nine."}, 0},
		{"parents in a circle", []spans.Span{chain("c", "d", 0, "When?", "Nine."), chain("d", "c", 1, "Where?", "Here.")},
			[]string{"t/c: When? -> Nine.", "t/d: Where? -> Here."}, 0},
		{"an answer that is JSON", []spans.Span{chain("c", "", 0, "Which?", "[2, 3, 5]")}, []string{"t: Which? -> [2,3,5]"}, 0},
		{"neither an answer nor passages", []spans.Span{span("c", "", "CHAIN", 0, map[string]any{"input.value": "When?"})}, nil, 1},
		{"nothing about a question", []spans.Span{span("w", "", "", 0, nil), span("e", "w", "EMBEDDING", 1, map[string]any{"input.value": "x"})}, nil, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "a search" {
				c.spans[0].Attributes["output.value"] = "[]"
				c.want = []string{"t: When? -> ", "passages: ", `retrieve 0: "When?" -> []`}
			}
			got, unread := spans.Exchanges(c.spans)
			if diff := cmp.Diff(c.want, describe(got)); diff != "" {
				t.Error(diff)
			}
			if unread != c.unread {
				t.Errorf("%d unread, want %d", unread, c.unread)
			}
			incomplete := strings.HasPrefix(c.name, "the parent was") || strings.HasPrefix(c.name, "the first span") || strings.Contains(c.name, "not traced")
			for _, e := range got {
				if (e.Checks == 3) != strings.HasPrefix(c.name, "evaluators") {
					t.Errorf("%d evaluators and guardrails", e.Checks)
				}
				if e.Incomplete != incomplete {
					t.Errorf("incomplete: %v", e.Incomplete)
				}
				if !slices.ContainsFunc(c.spans, func(s spans.Span) bool { return s.ID == e.Case.Metadata["span"] }) {
					t.Errorf("span %v is not in the trace", e.Case.Metadata["span"])
				}
				if e.Response.NoAnswer != (c.name == "a search") {
					t.Errorf("no answer: %v", e.Response.NoAnswer)
				}
			}
		})
	}
}

func TestExchangesOfFailures(t *testing.T) {
	t.Parallel()
	failed := span("c", "", "CHAIN", 0, map[string]any{"input.value": "When?"})
	failed.Failed, failed.Failure = true, "no such index"
	got, _ := spans.Exchanges([]spans.Span{failed})
	if diff := cmp.Diff([]string{"t: When? -> ", "failed: no such index"}, describe(got)); diff != "" {
		t.Error(diff)
	}
	for kind, want := range map[string]string{"timeout": "the span n failed: timeout", "_OTHER": "the span n failed"} {
		kindOnly := span("c", "", "CHAIN", 0, map[string]any{"input.value": "When?", "error.type": kind})
		kindOnly.Name, kindOnly.Failed = "n", true
		if got, _ := spans.Exchanges([]spans.Span{kindOnly}); len(got) != 1 || got[0].Failure != want {
			t.Errorf("%s: %+v, want %q", kind, got, want)
		}
	}
	for output, want := range map[string]string{
		`{"answer": "Nine.", "ok": false}`: `failed: "ok": false`, `{"answer": "Nine.", "status": "error", "detail": "down"}`: `failed: "status": "error", down`,
	} {
		got, _ := spans.Exchanges([]spans.Span{span("c", "", "CHAIN", 0, map[string]any{"input.value": "When?", "output.value": output})})
		if says := describe(got); says[len(says)-1] != want {
			t.Errorf("%s: %q, want %q", output, says, want)
		}
	}
}

// What failed is the topmost step, or the last below what has no output; what recovered did not.
func TestFailuresBelow(t *testing.T) {
	t.Parallel()
	step := func(id, parent, kind string, at int, output, failure string) spans.Span {
		s := span(id, parent, kind, at, map[string]any{"input.value": "When?"})
		if output != "" {
			s.Attributes["output.value"] = output
		}
		s.Failed, s.Failure = failure != "", failure
		return s
	}
	for name, c := range map[string]struct {
		spans []spans.Span
		want  string
	}{
		"a web server":                {[]spans.Span{step("h", "", "", 0, "", "500"), step("c", "h", "CHAIN", 1, "Nine.", "")}, "500"},
		"a middleware":                {[]spans.Span{step("h", "", "", 0, "", ""), step("w", "h", "", 1, "", ""), step("m", "w", "LLM", 2, "", "429")}, "429"},
		"a chain without a status":    {[]spans.Span{step("c", "", "CHAIN", 0, "", ""), step("m", "c", "LLM", 1, "", "429")}, "429"},
		"a reply that broke off":      {[]spans.Span{step("h", "", "", 0, "", ""), step("m", "h", "LLM", 1, "At", "cut")}, "cut"},
		"after another call":          {[]spans.Span{step("h", "", "", 0, "", ""), step("q", "h", "LLM", 1, "When open?", ""), step("m", "h", "LLM", 2, "", "429")}, "429"},
		"a retriever without a reply": {[]spans.Span{step("c", "", "CHAIN", 0, "", ""), step("r", "c", "RETRIEVER", 1, "", "down")}, "down"},
		"a retry":                     {[]spans.Span{step("c", "", "CHAIN", 0, "", ""), step("m", "c", "LLM", 1, "", "429"), step("n", "c", "LLM", 2, "Nine.", "")}, ""},
		"another answer":              {[]spans.Span{step("c", "", "CHAIN", 0, "Nine.", ""), step("m", "c", "LLM", 1, "", "429")}, ""},
		"a tool after the reply":      {[]spans.Span{step("c", "", "CHAIN", 0, "", ""), step("m", "c", "LLM", 1, "Nine.", ""), step("s", "c", "TOOL", 2, "", "full")}, ""},
		"an agent below a workflow": {[]spans.Span{step("c", "", "CHAIN", 0, "", ""), step("a", "c", "AGENT", 1, "", "blocked"), step("t", "a", "CHAIN", 2, "", ""),
			step("m", "t", "LLM", 3, "Nine.", "")}, "blocked"},
		"another agent": {[]spans.Span{step("c", "", "CHAIN", 0, "", ""), step("a", "c", "AGENT", 1, "", "429"), step("m", "a", "LLM", 2, "At", ""),
			step("b", "c", "AGENT", 3, "", ""), step("n", "b", "LLM", 4, "Nine.", "")}, ""},
		"a fallback without a model": {[]spans.Span{step("c", "", "CHAIN", 0, "", ""), step("f", "c", "CHAIN", 1, "Nine.", ""), step("a", "f", "AGENT", 2, "", "429"),
			step("m", "a", "LLM", 3, "At", "")}, ""},
		"an evaluator": {[]spans.Span{step("c", "", "CHAIN", 0, "", ""), step("m", "c", "LLM", 1, "Nine.", ""), step("e", "c", "EVALUATOR", 2, "", "down")}, ""},
	} {
		got, _ := spans.Exchanges(c.spans)
		if len(got) != 1 || got[0].Failure != c.want {
			t.Errorf("%s: %q, want %q", name, describe(got), c.want)
		}
	}
	for file, want := range map[string]string{
		`{"id": "t", "input": "When?", "output": "Sorry.", "observations": [{"id": "o", "type": "SPAN", "input": "When?", "level": "ERROR", "statusMessage": "429"},
		 {"id": "g", "parentObservationId": "o", "type": "GENERATION", "level": "ERROR"}]}`: "429",
		`{"id": "t", "input": "When?", "output": "Nine.", "observations": [{"id": "o", "type": "GENERATION", "level": "ERROR", "statusMessage": "429"},
		 {"id": "g", "type": "GENERATION", "output": "Nine."}]}`: "",
		`{"id": "t", "name": "ask", "run_type": "chain", "inputs": {"input": "When?"}, "outputs": {"answer": "", "error_msg": "429"}}`:      "429",
		`{"id": "t", "name": "ask", "run_type": "chain", "inputs": {"input": "When?"}, "outputs": {"answer": "Nine.", "error_msg": "429"}}`: "",
		`{"id": "t", "name": "ask", "run_type": "chain", "inputs": {"input": "When?"}, "outputs": {"choices": [{"message": {"content": "Nine"},
		 "finish_reason": null, "error": {"message": "429"}}]}}`: "the server ended the reply with an error: 429",
		`{"id": "t", "name": "ask", "run_type": "chain", "inputs": {"input": "When?"}, "status": "error"}`: "the span ask failed",
		`{"info": {"trace_id": "t"}, "data": {"spans": [{"name": "ask", "context": {"span_id": "01"}, "status_code": "ERROR", "status_message": "429",
		 "attributes": {"mlflow.spanType": "\"CHAIN\"", "mlflow.spanInputs": "\"When?\""}}]}}`: "429",
		`{"info": {"trace_id": "t", "state": "ERROR"}, "data": {"spans": [{"name": "ask", "span_id": "01", "status": {"code": "STATUS_CODE_OK"},
		 "attributes": {"mlflow.spanType": "\"CHAIN\"", "mlflow.spanInputs": "\"When?\"", "mlflow.spanOutputs": "\"Nine.\""}}]}}`: "the span ask failed",
	} {
		got, _ := spans.Exchanges(readAll(t, file))
		if len(got) != 1 || got[0].Failure != want {
			t.Errorf("%s: %q, want %q", file, describe(got), want)
		}
	}
}

// request is a trace of two spans as OTLP has it.
func request() *trace.TracesData {
	text := func(key, value string) *common.KeyValue {
		return &common.KeyValue{Key: key, Value: &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: value}}}
	}
	id := func(n int) []byte { b, _ := hex.DecodeString(fmt.Sprintf("%016x", n)); return b }
	traceID := append(id(1), id(2)...)
	return &trace.TracesData{ResourceSpans: []*trace.ResourceSpans{{ScopeSpans: []*trace.ScopeSpans{{Spans: []*trace.Span{
		{
			TraceId: traceID, SpanId: id(1), Name: "ask", StartTimeUnixNano: uint64(began.UnixNano()), EndTimeUnixNano: uint64(began.Add(time.Second).UnixNano()),
			Attributes: []*common.KeyValue{text("openinference.span.kind", "CHAIN"), text("input.value", "When?"), text("output.value", "Nine.")},
		},
		{
			TraceId: traceID, SpanId: id(2), ParentSpanId: id(1), Name: "model", StartTimeUnixNano: uint64(began.UnixNano()),
			Attributes: []*common.KeyValue{
				text("openinference.span.kind", "LLM"), text("output.value", "Nine."),
				{Key: "llm.token_count.prompt", Value: &common.AnyValue{Value: &common.AnyValue_IntValue{IntValue: 12}}},
			},
		},
	}}}}}}
}

const requestJSON = `{"resourceSpans": [{"scopeSpans": [{"spans": [
 {"traceId": "00000000000000010000000000000002", "spanId": "0000000000000001", "name": "ask", "startTimeUnixNano": "1768478400000000000",
  "endTimeUnixNano": "1768478401000000000", "attributes": [{"key": "openinference.span.kind", "value": {"stringValue": "CHAIN"}},
  {"key": "input.value", "value": {"stringValue": "When?"}}, {"key": "output.value", "value": {"stringValue": "Nine."}}]},
 {"traceId": "00000000000000010000000000000002", "spanId": "0000000000000002", "parentSpanId": "0000000000000001", "name": "model",
  "startTimeUnixNano": 1768478400000000000, "attributes": [{"key": "openinference.span.kind", "value": {"stringValue": "LLM"}},
  {"key": "output.value", "value": {"stringValue": "Nine."}}, {"key": "llm.token_count.prompt", "value": {"intValue": "12"}}]}
]}]}]}`

func readAll(t *testing.T, file string) []spans.Span {
	t.Helper()
	var out []spans.Span
	if err := spans.Read(strings.NewReader(file), "f", func(s spans.Span) error { out = append(out, s); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestReadForms reads one trace in every form of OTLP.
func TestReadForms(t *testing.T) {
	t.Parallel()
	binary, err := proto.Marshal(request())
	if err != nil {
		t.Fatal(err)
	}
	pack := func(s string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write([]byte(s))
		_ = z.Close()
		return b.String()
	}
	line := strings.ReplaceAll(requestJSON, "\n", "")
	snake := strings.NewReplacer("resourceSpans", "resource_spans", "scopeSpans", "scope_spans", "traceId", "trace_id", "parentSpanId", "parent_span_id",
		"spanId", "span_id", "TimeUnixNano", "_time_unix_nano", "stringValue", "string_value", "intValue", "int_value").Replace(line)
	base64 := strings.NewReplacer("00000000000000010000000000000002", "AAAAAAAAAAEAAAAAAAAAAg==", "0000000000000001", "AAAAAAAAAAE=", "0000000000000002",
		"AAAAAAAAAAI=").Replace(line)
	want := readAll(t, requestJSON)
	if len(want) != 2 || want[0].End.Sub(want[0].Start) != time.Second || want[1].Parent != want[0].ID || want[0].Trace != "00000000000000010000000000000002" {
		t.Fatalf("got %+v", want)
	}
	for name, file := range map[string]string{
		"protobuf": string(binary), "protobuf packed": pack(string(binary)), "packed": pack(line), "a line": line, "white space": "\n\n  " + line + "\n",
		"a list": "[" + line + "]", "snake case": snake, "base64": base64,
	} {
		if diff := cmp.Diff(want, readAll(t, file)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if got := readAll(t, line+"\n"+line+"\n["+line+","+line+"]"); len(got) != 8 {
		t.Errorf("%d spans of four requests, want 8", len(got))
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"":                       "f: the file is empty: expected traces as JSON",
		"[]":                     "f: no spans: expected traces as JSON",
		"\n\n7":                  "f:3: a number: expected an object: expected one of OTLP, MLflow",
		`{"a": 1}` + "\n":        "f:1: an object with the fields a is no span of a known format: expected one of OTLP",
		"{}\n{":                  "f:1: an object with no fields",
		`{"resourceSpans": []}{`: "f:1: the file ends within an object",
		`{"resourceSpans": []}]`: "f:1: invalid character ']'",
		"{\"resourceSpans\": [{\"scopeSpans\": [{\"spans\": [{\"name\": \"x\"}]}]}]}":                             `f:1: OTLP: span "x": traceId or spanId is missing`,
		`{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId":"a","spanId":"b","startTimeUnixNano":-1}]}]}]}`: `startTimeUnixNano: "-1": expected nanoseconds`,
		"\x0aXX":                        "f: no message of OTLP: expected an ExportTraceServiceRequest",
		`{"run_type": "llm", "id": ""}`: "is missing",
		`{"context": {"trace_id": "a", "span_id": "b"}, "start_time": "yesterday"}`: `time "yesterday": expected one as 2026-01-15T12:00:00Z`,
	} {
		err := spans.Read(strings.NewReader(file), "f", func(spans.Span) error { return nil })
		var of *spans.ReadError
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, &of) {
			t.Errorf("%q: %v, want %q", file, err, want)
		}
	}
}

// TestCollector brings the spans of many traces together that arrive in any order.
func TestCollector(t *testing.T) {
	t.Parallel()
	c, err := spans.NewCollector()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const traces, each = 50, 7
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range append(random.Perm(traces*each), random.Perm(traces*each)...) { // a request is sent again
		s := span(fmt.Sprint(n), "", "CHAIN", n, map[string]any{"n": json.Number(fmt.Sprint(n)), "list": []any{"a", true, map[string]any{"b": nil}}})
		s.Trace = fmt.Sprint(n % traces)
		if err := c.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]int{}
	for list, err := range c.All() {
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			if s.Trace != list[0].Trace || s.Attributes["n"] != json.Number(s.ID) {
				t.Errorf("got %+v", s)
			}
			seen[s.Trace]++
		}
	}
	if c.Spans() != traces*each || c.Traces() != traces {
		t.Errorf("%d spans of %d traces", c.Spans(), c.Traces())
	}
	for i := range traces {
		if seen[fmt.Sprint(i)] != each {
			t.Errorf("trace %d: %d spans, want %d", i, seen[fmt.Sprint(i)], each)
		}
	}
}

// A page of an API is read as a list, and files of other forms say how to export one that is read.
func TestReadPagesAndOtherForms(t *testing.T) {
	t.Parallel()
	const entry = `{"id": "t", "input": "When?", "output": "Nine.", "observations": [{"id": "o", "type": "SPAN"}]}`
	if got := readAll(t, `{"data": [`+entry+`], "meta": {"page": 1}}`); len(got) != 2 {
		t.Errorf("a page: %d spans, want 2", len(got))
	}
	for beside, pages := range map[string]string{
		`"runs": [RUN], "cursors": {"next": "c"}`: "cursors.next: one page of several", `"data": [RUN], "has_more": true`: "has_more: one page of several",
		`"data": [RUN], "next_cursor": null`: "",
	} {
		n, said := 0, ""
		file := "{" + strings.Replace(beside, "RUN", `{"id": "r", "run_type": "chain"}`, 1) + "}"
		if err := spans.Read(strings.NewReader(file), "f", func(spans.Span) error { n++; return nil }); err != nil {
			said = err.Error()
		}
		if n != 1 || !strings.Contains(said, pages) || pages == "" && said != "" || strings.Contains(said, "cannot be read") {
			t.Errorf("%s: %d spans, %q", beside, n, said)
		}
	}
	for file, want := range map[string]string{
		`{"id": "t", "input": "When?", "observations": ["o", "p"]}`:             "GET /api/public/traces/ID",
		"name,span_kind,parent_id,context.span_id\nrag,CHAIN,,01\n":             `orient="records"`,
		"context.span_id,name\n01,rag\n":                                        `orient="records"`,
		"PAR1\x15\x04":                                                          `orient="records"`,
		`{"data": [{"id": "t", "observations": ["o"]}]}`:                        "GET /api/public/traces/ID",
		`{"id": "t", "observations": [{"id": "o", "type": "SPAN", "name": 3}]}`: "cannot unmarshal number",
	} {
		err := spans.Read(strings.NewReader(file), "f", func(spans.Span) error { return nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %s", file, err, want)
		}
	}
}

// FuzzRead reads anything without a panic, and makes exchanges of it that can be written.
func FuzzRead(f *testing.F) {
	binary, err := proto.Marshal(request())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(binary)
	for _, s := range []string{
		requestJSON, `{"id":"1","run_type":"llm","inputs":{"messages":[[{"id":["a","HumanMessage"],"kwargs":{"content":"q"}}]]},"outputs":{"generations":[[{"text":"a"}]]}}`,
		`{"info":{"trace_id":"t"},"data":{"spans":[{"span_id":"a","attributes":{"mlflow.spanType":"\"RETRIEVER\"","mlflow.spanOutputs":"[{\"page_content\":\"x\"}]"}}]}}`,
		`{"id":"t","observations":[{"id":"o","type":"GENERATION","input":[{"role":"user","content":"q"}],"output":"a","usage":{"input":1}}]}`,
		`{"context":{"trace_id":"0x1","span_id":"2"},"attributes":{"openinference":{"span":{"kind":"LLM"}},"retrieval":{"documents":[{"document":{"content":"x"}}]}}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		var list []spans.Span
		if err := spans.Read(bytes.NewReader(file), "f", func(s spans.Span) error { list = append(list, s); return nil }); err != nil {
			return
		}
		found, _ := spans.Exchanges(list)
		for _, e := range found {
			if e.Case.Question == "" || e.Case.ID == "" {
				t.Errorf("got %+v", e)
			}
			if _, err := json.Marshal(e.Response); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestTextsThatTheExporterCut(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]int{
		`["the cat sat here", "the dog sat here", "the owl sat here"]`:    1,
		`["the cat sat here", "the dog sat there", "the owl sat"]`:        0,
		`["{\"question\": \"wh", "b", "c"]`:                               1,
		`["{\"question\": 1}", "b", "c"]`:                                 0,
		`["The cat sat here.", "The dog sat here.", "The owl sat here."]`: 0, `["{\"context\"} is text", "b", "c"]`: 0, "[\"{\\\"a\\\": 1}\\n\", \"b\"]": 0,
	} {
		var texts []string
		if err := json.Unmarshal([]byte(value), &texts); err != nil {
			t.Fatal(err)
		}
		attributes := map[string]any{"openinference.span.kind": "RETRIEVER", "input.value": "where"}
		for i, text := range texts {
			attributes[fmt.Sprintf("retrieval.documents.%d.document.content", i)] = text
		}
		found, _ := spans.Exchanges([]spans.Span{{Trace: "a", ID: "b", Attributes: attributes}})
		if len(found) != 1 || found[0].Cut != want || len(found[0].Response.Warnings) != want {
			t.Errorf("%s: %+v", value, found)
		}
	}
}

// OpenTelemetry keeps 128 attributes of a span: of a long list of passages some are gone, so what was
// retrieved is not known.
func TestAttributesThatTheExporterDropped(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"droppedAttributesCount", "dropped_attributes_count"} {
		for dropped, want := range map[string]int{"36": 0, `"36"`: 0, "0": 1} {
			list, err := spans.JSON([]byte(`{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "0a", "spanId": "0c", "attributes": [
				{"key": "openinference.span.kind", "value": {"stringValue": "CHAIN"}}, {"key": "input.value", "value": {"stringValue": "where"}},
				{"key": "output.value", "value": {"stringValue": "there"}}]}, {"traceId": "0a", "spanId": "0b", "parentSpanId": "0c", "name": "search", "` + key + `": ` + dropped +
				`, "attributes": [{"key": "openinference.span.kind", "value": {"stringValue": "RETRIEVER"}}, {"key": "input.value", "value": {"stringValue": "where"}},
				{"key": "retrieval.documents.30.document.content", "value": {"stringValue": "a text"}}]}]}]}]}`))
			if err != nil {
				t.Fatal(err)
			}
			found, _ := spans.Exchanges(list)
			if len(found) != 1 || len(found[0].Response.Passages) != want || found[0].Cut != 1-want || len(found[0].Unread) != 1-want {
				t.Errorf("%s %s: %+v", key, dropped, found)
			}
		}
	}
}

// A span of OpenInference that fills in a prompt has the kind of a model's call, and wrote no answer.
func TestPromptIsNoAnswer(t *testing.T) {
	t.Parallel()
	list := []spans.Span{
		span("root", "", "CHAIN", 0, map[string]any{"input.value": `{"data": {"prompt": {"query": "When?"}}}`, "output.value": `{"llm": {"replies": []}}`}),
		span("found", "root", "RETRIEVER", 1, with(documents("retrieval.documents", "one"), "input.value", "When?")),
		span("prompt", "root", "LLM", 2, map[string]any{"llm.prompt_template.template": "{{d}} {{q}}", "input.value": `{"kwargs": {"query": "When?"}}`,
			"output.value": "one When?"}),
		span("model", "root", "LLM", 3, map[string]any{"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "one When?",
			"output.value": `{"replies": [], "meta": []}`}),
	}
	got, _ := spans.Exchanges(list)
	for _, e := range got {
		if e.Response.Answer != "" || len(e.Response.Passages) != 1 {
			t.Errorf("answer %q, passages %v", e.Response.Answer, e.Response.Passages)
		}
	}
}
