package server

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	otlp "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/assay-eval/assay/internal/redact"
	"github.com/assay-eval/assay/internal/redact/redacttest"
	"github.com/assay-eval/assay/internal/requiretest"
)

// TestReceivedSpansAreRedacted: of golden traces with personal data in every text, nothing
// planted is in the database, its files or the log; what was replaced is counted.
func TestReceivedSpansAreRedacted(t *testing.T) {
	dir := folder(t, map[string]string{"redact.yaml": redacttest.Rules})
	rules, err := redact.Load(filepath.Join(dir, "redact.yaml"), "redact.yaml")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "assay.db")
	b := startOn(t, opened(t, path), func(c *Config) { c.Redact = rules })
	if got := b.do("GET", "/metrics", nil).want(t, 200).text; !strings.Contains(got, `assay_spans_redacted_total{rule="email"} 0`) {
		t.Error("the metric of a rule begins when it finds something")
	}
	sent := 0
	for _, lines := range redacttest.Golden(t, requiretest.Root()) {
		if !bytes.HasPrefix(lines, []byte(`{"resourceSpans"`)) {
			continue // of another format
		}
		for line := range bytes.Lines(redacttest.Plant(t, lines)) {
			kind, body := "application/json", string(line)
			if sent++; sent%2 == 0 {
				kind, body = "application/x-protobuf", binaryOf(t, line)
			}
			b.do("POST", "/v1/traces", body, "Content-Type", kind).want(t, http.StatusOK)
		}
	}
	list := receivedSpans(t, b.store, time.Time{})
	if len(list) < 100 {
		t.Errorf("%d spans were stored", len(list))
	}
	kept, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	if found := redacttest.Reveals(string(kept)); found != nil {
		t.Errorf("%q are in the spans of the database", found)
	}
	if !strings.Contains(string(kept), redacttest.Marks) {
		t.Error("the marks are missing")
	}
	files, err := filepath.Glob(path + "*")
	if err != nil || len(files) == 0 {
		t.Fatalf("files %v, %v", files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if found := redacttest.Reveals(string(data)); found != nil {
			t.Errorf("%q are in %s", found, file)
		}
	}
	if found := redacttest.Reveals(b.log.String()); found != nil {
		t.Errorf("%q are in the log", found)
	}
	metrics := b.do("GET", "/metrics", nil).want(t, 200).text
	for _, name := range rules.Names() {
		if line := `assay_spans_redacted_total{rule="` + name + `"} `; !strings.Contains(metrics, line) ||
			strings.Contains(metrics, line+"0\n") {
			t.Errorf("%s: nothing was counted", name)
		}
	}
	// A request that is refused leaves nothing.
	const noIDs = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"jane.roe@example.org"}]}]}]}`
	if got := b.do("POST", "/v1/traces", noIDs, "Content-Type", "application/json"); got.StatusCode != http.StatusBadRequest {
		t.Errorf("a span without ids: status %d", got.StatusCode)
	}
	if found := redacttest.Reveals(b.log.String()); found != nil {
		t.Errorf("%q are in the log after a request that was refused", found)
	}
}

// binaryOf returns a request of OTLP as protobuf.
func binaryOf(t *testing.T, line []byte) string {
	t.Helper()
	var fields any
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&fields); err != nil {
		t.Fatal(err)
	}
	idsInBase64(t, fields)
	plain, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	var request otlp.TracesData
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(plain, &request); err != nil {
		t.Fatal(err)
	}
	out, err := proto.Marshal(&request)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// idsInBase64 rewrites ids as the JSON of protobuf has them; OTLP has hexadecimal digits.
func idsInBase64(t *testing.T, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		for _, name := range []string{"traceId", "spanId", "parentSpanId"} {
			if id, ok := v[name].(string); ok {
				b, err := hex.DecodeString(id)
				if err != nil {
					t.Fatal(err)
				}
				v[name] = base64.StdEncoding.EncodeToString(b)
			}
		}
		for _, value := range v {
			idsInBase64(t, value)
		}
	case []any:
		for _, value := range v {
			idsInBase64(t, value)
		}
	}
}
