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
	// The results of an experiment: what the system answered is not the reference.
	for name, in := range map[string]string{
		"x.csv": "inputs.question,outputs.answer,outputs.documents,error,reference.answer,feedback.correctness,id\nWho?,Ann.,[],,Kim.,0.0,1\nWhen?,,,ValueError(),1999,,2\n",
		"ui.csv": "id,inputs,outputs,reference_outputs,status\n1,\"{\"\"question\"\": \"\"Who?\"\"}\",\"{\"\"answer\"\": \"\"Ann.\"\"}\",\"{\"\"answer\"\": \"\"Kim.\"\"}\",success\n" +
			"2,\"{\"\"question\"\": \"\"When?\"\"}\",,\"{\"\"answer\"\": \"\"1999\"\"}\",error\n",
		"dotted.jsonl": `{"inputs.question": "Who?", "outputs.answer": "Ann.", "reference.answer": "Kim.", "id": "1"}` + "\n" +
			`{"inputs.question": "When?", "outputs.answer": null, "reference.answer": "1999", "id": "2"}`,
		"x.jsonl": `{"id": 1, "inputs": {"question": "Who?"}, "outputs": {"answer": "Ann."}, "reference_outputs": {"answer": "Kim."}}` + "\n" +
			`{"id": 2, "inputs": {"question": "When?"}, "outputs": null, "reference_outputs": {"answer": "1999"}}`,
	} {
		for _, format := range []string{"", "langsmith"} {
			d = load(t, name, in, dataset.Options{Format: format})
			one, two := d.Cases.At(0), d.Cases.At(1)
			diff(t, name, []any{d.Info.Format, one.Question, one.Want.Answers, two.Want.Answers, len(d.Responses), d.Responses["1"].Answer},
				[]any{"langsmith", "Who?", []string{"Kim."}, []string{"1999"}, 1, "Ann."})
		}
	}
	diff(t, "either", refuse(t, "x.jsonl", `{"inputs": {"question": "a"}, "outputs": {"answer": "b"}}`, dataset.Options{}), []string{
		`x.jsonl: matches several formats: langsmith (field "outputs"), mlflow (field "outputs"); use --format with one of them`,
	})
}
