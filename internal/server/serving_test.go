package server

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/internal/telemetry"
)

// Calls to models have spans, be they of a question's stages or of what evaluates
// them; no text is in any.
func TestModelsOutsideRunsHaveSpans(t *testing.T) {
	var mu sync.Mutex
	var sent bytes.Buffer
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		// What does not arrive is missed below.
		_, _ = io.Copy(&sent, r.Body)
	}))
	t.Cleanup(collector.Close)
	l := laboratory(t, nil)
	trace, err := telemetry.Open(t.Context(), collector.URL, "test")
	if err != nil {
		t.Fatal(err)
	}
	l.server.cfg.Trace = trace
	r := l.asks("A")
	read[accuracy.Evaluation](t, l.do("POST", "/api/v1/test/evaluate", map[string]any{"result_id": r.ResultID}).want(t, 200))
	if err := trace.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, want := range []string{
		"chat ", "gen_ai.operation.name", "decompose", "evaluate_key_questions", "evaluate_chunk_relevance", "/api/v1/test/generate/text",
	} {
		if !bytes.Contains(sent.Bytes(), []byte(want)) {
			t.Errorf("no span has %q", want)
		}
	}
	if bytes.Contains(sent.Bytes(), []byte("parking fee")) {
		t.Error("a span repeats a text")
	}
}
