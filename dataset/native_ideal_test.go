package dataset_test

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

const ideals = `test_cases:
  - id: a
    question: Who built it?
    ideal:
      answer: Gustave Eiffel, in 1889.
      points:
        - {text: Eiffel, vital: true, passage: p1}
        - {text: "1889", passage: 7}
      passages:
        - {id: p1, document: d, source: d.md, title: Tower, text: Eiffel built it., index: 2, score: -0.5}
        - {id: 7, text: It opened in 1889.}
      model: m
      prompt_hash: "sha256:1"
      hash: "sha256:2"
      made: "2026-01-15T10:00:00.5+08:00"
  - {id: b, question: What?, ideal: {points: []}}
  - {id: c, question: What?, ideal: {answer: x, points: null, passages: []}}
  - {id: d, question: What?, ideal: null}
`

func TestIdeal(t *testing.T) {
	t.Parallel()
	d := load(t, "x.yaml", ideals, dataset.Options{})
	want := []*assay.Ideal{
		{
			Answer: "Gustave Eiffel, in 1889.", Points: []assay.Point{{Text: "Eiffel", Vital: true, Passage: "p1"}, {Text: "1889", Passage: "7"}},
			Passages: []assay.Passage{
				{
					ID:       "p1",
					Document: "d",
					Source:   "d.md",
					Title:    "Tower",
					Text:     "Eiffel built it.",
					Index:    2,
					Score:    -0.5,
				}, {ID: "7", Text: "It opened in 1889."},
			},
			Model: "m", PromptHash: "sha256:1", Hash: "sha256:2", Made: time.Date(2026, 1, 15, 2, 0, 0, 5e8, time.UTC),
		},
		{Points: []assay.Point{}},
		{Answer: "x"},
		nil,
	}
	for i, c := range d.Cases.All() {
		if diff := cmp.Diff(want[i], c.Want.Ideal); diff != "" {
			t.Errorf("case %s (-want +got):\n%s", c.ID, diff)
		}
	}
	// A conversion keeps it, and says when a form does not.
	for _, form := range []string{"assay", "jsonl", "yaml"} {
		var b bytes.Buffer
		lost, err := dataset.Write(&b, d, form)
		if err != nil || lost != nil {
			t.Fatalf("%s: error %v, lost %q", form, err, lost)
		}
		again, err := dataset.Load(context.Background(), put(t, form, b.String()), dataset.Options{})
		if err != nil {
			t.Fatalf("%s: %v\n%s", form, err, &b)
		}
		if again.Info.Hash != d.Info.Hash {
			t.Errorf("%s: hash %s, before %s", form, again.Info.Hash, d.Info.Hash)
		}
	}
	d.Cases = d.Cases.Change(func(_ int, c *assay.Case) { c.Want.Documents = map[string]int{"d": 1} })
	lost, err := dataset.WriteBEIR(t.Context(), filepath.Join(t.TempDir(), "beir"), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "lost", lost, []string{"ideal answers (3 of 4 cases)"})
}

