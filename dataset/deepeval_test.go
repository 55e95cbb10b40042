package dataset_test

import (
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

// Goldens as DeepEval writes them (scripts/formats/deepeval.py).
func TestDeepEvalGoldens(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"goldens.json", "goldens.jsonl", "goldens.csv"} {
		d := written(t, "deepeval/"+file, dataset.Options{})
		diff(t, file+" format", d.Info.Format, "deepeval")
		var wants []assay.Want
		var questions []string
		for _, c := range d.Cases.All() {
			wants, questions = append(wants, c.Want), append(questions, c.Question)
		}
		diff(t, file, questions, []string{"Who wrote the book?", "When, then?", "Why?"})
		diff(t, file, wants, []assay.Want{
			{Answers: []string{"Kim wrote it."}, Passages: []string{"Kim wrote the whole book alone.", "It came out in 1999."}},
			{Answers: []string{"1999"}}, {},
		})
		diff(t, file+" warnings", warnings(d)[0], map[string]string{
			"goldens.json": "goldens.json:25: ", "goldens.jsonl": "goldens.jsonl:2: ", "goldens.csv": "goldens.csv:3: ",
		}[file]+"expected_tools: not carried over (1 of 3 cases)")
		diff(t, file+" metadata", d.Cases.At(0).Metadata, map[string]any{"topic": "books", "comments": "easy", "source_file": "books.md"})
		diff(t, file+" responses", d.Responses, map[string]assay.Response{
			d.Cases.At(1).ID: {Answer: "In 1999.", Passages: []assay.Passage{{Text: "It came out in 1999."}}},
		})
	}
}

// A test run as DeepEval writes it.
func TestDeepEvalRun(t *testing.T) {
	t.Parallel()
	latest := written(t, "deepeval/latest.json", dataset.Options{})
	d := written(t, "deepeval/run.json", dataset.Options{})
	diff(t, "latest.json", latest.Info.Hash, d.Info.Hash)
	diff(t, "responses of latest.json", latest.Responses, d.Responses)
	diff(t, "format", d.Info.Format, "deepeval")
	c := d.Cases.At(0)
	diff(t, "want", c.Want, assay.Want{Answers: []string{"Kim wrote it."}, Passages: []string{"Kim wrote the whole book alone."}})
	diff(t, "tags", c.Tags, []string{"easy"})
	diff(t, "metadata", []any{c.Metadata["topic"], c.Metadata["metrics"]}, []any{"books", map[string]any{"Length": 1.0}})
	// "No." is 3 letters, of 10.
	diff(t, "scores", d.Cases.At(1).Metadata["metrics"], map[string]any{"Length": 0.3})
	diff(t, "responses", d.Responses, map[string]assay.Response{
		c.ID: {
			Answer: "Kim wrote it all.", Passages: []assay.Passage{{Text: "Kim wrote the whole book alone."}, {Text: "It came out in 1999."}},
			Latency: 1500 * time.Millisecond, Usage: assay.Usage{Cost: 2000},
		},
		d.Cases.At(1).ID: {Answer: "No."},
	})
	diff(t, "warnings", warnings(d)[0], "run.json:1: metricsData: reasons of scores are not carried over (2 of 2 cases)")
}

func TestDeepEvalProblems(t *testing.T) {
	t.Parallel()
	d := load(t, "x.json", `[{"input": "a", "expected_output": "b", "tools_called": [{"name": "t"}]},
{"scenario": "s", "turns": [{"role": "user", "content": "x"}]},
{"input": "c", "expected_output": "", "tools_called": []}]`, dataset.Options{})
	diff(t, "warnings", warnings(d), []string{
		"x.json:1: tools_called: not carried over (1 of 2 cases)",
		"x.json:2: turns: goldens and test cases of several turns are not carried over (1 of 2 cases)",
		"x.json:3: expected_output: missing (1 of 2 cases)",
	})
	diff(t, "problems", refuse(t, "x.json", `[{"input": "", "actual_output": "b"},
{"input": "a", "actual_output": {}, "completion_time": -1},
{"input": "a", "actual_output": "b", "actualOutput": "c"},
{"input": "a", "expected_output": {}, "retrieval_context": [1], "token_cost": "x"}]`, dataset.Options{}), []string{
		`x.json:1: case 1: input: empty string: expected a question`,
		`x.json:2: case 2: actual_output: an object: expected text`,
		`x.json:2: case 2: completion_time: number -1: expected a number of seconds`,
		`x.json:3: case 3: actualOutput: differs from "actual_output", which has the same meaning: expected only one of them`,
		`x.json:4: case 4: expected_output: an object: expected an answer, or no field`,
		`x.json:4: case 4: retrieval_context[0]: number 1: expected text`,
		`x.json:4: case 4: token_cost: string "x": expected a number of dollars`,
	})
	diff(t, "no cases", refuse(t, "x.json", `{"testRunData": {"testCases": {}}}`, dataset.Options{}), []string{
		`x.json:1: testCases: no list: expected a list of test cases`,
	})
}
