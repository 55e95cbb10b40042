package dataset_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

// A table that mlflow.evaluate logged (scripts/formats/mlflow.py).
func TestMLflowTable(t *testing.T) {
	t.Parallel()
	d := written(t, "mlflow/eval_results_table.json", dataset.Options{})
	diff(t, "format", d.Info.Format, "mlflow")
	first, second := d.Cases.At(0), d.Cases.At(1)
	diff(t, "cases", []any{d.Cases.Len(), first.Question, first.Want, second.Question, second.Want}, []any{
		2, "Who wrote the book?", assay.Want{Answers: []string{"Kim wrote it."}}, "When?", assay.Want{Answers: []string{"1999"}},
	})
	diff(t, "responses", d.Responses, map[string]assay.Response{
		first.ID:  {Answer: "Kim wrote it all.", Passages: []assay.Passage{{Text: "Kim wrote the whole book alone."}}},
		second.ID: {Answer: "In 1999.", Passages: []assay.Passage{{Text: "It came out in 1999."}, {Text: "Kim wrote the whole book alone."}}},
	})
}

func TestMLflowRows(t *testing.T) {
	t.Parallel()
	d := load(t, "x.jsonl", `{"inputs": {"question": "Who?", "lang": "en"}, "outputs": {"response": "Kim."}, "latency": 0.5, "expectations": {"expected_response": "Kim", `+
		`"expected_facts": ["It was Kim."], "expected_retrieved_context": [{"doc_uri": "a.md", "content": "Kim wrote the whole book alone."}]}}
{"inputs": {"messages": [{"role": "user", "content": "When?"}]}, "expectations": {"expected_response": null}}`, dataset.Options{})
	diff(t, "format", d.Info.Format, "mlflow")
	diff(t, "cases", noOrigin(d.Cases.List()), []assay.Case{
		{
			ID: d.Cases.At(0).ID, Question: "Who?", Metadata: map[string]any{"lang": "en", "expected_facts": []any{"It was Kim."}},
			Want: assay.Want{
				Answers: []string{"Kim"}, Documents: map[string]int{"a.md": 1}, Passages: []string{"Kim wrote the whole book alone."},
			},
		},
		{ID: d.Cases.At(1).ID, Question: "When?"},
	})
	diff(t, "responses", d.Responses, map[string]assay.Response{d.Cases.At(0).ID: {Answer: "Kim.", Latency: 5e8}})
	d = load(t, "x.jsonl", `{"inputs": {"question": "Who?"}, "outputs": "Kim.", "retrieved_context": ["fr.md"], "expectations": {"expected_response": "Kim"}}`, dataset.Options{})
	diff(t, "names of documents", d.Responses[d.Cases.At(0).ID].Passages, []assay.Passage{{Source: "fr.md"}})
	d = load(t, "x.jsonl", `{"request_id": "r1", "request": "Who?", "response": "Kim.", "expected_response": "Kim", "retrieved_context": [{"doc_uri": "b.md", `+
		`"content": "Kim wrote it."}], "expected_retrieved_context": [{"doc_uri": "a.md"}]}`, dataset.Options{})
	c := d.Cases.At(0)
	diff(t, "Databricks", []any{d.Info.Format, c.Question, c.Want.Answers, c.Want.Documents, d.Responses[c.ID]}, []any{"mlflow", "Who?", []string{"Kim"},
		map[string]int{"a.md": 1}, assay.Response{Answer: "Kim.", Passages: []assay.Passage{{Source: "b.md", Text: "Kim wrote it."}}}})
	d = load(t, "x.csv", "inputs,predictions,targets,exact_match/v1/score\nWho?,Kim.,Kim,0\n", dataset.Options{})
	diff(t, "csv", []any{d.Info.Format, d.Cases.At(0).Want.Answers, d.Cases.At(0).Metadata},
		[]any{"mlflow", []string{"Kim"}, map[string]any{"exact_match/v1/score": "0"}})
	for _, c := range []struct{ content, want string }{
		{`{"columns": ["inputs", "inputs"], "data": []}`, `columns[1]: string "inputs": expected names, each once`},
		{`{"columns": ["inputs"], "data": [["a", "b"]]}`, `data[0]: 2 values: expected a list of 1, as there are columns`},
		{`{"columns": 5, "data": []}`, `columns: no list: expected a list of names`},
		{`{"columns": [], "data": 5}`, `data: no list: expected a list of rows`},
	} {
		diff(t, c.content, refuse(t, "x.json", c.content, dataset.Options{}), []string{"x.json:1: " + c.want})
	}
	diff(t, "expectations", refuse(t, "x.json", `[{"inputs": "a", "expectations": 5}, {"inputs": "b", "expectations": {"expected_retrieved_context": 1}}]`,
		dataset.Options{}), []string{
		`x.json:1: case 1: expectations: number 5: expected an object`,
		`x.json:1: case 2: expectations.expected_retrieved_context: number 1: expected a list of objects with content and doc_uri`,
	})
}
