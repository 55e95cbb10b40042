package dataset_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/checks"
)

// Results that promptfoo wrote (scripts/formats/promptfoo.sh). Its echo provider answers
// with the prompt.
func TestPromptfooResults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, split string }{{"results.json", ""}, {"results.jsonl", ""}, {"two.json", "second"}} {
		d := written(t, "promptfoo/"+c.file, dataset.Options{Split: c.split})
		diff(t, c.file+" format", d.Info.Format, "promptfoo-results")
		diff(t, c.file+" cases", d.Cases.Len(), 2)
		first := d.Cases.At(0)
		diff(t, c.file+" first", []any{first.Question, first.Want}, []any{"What is the limit?", assay.Want{
			Answers: []string{"the limit is $500"}, Keywords: []string{"$500"},
			Passages: []string{"Purchases above $500 require the approval of a manager."},
			Checks:   []assay.Check{{Kind: assay.CheckContains, Value: "$500"}, {Kind: assay.CheckEquals, Value: "the limit is $500"}},
		}})
		diff(t, c.file+" metadata", []any{first.Metadata["topic"], first.Metadata["description"]}, []any{"money", "the limit"})
		resp := d.Responses[first.ID]
		diff(t, c.file+" answer", resp.Answer,
			"Answer from this: Purchases above $500 require the approval of a manager. Question: What is the limit?")
		diff(t, c.file+" passages", resp.Passages, []assay.Passage{{Text: "Purchases above $500 require the approval of a manager."}})
	}
	_, err := dataset.Load(t.Context(), filepath.Join("testdata", "promptfoo", "two.json"), dataset.Options{Name: "two.json"})
	if want := `two.json: results of 2 outputs: "first", "second"; use --split with one of "first", "second"`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// Promptfoo's own verdict on an assertion that assay does not run counts for the answer that it saw,
// unless grading failed.
func TestPromptfooVerdicts(t *testing.T) {
	t.Parallel()
	const row = `{"testIdx": 0, "promptIdx": 0, "provider": "p", "failureReason": %d, "vars": {"question": "a"}, "response": {"output": "say \"July\""},
"testCase": {"assert": [{"type": "contains", "value": "July"}, {"type": "javascript", "value": "f(1)"}, {"type": "javascript", "value": "f(2)"}, {"type": "similar", "value": "July"}]},
"gradingResult": {"componentResults": [{"pass": true, "assertion": {"type": "javascript", "value": "f(1)"}}, {"pass": false, "assertion": {"type": "javascript", "value": "f(2)"}},
{"pass": false, "assertion": {"type": "similar", "value": "July"}}]}}`
	for failure, want := range [][]string{{"passed", "passed", "failed", "open"}, {"passed", "passed", "failed", "open"}, {"passed", "open", "open", "open"}} {
		d := load(t, "x.jsonl", strings.ReplaceAll(fmt.Sprintf(row, failure), "\n", " "), dataset.Options{})
		c := d.Cases.At(0)
		verdicts := func(answer string) (out []string) {
			for _, one := range c.Want.Checks {
				r := checks.Run(t.Context(), one, checks.Subject{Case: &c, Response: &assay.Response{Answer: answer}})
				out = append(out, map[bool]string{true: "open", false: map[bool]string{true: "passed", false: "failed"}[r.Passed]}[r.Err != nil])
			}
			return out
		}
		diff(t, fmt.Sprint("verdicts, failure ", failure), verdicts(`say "July"`), want)
		diff(t, "verdicts on another answer", verdicts("In July."), []string{"passed", "open", "open", "open"})
		if failed := slices.ContainsFunc(warnings(d), func(w string) bool { return strings.Contains(w, "assert javascript: promptfoo recorded that it fails") }); failed != (failure < 2) {
			t.Errorf("failure %d: warnings %q", failure, warnings(d))
		}
	}
}

// Most types of assertions need no value.
func TestPromptfooVerdictWithoutValue(t *testing.T) {
	t.Parallel()
	d := load(t, "x.jsonl", `{"testIdx": 0, "promptIdx": 0, "provider": "p", "vars": {"question": "a"}, "response": {"output": "July"}, "testCase": {"assert": [{"type": "contains", "value": "July"}, {"type": "is-sql"}]}, "gradingResult": {"componentResults": [{"pass": false, "assertion": {"type": "is-sql"}}]}}`, dataset.Options{})
	if all := d.Cases.At(0).Want.Checks; len(all) != 2 || all[1].Name != "is-sql (promptfoo's verdict)" {
		t.Errorf("%+v, want the verdict of promptfoo", all)
	}
}

// What has weight 0 decides nothing, neither as a check nor as a label.
func TestPromptfooWeightZeroIsNoLabel(t *testing.T) {
	t.Parallel()
	d := load(t, "x.jsonl", `{"vars": {"question": "When?"}, "assert": [{"type": "contains", "value": "payday", "weight": 0}, {"type": "assert-set", "weight": 0, "assert": [{"type": "equals", "value": "x"}]}, {"type": "icontains", "value": "May"}]}`, dataset.Options{})
	if w := d.Cases.At(0).Want; len(w.Checks) != 3 || len(w.Answers) > 0 || !slices.Equal(w.Keywords, []string{"May"}) {
		t.Errorf("%+v, want three checks and the keyword May", w)
	}
}

