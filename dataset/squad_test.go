package dataset_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

func TestSquad(t *testing.T) {
	t.Parallel()
	d := written(t, "parquet/squad.parquet", dataset.Options{})
	diff(t, "format", d.Info.Format, "squad")
	diff(t, "cases", noOrigin(d.Cases.List()), []assay.Case{
		{
			ID: "56be85543aeaaa14008c9063", Question: "When did she rise to fame?", Metadata: map[string]any{"title": "Beyoncé"},
			Want: assay.Want{
				Answers:  []string{"the late 1990s", "in the late 1990s"},
				Passages: []string{"Beyoncé rose to fame in the late 1990s as the lead singer of Destiny's Child."},
			},
		},
		{
			ID: "5a7db48670df9f001a87505f", Question: "Who gave their name to Norway?", Metadata: map[string]any{"title": "Normans"},
			Want: assay.Want{Passages: []string{"The Normans gave their name to Normandy, a region in France."}, Answerable: ptr(false)},
		},
	})
	d = written(t, "parquet/contexts.parquet", dataset.Options{})
	diff(t, "contexts", []any{d.Info.Format, d.Cases.At(0).Want}, []any{"squad", assay.Want{
		Answers: []string{"Kim"}, Passages: []string{"Kim wrote the whole book alone.", "Lee drew all of the pictures."},
	}})
	d = load(t, "x.jsonl", `{"question": "a", "answers": ["x", "x", "y"]}`+"\n"+`{"question": "b", "answers": [{"text": "z"}]}`, dataset.Options{})
	diff(t, "lists", [][]string{d.Cases.At(0).Want.Answers, d.Cases.At(1).Want.Answers}, [][]string{{"x", "y"}, {"z"}})
	diff(t, "problems", refuse(t, "x.jsonl", `{"question": "a", "answers": {"start": 1}}
{"question": "b", "answers": 5}
{"question": "c", "answers": [{"x": 1}, " "]}`, dataset.Options{}), []string{
		`x.jsonl:1: case 1: answers.text: missing: expected a list of answers`,
		`x.jsonl:2: case 2: answers: number 5: expected a list of answers`,
		`x.jsonl:3: case 3: answers[0].text: missing: expected an answer`,
		`x.jsonl:3: case 3: answers[1]: empty string: expected an answer`,
	})
}

func FuzzSquad(f *testing.F) {
	fuzz(f, "squad", `{"question": "a", "answers": {"text": ["x"], "answer_start": [1]}, "context": "This is a passage of twenty."}`,
		`[{"question": "a", "answers": [{"text": "x"}], "contexts": ["c"], "id": 5}]`)
}
