package redact

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-eval/assay/spans"
)

// goldenSpans are the spans of the golden traces.
func goldenSpans(t testing.TB) []spans.Span {
	t.Helper()
	files, err := filepath.Glob("../../spans/testdata/*/traces.jsonl")
	if err != nil || len(files) < 14 {
		t.Fatalf("%d golden traces, error %v: want fourteen", len(files), err)
	}
	var all []spans.Span
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		err = spans.Read(f, file, func(s spans.Span) error {
			all = append(all, s)
			return nil
		})
		f.Close()
		if err != nil {
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
