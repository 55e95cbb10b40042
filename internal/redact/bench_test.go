package redact

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/assay-eval/assay/internal/redact/redacttest"
	"github.com/assay-eval/assay/spans"
)

// goldenSpans are the spans of the golden traces.
func goldenSpans(t testing.TB) (all []spans.Span) {
	t.Helper()
	for name, lines := range redacttest.Golden(t, "../..") {
		if err := spans.Read(bytes.NewReader(lines), name, func(s spans.Span) error {
			all = append(all, s)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// BenchmarkSpan redacts golden spans by all recognisers and an expression; bytes are those of
// the spans as JSON.
func BenchmarkSpan(b *testing.B) {
	list := goldenSpans(b)
	size, err := json.Marshal(list)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(size) / len(list)))
	r := rulesOf(b, "recognise: [url_credentials, api_key, email, iban, cn_id, card, hkid, ip, phone]\n"+
		"replace:\n- {name: order, pattern: 'ORD-[0-9]{8}'}\ndrop: [user.*, enduser.id, session.token]\n")
	counts := Counts{}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r.Span(&list[i%len(list)], counts)
	}
}
