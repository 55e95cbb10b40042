package dataset_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

// Examples as the SDK of LangSmith serialises them (scripts/formats/langsmith.py).
func TestLangSmith(t *testing.T) {
	t.Parallel()
	want := []assay.Case{
		{
			ID: "00000000-0000-0000-0000-000000000065", Question: "Who wrote the book?", Want: assay.Want{Answers: []string{"Kim wrote it."}},
			Metadata: map[string]any{"language": "en", "dataset_split": []any{"base"}},
		},
		{ID: "00000000-0000-0000-0000-000000000066", Question: "When?", Want: assay.Want{Answers: []string{"1999"}}},
		{ID: "00000000-0000-0000-0000-000000000067", Question: "Why?"},
	}
	for _, file := range []string{"examples.jsonl", "examples.json"} {
		d := written(t, "langsmith/"+file, dataset.Options{})
		diff(t, file+" format", d.Info.Format, "langsmith")
		diff(t, file, noOrigin(d.Cases.List()), want)
	}
	d := load(t, "x.csv", "id,inputs.question,inputs.language,outputs.answer,metadata\n1,Who?,en,Kim.,\"{\"\"topic\"\": \"\"books\"\"}\"\n2,When?,,,\n",
		dataset.Options{})
	diff(t, "csv", noOrigin(d.Cases.List()), []assay.Case{
		{ID: "1", Question: "Who?", Want: assay.Want{Answers: []string{"Kim."}}, Metadata: map[string]any{"language": "en", "topic": "books"}},
		{ID: "2", Question: "When?"},
	})
	d = load(t, "x.csv", "inputs,outputs\n\"{\"\"question\"\": \"\"Who?\"\"}\",Kim.\n", dataset.Options{Format: "langsmith"})
	diff(t, "csv of JSON", []any{d.Cases.At(0).Question, d.Cases.At(0).Want.Answers}, []any{"Who?", []string{"Kim."}})
	d = load(t, "x.jsonl", `{"inputs": {"question": "a"}, "outputs": {"answer": "b"}, "attachments": {"x": 1}}`, dataset.Options{Format: "langsmith"})
	diff(t, "warnings", warnings(d), []string{"x.jsonl:1: attachments: not carried over (1 of 1 case)"})
	diff(t, "either", refuse(t, "x.jsonl", `{"inputs": {"question": "a"}, "outputs": {"answer": "b"}}`, dataset.Options{}), []string{
		`x.jsonl: matches several formats: langsmith (field "outputs"), mlflow (field "outputs"): want --format with one of them`,
	})
}
