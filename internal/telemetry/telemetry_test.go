package telemetry

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
)

// A receiver is a collector that keeps the spans it gets.
type receiver struct {
	mu    sync.Mutex
	spans []*trace.Span
}

func (c *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		body = z
	}
	text, err := io.ReadAll(body)
	var got collector.ExportTraceServiceRequest
	if err == nil {
		err = proto.Unmarshal(text, &got)
	}
	if err != nil || r.URL.Path != "/v1/traces" {
		http.Error(w, "no traces", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, rs := range got.ResourceSpans {
		for _, ss := range rs.ScopeSpans {
			c.spans = append(c.spans, ss.Spans...)
		}
	}
}

func (c *receiver) span(t *testing.T, name string) *trace.Span {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.spans, func(s *trace.Span) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("no span %q", name)
	}
	return c.spans[i]
}

func attributes(all []*common.KeyValue) map[string]string {
	out := map[string]string{}
	for _, kv := range all {
		switch v := kv.Value.Value.(type) {
		case *common.AnyValue_StringValue:
			out[kv.Key] = v.StringValue
		default:
			out[kv.Key] = strings.Join(strings.Fields(kv.Value.String()), " ")
		}
	}
	return out
}

// collecting gives a tracer and the collector that it sends to.
func collecting(t *testing.T) (*Tracer, *receiver) {
	t.Helper()
	c := &receiver{}
	s := httptest.NewServer(c)
	t.Cleanup(s.Close)
	tracer, err := Open(t.Context(), s.URL, "test")
	if err != nil {
		t.Fatal(err)
	}
	return tracer, c
}

// model answers everything alike.
type model struct{ err error }

func (model) Name() string { return "local" }

func (m model) Complete(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{Text: "secret answer", Model: "m-1", Stop: "length", Usage: llm.Usage{Input: 7, Output: 3}}, m.err
}

