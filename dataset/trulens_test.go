package dataset_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

// Records of TruLens as its data frame is written (scripts/formats/trulens.py).
func TestTruLens(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"records.csv", "records.json", "records.jsonl"} {
		d := written(t, "trulens/"+file, dataset.Options{})
		diff(t, file+" format", d.Info.Format, "trulens")
		answers := map[string]string{}
		for _, c := range d.Cases.All() {
			answers[c.Question] = d.Responses[c.ID].Answer
		}
		diff(t, file, answers, map[string]string{
			"Who wrote the book?": "Kim, says Kim wrote the whole book alone.", "When, then?": "In 1999.",
		})
	}
	d := load(t, "x.jsonl", `{"record_id": "r1", "app_id": "a", "input": "\"q\"", "output": "\"b\"", "tags": "x, y", "latency": 2, "total_cost": 0.5, `+
		`"record_json": "{}", "Length": 0.5, "Length_calls": [{"ret": 0.5}], "app_json": "{}"}`+"\n"+`{"record_id": "r2", "app_id": "a", "input": "p", "output": "", "tags": "-", "cost_currency": "credits"}`,
		dataset.Options{})
	diff(t, "cases", noOrigin(d.Cases.List()), []assay.Case{
		{ID: "r1", Question: "q", Tags: []string{"x", "y"}, Metadata: map[string]any{"app_id": "a", "Length": 0.5}},
		{ID: "r2", Question: "p", Metadata: map[string]any{"app_id": "a"}},
	})
	diff(t, "responses", d.Responses, map[string]assay.Response{"r1": {Answer: "b", Latency: 2e9, Usage: assay.Usage{Cost: 500_000}}, "r2": {}})
	diff(t, "warnings", warnings(d), []string{
		"x.jsonl:1: record_json: not carried over (1 of 2 cases)", "x.jsonl:1: Length_calls: not carried over (1 of 2 cases)",
		"x.jsonl:2: total_cost: not in dollars, and not carried over (1 of 2 cases)",
	})
	diff(t, "problem", refuse(t, "x.jsonl", `{"record_id": "r", "app_id": "a", "input": "q", "output": 5}`, dataset.Options{}), []string{
		`x.jsonl:1: case "r": output: number 5: want text`,
	})
}

// Events have what was retrieved, and the feedback (scripts/formats/trulens.py).
func TestTruLensEvents(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"events.json", "events.jsonl"} {
		d := written(t, "trulens/"+file, dataset.Options{})
		diff(t, file+" format", d.Info.Format, "trulens")
		got := map[string]assay.Response{}
		scores := map[string]any{}
		for _, c := range d.Cases.All() {
			r := d.Responses[c.ID]
			if r.Latency < 0 || r.Latency > 1e12 {
				t.Errorf("%s: a latency of %v", file, r.Latency)
			}
			r.Latency = 0
			got[c.Question], scores[c.Question] = r, c.Metadata
		}
		diff(t, file, got, map[string]assay.Response{
			"Who wrote the book?": {
				Answer:   "Kim, says Kim wrote the whole book alone.",
				Passages: []assay.Passage{{Text: "Kim wrote the whole book alone."}, {Text: "It came out in 1999."}},
			},
			"When, then?": {Answer: "In 1999."},
		})
		diff(t, file+" metadata", scores, map[string]any{
			"Who wrote the book?": map[string]any{"app_name": "books", "app_version": "1", "Length": 1.0},
			"When, then?":         map[string]any{"app_name": "books", "app_version": "1", "Length": 0.4},
		})
	}
	event := func(kind, attributes, more string) string {
		return `{"event_id": "e", "record_attributes": {"ai.observability.span_type": "` + kind + `", "ai.observability.record_id": "r"` +
			attributes + `}` + more + "}\n"
	}
	root := event("record_root", `, "ai.observability.record_root.input": "q", "ai.observability.record_root.output": "a", `+
		`"ai.observability.record_root.ground_truth_output": "b"`,
		`, "start_timestamp": "2026-01-15 12:30:00.25", "timestamp": "2026-01-15T12:30:01Z"`)
	d := load(t, "x.jsonl", event("retrieval", `, "ai.observability.retrieval.retrieved_contexts": []`, "")+root, dataset.Options{})
	diff(t, "cases", noOrigin(d.Cases.List()), []assay.Case{{ID: "r", Question: "q", Want: assay.Want{Answers: []string{"b"}}}})
	diff(t, "nothing was retrieved", d.Responses, map[string]assay.Response{"r": {Answer: "a", Passages: []assay.Passage{}, Latency: 750e6}})
	failed := event("record_root", `, "ai.observability.record_root.input": "q", "ai.observability.record_root.error": "down"`, "")
	d = load(t, "x.jsonl", failed, dataset.Options{})
	diff(t, "a call that failed", warnings(d), []string{
		"x.jsonl:1: ai.observability.record_root.error: calls that failed have no response (1 of 1 case)",
		"x.jsonl:1: output: missing (1 of 1 case)",
	})
	for content, want := range map[string]string{
		event("record_root", "", ""):                `x.jsonl:1: case "r": ai.observability.record_root.input: missing: want a question`,
		`{"event_id": "e", "record_attributes": 5}`: `x.jsonl:1: case 1: record_attributes: number 5: want the attributes of an event`,
		`{"event_id": "e", "record_attributes": {"ai.observability.span_type": "record_root"}}`: `x.jsonl:1: case 1: ` +
			`ai.observability.record_id: missing: want the id of a record`,
		event("record_root", `, "ai.observability.record_root.input": "q", "ai.observability.record_root.output": "a"`,
			`, "start_timestamp": "noon", "timestamp": 1`): `x.jsonl:1: case "r": start_timestamp: string "noon": ` +
			`want milliseconds since 1970, or a time such as 2026-01-15T12:30:00Z`,
	} {
		diff(t, want, refuse(t, "x.jsonl", content, dataset.Options{}), []string{want})
	}
	_, err := dataset.Load(t.Context(), "testdata/trulens/events.csv", dataset.Options{Name: "x.csv"})
	const asCSV = `x.csv: record_attributes: events as CSV, in which objects are as Python prints them: ` +
		`want JSON, as to_json(orient="records") writes`
	if err == nil || err.Error() != asCSV {
		t.Errorf("%v, want %s", err, asCSV)
	}
}
