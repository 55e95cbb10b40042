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
		`x.jsonl:1: case "r": output: number 5: expected text`,
	})
}

// Events are traces (scripts/formats/trulens.py).
func TestTruLensEvents(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"events.json", "events.jsonl", "events.csv"} {
		_, err := dataset.Load(t.Context(), "testdata/trulens/"+file, dataset.Options{Name: file})
		if want := file + ": events of TruLens; use assay import traces, which reads them as JSON"; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
