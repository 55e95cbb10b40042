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
	for name, in := range map[string]string{
		"x.csv": "inputs.question,outputs.answer,error,reference.answer,id\nWho?,Ann.,None,Kim.,1\nWhen?,partial,ValueError(),1999,2\nWhy?,,Timeout,,3\n",
		"x.jsonl": `{"id": "1", "inputs": {"question": "Who?"}, "outputs": {"answer": "Ann."}, "error": null, "status": "success", "reference_outputs": {"answer": "Kim."}}` + "\n" +
			`{"id": "2", "inputs": {"question": "When?"}, "outputs": {"answer": "partial"}, "error": "ValueError()", "status": "error", "reference_outputs": {"answer": "1999"}}` + "\n" +
			`{"id": "3", "inputs": {"question": "Why?"}, "outputs": null, "error": "Timeout", "reference_outputs": null}`,
	} {
		d = load(t, name, in, dataset.Options{})
		diff(t, name, []any{len(d.Responses), d.Responses["1"].Answer, d.Failures}, []any{1, "Ann.", map[string]string{"2": "ValueError()", "3": "Timeout"}})
	}
	d = load(t, "x.jsonl", `{"id": "1", "inputs": {"question": "a"}, "outputs": {"answer": "b"}, "status": "error"}`, dataset.Options{Format: "langsmith"})
	diff(t, "example", []any{d.Failures, d.Cases.At(0).Metadata["status"]}, []any{map[string]string(nil), "error"})
	d = load(t, "x.jsonl", `{"id": "1", "inputs": "a", "outputs": "b", "state": "TraceState.ERROR"}
{"id": "2", "inputs": "a2", "outputs": "b", "state": "OK"}`, dataset.Options{Format: "mlflow"})
	diff(t, "mlflow", []any{len(d.Responses), d.Failures}, []any{1, map[string]string{"1": "state TraceState.ERROR"}})
	diff(t, "either", refuse(t, "x.jsonl", `{"inputs": {"question": "a"}, "outputs": {"answer": "b"}}`, dataset.Options{}), []string{
		`x.jsonl: matches several formats: langsmith (field "outputs"), mlflow (field "outputs"); use --format with one of them`,
	})
}
