package dataset_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

// The aliases, of both generations of Ragas, mean the same.
func TestRagas(t *testing.T) {
	t.Parallel()
	const newer = `{"id": "r1", "user_input": "Who?", "retrieved_contexts": ["one", "two"], "response": "Kim.", "reference": "Kim", "reference_contexts": ["Kim wrote the whole book alone."], "tags": ["x"], "critical": true, "faithfulness": 0.5}
{"id": "r2", "user_input": "When?", "retrieved_contexts": [], "response": "", "reference": null}
{"id": "r3", "user_input": "Why?", "reference": ""}
`
	const older = `[{"id": "r1", "question": "Who?", "contexts": ["one", "two"], "answer": "Kim.", "ground_truth": "Kim", "reference_contexts": ["Kim wrote the whole book alone."], "tags": ["x"], "critical": true, "faithfulness": 0.5},
{"id": "r2", "question": "When?", "contexts": [], "answer": ""},
{"id": "r3", "question": "Why?", "ground_truths": []}]`
	cases := []assay.Case{
		{
			ID:       "r1",
			Question: "Who?",
			Want:     assay.Want{Answers: []string{"Kim"}, Passages: []string{"Kim wrote the whole book alone."}},
			Tags:     []string{"x"},
			Critical: true,
			Metadata: map[string]any{"faithfulness": 0.5},
		},
		{ID: "r2", Question: "When?"},
		{ID: "r3", Question: "Why?"},
	}
	responses := map[string]assay.Response{
		"r1": {Answer: "Kim.", Passages: []assay.Passage{{Text: "one"}, {Text: "two"}}},
		"r2": {Passages: []assay.Passage{}},
	}
	for name, content := range map[string]string{"newer.jsonl": newer, "older.json": older} {
		d := load(t, name, content, dataset.Options{})
		diff(t, name+" format", d.Info.Format, "ragas")
		diff(t, name+" cases", noOrigin(d.Cases.List()), cases)
		diff(t, name+" responses", d.Responses, responses)
	}
	d := load(t, "newer.jsonl", newer, dataset.Options{})
	diff(t, "warnings", warnings(d), []string{
		"newer.jsonl:2: reference: missing (2 of 3 cases)",
		"newer.jsonl:3: response: missing (1 of 3 cases)",
		"newer.jsonl:3: retrieved_contexts: missing (1 of 3 cases)",
		"newer.jsonl:2: reference_contexts: missing (2 of 3 cases)",
	})
}

func TestRagasAnswersAndIDs(t *testing.T) {
	t.Parallel()
	d := load(t, "x.jsonl", `{"question": "q", "references": ["a", "b"], "reference": "b", "retrieved_contexts": ["t", "u"], "retrieved_context_ids": ["d1", 2], "reference_context_ids": ["d1", 9], "reference_contexts": ["short"]}
{"question": "p", "answer": "only", "reference": "", "references": ["a"]}
{"question": "o", "retrieved_context_ids": ["x"], "reference": "r"}
{"question": "n", "retrieved_contexts": ["fr.md", "b/de.md"], "reference": "r"}`, dataset.Options{})
	diff(t, "answers", d.Cases.At(0).Want.Answers, []string{"b", "a"})
	diff(t, "documents", d.Cases.At(0).Want.Documents, map[string]int{"d1": 1, "9": 1})
	diff(t, "answers where one name is empty", d.Cases.At(1).Want.Answers, []string{"a"})
	diff(t, "responses", d.Responses, map[string]assay.Response{
		d.Cases.At(0).ID: {NoAnswer: true, Passages: []assay.Passage{{ID: "d1", Text: "t"}, {ID: "2", Text: "u"}}},
		d.Cases.At(1).ID: {Answer: "only"},
		d.Cases.At(2).ID: {NoAnswer: true, Passages: []assay.Passage{{ID: "x"}}},
		d.Cases.At(3).ID: {NoAnswer: true, Passages: []assay.Passage{{Source: "fr.md"}, {Source: "b/de.md"}}},
	})
	diff(t, "warning", warnings(d)[0], "x.jsonl:1: reference_contexts: a text is too short to match any passage (1 of 4 cases)")
}