func TestIdealProblems(t *testing.T) {
	t.Parallel()
	diff(t, "problems", refuse(t, "x.json", `[
{"id": "a", "question": "q", "ideal": "text"},
{"id": "b", "question": "q", "ideal": {"model": "m"}},
{"id": "c", "question": "q", "ideal": {"answer": " ", "points": {}, "made": "soon", "prompt_hash": 1}},
{"id": "d", "question": "q", "ideal": {"points": ["x",
 {"vital": true},
 {"text": "", "vital": 1},
 {"text": "y", "passage": "p9"}],
 "passages": [{"id": "p1", "text": "x"}, {"id": "p1", "text": "y"}, {"id": "p2"},
 {"text": "x", "title": [], "index": -1, "score": "high"}, 5]}}
]`, dataset.Options{}), []string{
		`x.json:2: case "a": ideal: string "text": expected an object with answer and points`,
		`x.json:3: case "b": ideal: neither answer nor points: expected at least one of them`,
		`x.json:4: case "c": ideal.answer: empty string: expected an answer, or no field`,
		`x.json:4: case "c": ideal.prompt_hash: number 1: expected a hash, or no field`,
		`x.json:4: case "c": ideal.points: an object: expected a list, each entry a point with its text`,
		`x.json:4: case "c": ideal.made: string "soon": expected a date such as "2026-01-15"`,
		`x.json:5: case "d": ideal.points[0]: string "x": expected a point with its text`,
		`x.json:6: case "d": ideal.points[1].text: missing: expected what the answer should say`,
		`x.json:7: case "d": ideal.points[2].text: empty string: expected what the answer should say`,
		`x.json:7: case "d": ideal.points[2].vital: number 1: expected true or false`,
		`x.json:8: case "d": ideal.points[3].passage: "p9" is not one of the passages: expected the id of one in ideal.passages`,
		`x.json:9: case "d": ideal.passages[1].id: duplicate id "p1": expected a unique id`,
		`x.json:9: case "d": ideal.passages[2].text: missing: expected the text of the passage`,
		`x.json:10: case "d": ideal.passages[3].title: a list: expected a name, or no field`,
		`x.json:10: case "d": ideal.passages[3].index: number -1: expected a whole number from 0`,
		`x.json:10: case "d": ideal.passages[3].score: string "high": expected a number`,
		`x.json:10: case "d": ideal.passages[4]: number 5: expected a passage with its text`,
	})
	d := load(t, "y.json",
		`[{"question": "q", "ideal": {"answer": "x", "point": [], "points": [{"text": "a", "weight": 1}], "passages": [{"text": "t", "txt": ""}]}}]`, dataset.Options{})
	diff(t, "warnings", warnings(d)[:3], []string{
		`y.json:1: ideal.passages[].txt: unknown field, ignored: did you mean "text"? (1 of 1 case)`,
		`y.json:1: ideal.points[].weight: unknown field, ignored (1 of 1 case)`,
		`y.json:1: ideal.point: unknown field, ignored: did you mean "points"? (1 of 1 case)`,
	})
}

// An ideal answer that was written and read is the one that was frozen; one in
// which a word was changed since is told.
func TestIdealThatWasChanged(t *testing.T) {
	t.Parallel()
	frozen := assay.Ideal{
		Answer: "Eiffel, in 1889.", Points: []assay.Point{{Text: "Eiffel", Vital: true, Passage: "p1"}, {Text: "1889"}},
		Passages: []assay.Passage{{ID: "p1", Document: "d", Title: "Tower", Text: "Eiffel built it.", Index: 2, Score: 0.25}}, Model: "m",
		Made: time.Date(2026, 1, 15, 2, 0, 0, 0, time.UTC),
	}
	frozen.Hash = frozen.Digest()
	other := frozen
	other.Model, other.Made, other.PromptHash = "n", time.Time{}, "h"
	if other.Digest() != frozen.Hash {
		t.Error("the digest depends on who made it and when")
	}
	for name, change := range map[string]func(*assay.Ideal){
		"":         func(*assay.Ideal) {},
		"answer":   func(i *assay.Ideal) { i.Answer = "Eiffel, in 1887." },
		"points":   func(i *assay.Ideal) { i.Points = i.Points[:1] },
		"passages": func(i *assay.Ideal) { i.Passages = nil; i.Points = []assay.Point{{Text: "1889"}} },
	} {
		ideal := frozen
		change(&ideal)
		var file bytes.Buffer
		d := &dataset.Dataset{Cases: assay.CasesOf(assay.Case{ID: "a", Question: "Who?", Want: assay.Want{Ideal: &ideal}})}
		if _, err := dataset.Write(&file, d, "assay"); err != nil {
			t.Fatal(err)
		}
		told := false
		for _, w := range load(t, "x.json", file.String(), dataset.Options{}).Warnings {
			told = told || w.Field == "ideal.hash"
		}
		if told != (name != "") {
			t.Errorf("changed %q: told %v", name, told)
		}
	}
}
