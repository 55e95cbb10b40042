package server

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdk "go.opentelemetry.io/otel/sdk/trace"

	"github.com/assay-eval/assay/spans"
	"github.com/assay-eval/assay/store"
)

// receivedSpans reads the spans in a store, by their ids.
func receivedSpans(t *testing.T, s *store.Store, since time.Time) map[string]spans.Span {
	t.Helper()
	out := map[string]spans.Span{}
	if err := s.Spans(t.Context(), "", since, func(batch store.SpanBatch) error {
		body, err := batch.Body(t.Context())
		if err != nil {
			return err
		}
		list, err := spans.Batch(body)
		for _, span := range list {
			out[span.ID] = span
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestReceiveTraces takes the spans of OpenTelemetry's own exporter.
func TestReceiveTraces(t *testing.T) {
	for name, packing := range map[string]otlptracehttp.Compression{"plain": otlptracehttp.NoCompression, "gzip": otlptracehttp.GzipCompression} {
		t.Run(name, func(t *testing.T) {
			b := start(t)
			exporter, err := otlptracehttp.New(t.Context(), otlptracehttp.WithEndpointURL(b.url+"/v1/traces"), otlptracehttp.WithCompression(packing))
			if err != nil {
				t.Fatal(err)
			}
			provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter))
			const n = 100
			for i := range n {
				ctx, parent := provider.Tracer("test").Start(t.Context(), fmt.Sprint("ask ", i))
				_, child := provider.Tracer("test").Start(ctx, "model")
				child.SetAttributes(attribute.String("gen_ai.operation.name", "chat"), attribute.Int("gen_ai.usage.input_tokens", i))
				child.End()
				parent.End()
			}
			if err := provider.Shutdown(t.Context()); err != nil {
				t.Fatal(err)
			}
			got := receivedSpans(t, b.store, time.Time{})
			if len(got) != 2*n {
				t.Errorf("%d spans, want %d", len(got), 2*n)
			}
			for _, s := range got {
				if s.Name == "model" && (got[s.Parent].ID == "" || s.Trace != got[s.Parent].Trace || s.End.Before(s.Start)) {
					t.Errorf("got %+v", s)
				}
			}
			if !strings.Contains(b.do("GET", "/metrics", nil).want(t, 200).text, fmt.Sprintf("assay_spans_total %d", 2*n)) {
				t.Error("the metric of received spans does not have them")
			}
			if later := receivedSpans(t, b.store, time.Now().Add(time.Hour)); len(later) != 0 {
				t.Errorf("%d spans were received later than now", len(later))
			}
			// They are kept until they are old.
			for _, c := range []struct {
				age  time.Duration
				left int
			}{{time.Hour, 2 * n}, {-time.Hour, 0}} {
				before := time.Now().Add(-c.age)
				stale, err := b.store.Stale(t.Context(), before)
				if err != nil {
					t.Fatal(err)
				}
				dropped, err := b.store.DropSpans(t.Context(), before)
				if left := receivedSpans(t, b.store, time.Time{}); err != nil || len(left) != c.left || dropped != stale.Spans || (dropped > 0) != (c.left == 0) ||
					(stale.SpanBytes > 0) != (c.left == 0) {
					t.Errorf("%d spans are left after %d batches were dropped (%v), want %d; %+v", len(left), dropped, err, c.left, stale)
				}
			}
		})
	}
}

const oneSpan = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0102030405060708090a0b0c0d0e0f10","spanId":"%016x","name":"ask",` +
	`"startTimeUnixNano":"1","endTimeUnixNano":"2"}]}]}]}`

// TestTracesAreRefused: what is no span of OTLP gets the code that says so, in the content
// type of the request, and nothing of it is stored.
func TestTracesAreRefused(t *testing.T) {
	b := start(t)
	one := fmt.Sprintf(oneSpan, 1)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(bytes.Repeat([]byte(" "), maxSpans+1))
	_ = z.Close()
	for _, c := range []struct {
		name, kind, encoding, body string
		status                     int
		says                       string
	}{
		{"JSON", "application/json", "", one, 200, "{}"},
		{"JSON with a character set", "application/json; charset=utf-8", "", one, 200, "{}"},
		{"without spans", "application/json", "", "{}", 200, "{}"},
		{"protobuf without spans", "application/x-protobuf", "", "", 200, ""},
		{"no JSON", "application/json", "", "spans", 400, "no message of OTLP"},
		{"another object", "application/json", "", `{"spans": []}`, 400, "no message of OTLP"},
		{"no ids", "application/json", "", `{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"x"}]}]}]}`, 400, "traceId or spanId is missing"},
		{"no protobuf", "application/x-protobuf", "", "spans", 400, "no message of OTLP"},
		{"JSON called protobuf", "application/x-protobuf", "", one, 400, "no message of OTLP"},
		{"another content type", "text/plain", "", one, 415, "expected Content-Type application/x-protobuf or application/json"},
		{"no content type", "", "", one, 415, "expected Content-Type"},
		{"another encoding", "application/json", "br", one, 415, "expected Content-Encoding gzip, or none"},
		{"no gzip", "application/json", "gzip", one, 400, "gzip: invalid header"},
		{"cut gzip", "application/json", "gzip", packed.String()[:100], 400, "unexpected EOF"},
		{"too large when unpacked", "application/json", "gzip", packed.String(), 413, "the body is too large"},
		{"too large", "application/json", "", strings.Repeat(" ", maxBody+1), 413, "the body is too large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := b.do("POST", "/v1/traces", c.body, "Content-Type", c.kind, "Content-Encoding", c.encoding)
			want := "application/json"
			if strings.HasSuffix(c.kind, "protobuf") {
				want = c.kind
			}
			if got.StatusCode != c.status || !strings.Contains(got.text, c.says) || got.Header.Get("Content-Type") != want {
				t.Errorf("status %d, %s: %q; want %d with %q", got.StatusCode, got.Header.Get("Content-Type"), got.text, c.status, c.says)
			}
		})
	}
	if got := receivedSpans(t, b.store, time.Time{}); len(got) != 1 {
		t.Errorf("%d spans, want the one that was valid", len(got))
	}
	b.do("GET", "/v1/traces", nil).want(t, http.StatusMethodNotAllowed)
}

// TestTracesOutliveAKill: a span that was acknowledged is there after the server is killed, at
// whatever moment, and started again.
func TestTracesOutliveAKill(t *testing.T) {
	dir := folder(t, map[string]string{"eval-config.yaml": "store: assay.db\n"})
	bin := program(t)
	var mu sync.Mutex
	acknowledged := map[string]bool{}
	number := 0
	for round := range 3 {
		p := launch(t, bin, dir, "--quiet")
		ctx, cancel := context.WithCancel(t.Context())
		var senders sync.WaitGroup
		for range 4 {
			senders.Go(func() {
				for ctx.Err() == nil {
					mu.Lock()
					number++
					id := number
					mu.Unlock()
					r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+"/v1/traces", strings.NewReader(fmt.Sprintf(oneSpan, id)))
					if err != nil {
						t.Error(err)
						return
					}
					r.Header.Set("Content-Type", "application/json")
					res, err := http.DefaultClient.Do(r)
					if err != nil {
						return // killed
					}
					_, err = io.Copy(io.Discard, res.Body)
					_ = res.Body.Close()
					if err == nil && res.StatusCode == http.StatusOK {
						mu.Lock()
						acknowledged[fmt.Sprintf("%016x", id)] = true
						mu.Unlock()
					}
				}
			})
		}
		for {
			mu.Lock()
			enough := len(acknowledged) >= 100*(round+1)
			mu.Unlock()
			if enough {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if err := p.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		p.drained.Wait()
		_ = p.cmd.Wait()
		p.gone = true
		senders.Wait()
		cancel()
	}
	s, err := store.Open(t.Context(), filepath.Join(dir, "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	got := receivedSpans(t, s, time.Time{})
	for id := range acknowledged {
		if got[id].ID == "" {
			t.Errorf("span %s was acknowledged and is lost", id)
		}
	}
}