func TestPromptfooResultsProblems(t *testing.T) {
	t.Parallel()
	const results = `{"evalId": "e", "config": {"description": "d"}, "results": {"results": [
{"testIdx": 0, "promptIdx": 0, "provider": {"id": "p"}, "prompt": {"label": "l"}, "vars": {"question": "a"}, "testCase": {}, "success": true, "score": 1,
 "latencyMs": 12, "cost": 0.25, "response": {"output": {"x": 1}, "tokenUsage": {"prompt": 3, "completion": 4}}},
{"testIdx": 0, "promptIdx": 0, "provider": {"id": "p"}, "prompt": {"label": "l"}, "vars": {"question": "a"}, "testCase": {}, "response": {"output": "b"}},
{"testIdx": 1, "promptIdx": 0, "provider": {"id": "p"}, "prompt": {"label": "l"}, "vars": {"question": "b"}, "testCase": {}, "error": "timeout"},
{"testIdx": 2, "promptIdx": 0, "provider": {"id": "p"}, "prompt": {"label": "l"}, "testCase": {"vars": {"question": "c"}}, "latencyMs": 1,
 "response": {"output": "c", "cached": true}}]}}`
	d := load(t, "x.json", results, dataset.Options{})
	diff(t, "description", d.Metadata, map[string]any{"description": "d"})
	diff(t, "responses", d.Responses, map[string]assay.Response{
		d.Cases.At(0).ID: {Answer: `{"x":1}`, Latency: 12e6, Usage: assay.Usage{InputTokens: 3, OutputTokens: 4, Cost: 250_000}},
		d.Cases.At(2).ID: {Answer: "c"},
	})
	diff(t, "failures", d.Failures, map[string]string{d.Cases.At(1).ID: "timeout"})
	held := load(t, "x.jsonl", `{"testIdx": 0, "promptIdx": 0, "provider": "p", "vars": {"question": "a"}, "testCase": {"threshold": 0.5, "assert": [{"type": "contains", "value": "x"}, {"type": "contains", "value": "y"}]}}`,
		dataset.Options{})
	if checks := held.Cases.At(0).Want.Checks; len(checks) != 1 || checks[0].Threshold == nil || *checks[0].Threshold != 0.5 {
		t.Errorf("%+v, want one set with the threshold of the test", checks)
	}
	diff(t, "scores", d.Cases.At(0).Metadata, map[string]any{"promptfoo": map[string]any{"success": true, "score": 1.0}})
	diff(t, "warnings", warnings(d), []string{
		"x.json:4: testIdx: results of a repeated test are not carried over (1 of 3 cases)",
		"x.json:6: latencyMs: the latency of a cached response is not carried over (1 of 3 cases)",
		"x.json:5: response: missing (1 of 3 cases)",
	})
	diff(t, "several", refuse(t, "x.jsonl", `{"testIdx": 0, "promptIdx": 0, "provider": "p", "vars": {"question": "a"}, "testCase": {}}
{"testIdx": 0, "promptIdx": 1, "provider": {"id": "q", "label": "Q"}, "vars": {"question": "a"}, "testCase": {}}`, dataset.Options{}), []string{
		`x.jsonl: results of 2 outputs: "p", "Q"; use --split with one of "p", "Q"`,
	})
	const prompts = `{"provider": "p", "promptIdx": 0, "prompt": {"raw": "one"}, "vars": {"question": "a"}, "testCase": {}}
{"provider": "p", "promptIdx": 1, "prompt": {"raw": "two", "label": ""}, "vars": {"question": "a"}, "testCase": {}}
`
	diff(t, "prompts", refuse(t, "x.jsonl", prompts, dataset.Options{}), []string{
		`x.jsonl: results of 2 outputs: "one", "two"; use --split with one of "one", "two"`,
	})
	diff(t, "both", refuse(t, "x.jsonl", prompts+`{"provider": "q", "promptIdx": 2, "prompt": {"raw": "one"}, "vars": {}, "testCase": {}}`, dataset.Options{}),
		[]string{`x.jsonl: results of 3 outputs: "p, one", "p, two", "q, one"; use --split with one of "p, one", "p, two", "q, one"`})
	diff(t, "none", refuse(t, "x.json", `{"results": 5, "evalId": "e"}`, dataset.Options{}), []string{
		`x.json:1: results: no list: expected a list of results`,
	})
	diff(t, "wrong split", refuse(t, "x.json", results, dataset.Options{Split: "q"}), []string{
		`x.json: no output "q"; use --split with one of "p"`,
	})
	diff(t, "no question", refuse(t, "x.json", `{"results": [{"testIdx": 0, "vars": {"topic": "a"}, "testCase": {}, "latencyMs": "x", "response": {"output": "b"}}], "evalId": "e"}`,
		dataset.Options{}), []string{
		`x.json:1: case 1: latencyMs: string "x": expected a number of milliseconds`,
		`x.json:1: case 1: vars: no question among "topic": expected a variable "question", "query" or "input", or --map question=NAME`,
	})
}