// Test sets as Ragas writes them (scripts/formats/ragas.py).
func TestRagasTestset(t *testing.T) {
	t.Parallel()
	want := []assay.Case{
		{
			Question: "Who wrote the book?",
			Want:     assay.Want{Answers: []string{"Kim wrote it."}, Passages: []string{"Kim wrote the whole book alone."}},
		},
		{
			Question: "Who drew the pictures of the book that Kim wrote?",
			Want: assay.Want{
				Answers: []string{"Lee."}, Passages: []string{"Kim wrote the whole book alone.", "Lee drew all of the pictures."},
			},
		},
	}
	for _, file := range []string{"testset.jsonl", "testset.csv", "testset-frame.json"} {
		d := written(t, "ragas/"+file, dataset.Options{})
		diff(t, file+" format", d.Info.Format, "ragas")
		var got []assay.Case
		for _, c := range noOrigin(d.Cases.List()) {
			diff(t, file+" synthesizer", c.Metadata["synthesizer_name"] != nil, true)
			c.ID, c.Metadata = "", nil
			got = append(got, c)
		}
		diff(t, file, got, want)
		diff(t, file+" responses", len(d.Responses), 0)
	}
	d := written(t, "ragas/evaluation.jsonl", dataset.Options{})
	diff(t, "evaluation", []any{d.Cases.At(0).Want.Documents, d.Responses[d.Cases.At(0).ID].Passages}, []any{
		map[string]int{"a": 1}, []assay.Passage{{ID: "a", Text: "Kim wrote the whole book alone."}, {ID: "b", Text: "It came out in 1999."}},
	})
}

// Data frames write lists as Python prints them.
func TestRagasCSV(t *testing.T) {
	t.Parallel()
	const content = `,user_input,retrieved_contexts,response,reference,score
0,Who?,"['it''s', ""she said 'no'"", 'a\nb \u00e9']",Kim.,Kim,0.5
1,"When,
then?","[""a"", ""b""]",,,
2,Why?,"['one\'s'
 'two']",No.,R,1
3,Where?,only one,Here.,R,
4,How?,[],So.,R,
`
	// In Python 'it''s' is one string made of two; here it is two entries, as
	// NumPy prints them, so the row reads: it, s, she said 'no', a⏎b é.
	d := load(t, "frame.csv", content, dataset.Options{})
	diff(t, "format", d.Info.Format, "ragas")
	var got [][]string
	for _, c := range d.Cases.All() {
		texts := []string{}
		for _, p := range d.Responses[c.ID].Passages {
			texts = append(texts, p.Text)
		}
		got = append(got, texts)
	}
	diff(t, "contexts", got, [][]string{{"it", "s", "she said 'no'", "a\nb é"}, {"a", "b"}, {"one's", "two"}, {"only one"}, {}})
	diff(t, "second", []string{d.Cases.At(1).Question, d.Responses[d.Cases.At(1).ID].Answer}, []string{"When,\nthen?", ""})
	diff(t, "metadata", d.Cases.At(0).Metadata, map[string]any{"column 1": "0", "score": "0.5"})
	diff(t, "line", d.Cases.At(2).Origin, assay.Origin{File: "frame.csv", Line: 5})
}

// TestGroupsInEveryFormat holds that a group is the case's, whatever the format calls the rest: cases of
// one page were independent in seven formats of nine.
func TestGroupsInEveryFormat(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"assay.jsonl":     `{"id": "q", "question": "Who?", "ground_truth": "Kim", "group": "page 1"}`,
		"ragas.jsonl":     `{"id": "q", "user_input": "Who?", "reference": "Kim", "group": "page 1"}`,
		"deepeval.jsonl":  `{"input": "Who?", "expected_output": "Kim", "additional_metadata": {"group": "page 1"}}`,
		"squad.jsonl":     `{"id": "q", "question": "Who?", "answers": {"text": ["Kim"]}, "context": "Kim wrote the book alone.", "group": "page 1"}`,
		"contexts.jsonl":  `{"id": "q", "question": "Who?", "ground_truth_contexts": ["Kim wrote the whole book."], "group": "page 1"}`,
		"gold.jsonl":      `{"id": "q", "question": "Who?", "expected_sources": ["a.md"], "group": "page 1"}`,
		"promptfoo.yaml":  "tests:\n- {vars: {question: Who?}, assert: [{type: equals, value: Kim}], metadata: {group: page 1}}",
		"langsmith.jsonl": `{"inputs": {"question": "Who?"}, "outputs": {"answer": "Kim"}, "metadata": {"group": "page 1"}, "dataset_id": "d"}`,
		"table.csv":       "question,ground_truth,group\nWho?,Kim,page 1\n",
	} {
		if c := load(t, name, content, dataset.Options{}).Cases.At(0); c.Group != "page 1" || c.Metadata["group"] != nil {
			t.Errorf("%s: group %q, metadata %v", name, c.Group, c.Metadata)
		}
	}
	numbered := load(t, "ragas.jsonl", `{"user_input": "Who?", "reference": "Kim", "group": 7}`, dataset.Options{})
	diff(t, "a number", numbered.Cases.At(0).Group, "7")
}

