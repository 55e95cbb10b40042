package spans_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/spans"
)

// TestTruLens reads events that TruLens recorded (scripts/formats/trulens.py).
func TestTruLens(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"events.json", "events.jsonl"} {
		file, err := os.Open("../dataset/testdata/trulens/" + name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		byTrace := map[string][]spans.Span{}
		if err := spans.Read(file, name, func(s spans.Span) error {
			byTrace[s.Trace] = append(byTrace[s.Trace], s)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		got := map[string]assay.Response{}
		for _, list := range byTrace {
			found, _ := spans.Exchanges(list)
			for _, e := range found {
				got[e.Case.Question] = assay.Response{Answer: e.Response.Answer, Passages: e.Response.Passages}
			}
		}
		want := map[string]assay.Response{
			"Who wrote the book?": {
				Answer:   "Kim, says Kim wrote the whole book alone.",
				Passages: []assay.Passage{{Text: "Kim wrote the whole book alone."}, {Text: "It came out in 1999."}},
			},
			"When, then?": {Answer: "In 1999."},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestTruLensEvent(t *testing.T) {
	t.Parallel()
	const event = `{"event_id": "s", "trace": {"trace_id": "t", "span_id": "s"}, "record": {"name": "query"}, ` +
		`"record_attributes": {"ai.observability.record_root.error": "down"}, "timestamp": "2026-01-15T12:30:01Z"}`
	var got []spans.Span
	add := func(s spans.Span) error { got = append(got, s); return nil }
	if err := spans.Read(strings.NewReader(event), "x", add); err != nil || len(got) != 1 {
		t.Fatalf("%v, %v", got, err)
	}
	if s := got[0]; !s.Failed || s.Failure != "down" || !s.End.Equal(time.Date(2026, 1, 15, 12, 30, 1, 0, time.UTC)) {
		t.Errorf("%+v", s)
	}
	for change, want := range map[string]string{
		`"trace_id": "t"`:                     `event "query" of TruLens: trace_id or span_id is missing`,
		`"timestamp": "2026-01-15T12:30:01Z"`: `event "query" of TruLens: time "noon"`,
	} {
		bad := strings.Replace(event, change, `"timestamp": "noon"`, 1)
		if err := spans.Read(strings.NewReader(bad), "x", add); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