func TestSpansOfARun(t *testing.T) {
	tracer, c := collecting(t)
	ctx, end := tracer.Run(t.Context(), "run-1")
	p := tracer.Model(model{})
	if p.Name() != "local" {
		t.Errorf("name %q, want that of the provider: it is part of every key", p.Name())
	}
	if _, err := p.Complete(ctx, llm.Request{Operation: "support", Model: "m", MaxTokens: 9}); err != nil {
		t.Fatal(err)
	}
	_, err := tracer.Model(model{err: errors.New("planted")}).Complete(ctx, llm.Request{Model: "bad"})
	if err == nil {
		t.Fatal("no error")
	}
	begun := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	tracer.Record(ctx, assay.Record{
		Case: assay.Case{ID: "tc_1", Question: "secret question"}, Attempts: 2, Started: begun,
		Tries: []assay.Try{{Latency: time.Second, Wait: time.Second}},
		Response: &assay.Response{Answer: "secret answer", Latency: 4 * time.Second, Trace: &assay.Trace{Stages: []assay.Stage{
			{Name: "retrieve", Latency: time.Second}, {Name: "generate", Model: "gen", Latency: 2 * time.Second},
		}}},
		Scores: map[string]assay.Score{"mrr": assay.Value(0.5), "faithfulness": {State: assay.JudgeError}},
	})
	end("finished", nil)
	if err := tracer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}

	run, chat, bad, ofCase, ask, gen := c.span(t, "run"), c.span(t, "chat m"), c.span(t, "chat bad"), c.span(t, "case"), c.span(t, "ask"),
		c.span(t, "generate")
	for name, parent := range map[*trace.Span]*trace.Span{chat: run, bad: run, ofCase: run, ask: ofCase, gen: ask} {
		if string(name.ParentSpanId) != string(parent.SpanId) {
			t.Errorf("span %q does not stand below %q", name.Name, parent.Name)
		}
	}
	got := attributes(chat.Attributes)
	for key, want := range map[string]string{
		"gen_ai.operation.name": "chat", "gen_ai.provider.name": "local", "gen_ai.request.model": "m", "gen_ai.response.model": "m-1",
		"gen_ai.usage.input_tokens": "int_value:7", "gen_ai.usage.output_tokens": "int_value:3", "gen_ai.request.max_tokens": "int_value:9",
		"assay.operation": "support",
	} {
		if got[key] != want {
			t.Errorf("%s is %q, want %q", key, got[key], want)
		}
	}
	if chat.Kind != trace.Span_SPAN_KIND_CLIENT || bad.Status.Code != trace.Status_STATUS_CODE_ERROR ||
		strings.Contains(bad.String(), "planted") {
		t.Errorf("%v, %v: want client spans, the failed one without the text of its error", chat, bad)
	}
	// The case begins at 0 s; its first try and the wait take 2 s, the call 4 s,
	// in which the stages take 1 s and 2 s.
	for _, w := range []struct {
		s        *trace.Span
		from, to time.Duration
	}{{ofCase, 0, 6}, {ask, 2, 6}, {gen, 3, 5}} {
		from, to := time.Unix(0, int64(w.s.StartTimeUnixNano)).Sub(begun), time.Unix(0, int64(w.s.EndTimeUnixNano)).Sub(begun)
		if from != w.from*time.Second || to != w.to*time.Second {
			t.Errorf("span %q is from %v to %v, want %d s to %d s", w.s.Name, from, to, w.from, w.to)
		}
	}
	if len(ofCase.Events) != 2 {
		t.Fatalf("%d events, want one for each score", len(ofCase.Events))
	}
	if e := attributes(ofCase.Events[1].Attributes); ofCase.Events[1].Name != "gen_ai.evaluation.result" ||
		e["gen_ai.evaluation.name"] != "mrr" || e["gen_ai.evaluation.score.value"] != "double_value:0.5" ||
		e["gen_ai.evaluation.score.label"] != "scored" {
		t.Errorf("%v: want the result of mrr", e)
	}
	if e := attributes(ofCase.Events[0].Attributes); e["gen_ai.evaluation.score.value"] != "" {
		t.Errorf("%v: a score that is not there has a value", e)
	}
	for _, s := range c.spans {
		if strings.Contains(s.String(), "secret") {
			t.Errorf("%v: repeats a text", s)
		}
	}
}

func TestARequestContinuesTheTraceOfItsClient(t *testing.T) {
	tracer, c := collecting(t)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/v1/runs?secret=1", nil)
	r.Header.Set("Traceparent", "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01")
	_, end := tracer.Request(r)
	end("/api/v1/runs", 503)
	if err := tracer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := c.span(t, "GET /api/v1/runs")
	if got := attributes(s.Attributes); got["http.route"] != "/api/v1/runs" || got["http.response.status_code"] != "int_value:503" ||
		s.TraceId[0] != 0x01 || s.Status.Code != trace.Status_STATUS_CODE_ERROR {
		t.Errorf("%v: want the request, in the client's trace, as an error", s)
	}
}

func TestNoTracerMakesNothing(t *testing.T) {
	tracer, err := Open(t.Context(), "", "test")
	if err != nil || tracer != nil {
		t.Fatalf("%v, %v: want none", tracer, err)
	}
	ctx, end := tracer.Run(t.Context(), "x")
	if p := tracer.Model(model{}); ctx != t.Context() || p != (model{}) {
		t.Error("something is put around what is to stay as it is")
	}
	tracer.Record(ctx, assay.Record{})
	end("finished", nil)
	if err := tracer.Close(ctx); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"collector", "127.0.0.1:4318", "ftp://x"} {
		if _, err := Open(t.Context(), bad, "test"); err == nil || !strings.Contains(err.Error(), "http://127.0.0.1:4318") {
			t.Errorf("%q: %v, want an error that shows an address", bad, err)
		}
	}
}
