package spans_test

import (
	"os"
	"slices"
	"strconv"
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

// TestTruLensStages reads a reranker and a retriever, with the attributes of their own or without.
func TestTruLensStages(t *testing.T) {
	t.Parallel()
	const (
		contexts = `"ai.observability.retrieval.query_text": "Where?", "ai.observability.retrieval.retrieved_contexts": ["Red.", "Blue."], `
		kept     = `"ai.observability.reranking.output_context_texts": ["Blue."], `
		found    = `[{\"source\": \"a.md\", \"text\": \"Red.\"}, {\"source\": \"b.md\", \"text\": \"Blue.\"}]`
	)
	events := func(contexts, found, kept, ranked string) (out string) {
		for i, attributes := range []string{
			`"ai.observability.span_type": "retrieval", ` + contexts + `"ai.observability.call.return": "` + found + `"`,
			`"ai.observability.span_type": "reranking", ` + kept + `"ai.observability.call.return": "` + ranked + `"`,
			`"ai.observability.span_type": "generation", "ai.observability.call.return": "In it."`,
			`"ai.observability.span_type": "record_root", "ai.observability.record_root.input": "Where?", ` +
				`"ai.observability.record_root.output": "In it."`,
		} {
			id, parent := strconv.Itoa(i), ""
			if i < 3 {
				parent = "3"
			}
			out += `{"event_id": "` + id + `", "trace": {"trace_id": "t", "span_id": "` + id + `", "parent_id": "` + parent + `"}, ` +
				`"start_timestamp": ` + strconv.Itoa(1796038072980+i%3) + `, "record_attributes": {` + attributes + "}}\n"
		}
		return out
	}
	for name, c := range map[string]struct {
		events string
		want   []assay.Passage
	}{
		"both":            {events(contexts, found, kept, `[{\"source\": \"b.md\", \"text\": \"Blue.\"}]`), []assay.Passage{{Text: "Blue.", Source: "b.md"}}},
		"returns":         {events("", found, "", `[{\"source\": \"b.md\", \"text\": \"Blue.\"}]`), []assay.Passage{{Text: "Blue.", Source: "b.md"}}},
		"attributes":      {events(contexts, "[<Doc object at 0x7f>]", kept, "[<Doc object at 0x7f>]"), []assay.Passage{{Text: "Blue."}}},
		"the others":      {events(contexts, `[{\"text\": \"Else.\"}]`, kept, "{}"), []assay.Passage{{Text: "Blue."}}},
		"nothing is kept": {events(contexts, found, "", "[]"), []assay.Passage{}},
	} {
		var list []spans.Span
		if err := spans.Read(strings.NewReader(c.events), "x", func(s spans.Span) error { list = append(list, s); return nil }); err != nil {
			t.Fatal(err)
		}
		exchanges, _ := spans.Exchanges(list)
		if len(exchanges) != 1 {
			t.Fatalf("%s: %+v", name, exchanges)
		}
		r := exchanges[0].Response
		if diff := cmp.Diff(c.want, r.Passages); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		var stages []string
		for _, s := range r.Trace.Stages {
			stages = append(stages, s.Name)
		}
		if want := []string{"retrieve", "filter", "generate"}; !slices.Equal(stages, want) || exchanges[0].Unread != nil {
			t.Errorf("%s: %v, want %v, unread %q", name, stages, want, exchanges[0].Unread)
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