// TestCriticalInEveryFormat holds that metadata says whether a case is critical wherever the format has no
// field for it, or a warning says that it does not.
func TestCriticalInEveryFormat(t *testing.T) {
	t.Parallel()
	for content, critical := range map[string]bool{
		`{"id": "q", "question": "Who?", "ground_truth": "Kim", "metadata": {"critical": VALUE}}`:                            true,
		`{"input": "Who?", "expected_output": "Kim", "critical": VALUE}`:                                                     true,
		`{"input": "Who?", "expected_output": "Kim", "additional_metadata": {"critical": VALUE}}`:                            true,
		`{"vars": {"question": "Who?"}, "assert": [{"type": "equals", "value": "Kim"}], "metadata": {"critical": VALUE}}`:    true,
		`{"vars": {"question": "Who?", "critical": VALUE}, "assert": [{"type": "equals", "value": "Kim"}]}`:                  true,
		`{"vars": {"question": "Who?"}, "assert": [{"type": "equals", "value": "Kim"}], "critical": VALUE}`:                  false,
		`{"inputs": {"question": "Who?"}, "outputs": {"answer": "Kim"}, "metadata": {"critical": VALUE}, "dataset_id": "d"}`: true,
		`{"inputs": {"question": "Who?"}, "outputs": {"answer": "Kim"}, "critical": VALUE, "dataset_id": "d"}`:               true,
		`{"id": "x", "input": {"question": "Who?"}, "expectedOutput": "Kim", "critical": VALUE, "status": "ACTIVE"}`:         true,
		`{"inputs": {"question": "Who?"}, "expectations": {"expected_response": "Kim"}, "critical": VALUE}`:                  true,
		`{"inputs": {"question": "Who?"}, "expectations": {"expected_response": "Kim"}, "tags": {"critical": VALUE}}`:        true,
		`{"user_input": "Who?", "reference": "Kim", "metadata": {"critical": VALUE}}`:                                        true,
		`{"user_input": "Who?", "reference": "Kim", "metadata.critical": VALUE}`:                                             true,
	} {
		for value, is := range map[string]bool{"true": true, `"Yes"`: true, "1": true, "false": false, `"high"`: false} {
			d := load(t, "x.jsonl", strings.ReplaceAll(content, "VALUE", value), dataset.Options{})
			warned := strings.Contains(strings.Join(warnings(d), "\n"), "critical")
			if got := d.Cases.At(0).Critical; got != (critical && is) || warned != (!critical || value == `"high"`) {
				t.Errorf("%s: critical %s: %v, warnings %q", d.Info.Format, value, got, warnings(d))
			}
		}
	}
}

// Tables have objects as texts, of JSON or as Python prints them.
func TestCriticalInTables(t *testing.T) {
	t.Parallel()
	for cell, critical := range map[string]bool{
		`{'a': 'it', 'critical': True, 'b': None}`: true, `{""critical"": true}`: true, `{'critical': False}`: false, `{}`: false, `{'critical': [True}`: false,
	} {
		d := load(t, "x.csv", "question,ground_truth,metadata\nWho?,Kim,\""+cell+"\"\n", dataset.Options{})
		if warned := len(warnings(d)) > 0; d.Cases.At(0).Critical != critical || warned != strings.Contains(cell, "[") {
			t.Errorf("%s: %v, warnings %q", cell, d.Cases.At(0).Critical, warnings(d))
		}
	}
	d := load(t, "x.csv", "question,ground_truth,tags\nWho?,Kim,critical\n", dataset.Options{})
	if !strings.Contains(strings.Join(warnings(d), "\n"), `the tag "critical" makes no case critical`) {
		t.Errorf("warnings %q", warnings(d))
	}
}

// A file without the field of the answer is of a target that only retrieves; null is an empty answer.
func TestRagasWithoutAnswers(t *testing.T) {
	t.Parallel()
	for field, none := range map[string]bool{"": true, `"response": null, `: false, `"response": "", `: false} {
		d := load(t, "x.jsonl", `{"user_input": "a", `+field+`"retrieved_contexts": ["b"], "reference": "c"}`, dataset.Options{})
		diff(t, field, d.Responses[d.Cases.At(0).ID].NoAnswer, none)
	}
}
