package dataset_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

// Items as the SDK of Langfuse serialises them (scripts/formats/langfuse.py).
func TestLangfuse(t *testing.T) {
	t.Parallel()
	want := []assay.Case{
		{
			ID: "item-1", Question: "Who wrote the book?", Want: assay.Want{Answers: []string{"Kim wrote it."}},
			Metadata: map[string]any{"language": "en", "topic": "books", "status": "ACTIVE"},
		},
		{ID: "item-2", Question: "When?", Want: assay.Want{Answers: []string{"1999"}}},
		{ID: "item-4", Question: "Why?"},
	}
	want[0].Metadata = map[string]any{"language": "en", "topic": "books"}
	for _, file := range []string{"items.jsonl", "items-snake.jsonl"} {
		d := written(t, "langfuse/"+file, dataset.Options{})
		diff(t, file+" format", d.Info.Format, "langfuse")
		diff(t, file, noOrigin(d.Cases.List()), want)
		diff(t, file+" warnings", warnings(d)[0], file+":3: status: archived items are left out (1 of 3 cases)")
	}
	d := load(t, "x.json", `{"data": [{"id": "1", "input": {"question": "a"}, "expectedOutput": "b"}], "meta": {"page": 1}}`, dataset.Options{})
	diff(t, "page", []any{d.Info.Format, d.Cases.At(0).Question, d.Cases.At(0).Want.Answers}, []any{"langfuse", "a", []string{"b"}})
	d = load(t, "x.csv", "id,input,expectedOutput,metadata\n1,\"{\"\"question\"\": \"\"a\"\"}\",b,\"{\"\"x\"\": 1}\"\n", dataset.Options{})
	diff(t, "csv", []any{d.Info.Format, d.Cases.At(0).Question, d.Cases.At(0).Want.Answers, d.Cases.At(0).Metadata},
		[]any{"langfuse", "a", []string{"b"}, map[string]any{"x": 1.0}})
	d = load(t, "x.jsonl", `{"datasetId": "d", "input": "{\"question\": \"a\", \"k\": 1}", "expectedOutput": "{\"answer\": \"b\"}"}`+"\n"+
		`{"datasetId": "d", "input": "[{\"role\": \"user\", \"content\": \"c\"}]", "expectedOutput": "{\"total\": \"5\"}"}`, dataset.Options{})
	diff(t, "JSON in text", []any{d.Cases.At(0).Question, d.Cases.At(0).Want.Answers, d.Cases.At(0).Metadata, d.Cases.At(1).Question, d.Cases.At(1).Want.Answers},
		[]any{"a", []string{"b"}, map[string]any{"k": 1.0}, "c", []string{`{"total": "5"}`}})
	diff(t, "no list", refuse(t, "x.json", `{"data": 5, "meta": {}}`, dataset.Options{}), []string{`x.json:1: data: no list: expected a list of items`})
}

// A page of several is not the whole dataset.
func TestOnePageOfSeveral(t *testing.T) {
	t.Parallel()
	for meta, want := range map[string]string{
		`"page": 1, "totalItems": 120, "totalPages": 3`: "items.json:1: meta: one page of 3: the cases of the others are not in this file",
		`"page": 1, "next_cursor": "c"`:                 "items.json:1: meta.next_cursor: one page of several: the cases of the others are not in this file",
		`"page": 1, "totalPages": 1, "next": null`:      "",
	} {
		d := load(t, "items.json", `{"data": [{"input": "Where?", "expectedOutput": "Here."}], "meta": {`+meta+`}}`, dataset.Options{})
		diff(t, meta, strings.Join(warnings(d), "\n"), want)
	}
}
