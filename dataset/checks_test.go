package dataset_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

func TestChecks(t *testing.T) {
	t.Parallel()
	d := load(t, "x.jsonl", `{"id": "a", "question": "q", "checks": [{"kind": "contains", "value": ["x", "y"], "not": true, "weight": 0.5}, `+
		`{"kind": "set", "threshold": 0.5, "name": "both", "checks": [`+
		`{"kind": "levenshtein", "value": "x", "threshold": 2, "trim": true}, {"kind": "is-json"}]}]}`,
		dataset.Options{})
	half, two := 0.5, 2.0
	diff(t, "checks", d.Cases.At(0).Want.Checks, []assay.Check{
		{Kind: assay.CheckContains, Value: []any{"x", "y"}, Not: true, Weight: &half},
		{Kind: assay.CheckSet, Name: "both", Threshold: &half, Checks: []assay.Check{
			{Kind: assay.CheckLevenshtein, Value: "x", Threshold: &two, Trim: true}, {Kind: assay.CheckIsJSON},
		}},
	})
	// They are written as they were read.
	for _, form := range []string{"assay", "jsonl", "yaml"} {
		var b strings.Builder
		if lost, err := dataset.Write(&b, d, form); err != nil || lost != nil {
			t.Fatal(lost, err)
		}
		again := load(t, "again."+strings.Replace(form, "assay", "json", 1), b.String(), dataset.Options{})
		diff(t, form, again.Cases.At(0).Want, d.Cases.At(0).Want)
	}
}

func TestChecksProblems(t *testing.T) {
	t.Parallel()
	diff(t, "problems", refuse(t, "x.json", `[
{"question": "a", "checks": {"kind": "contains"}},
{"question": "b", "checks": ["contains"]},
{"question": "c", "checks": [{"kind": "contain", "value": "x"}]},
{"question": "d", "checks": [{"kind": "contains", "value": "x", "weight": "2"}]},
{"question": "e", "checks": [{"kind": "set", "checks": [{"kind": "regex", "value": "("}]}]}]`, dataset.Options{}), []string{
		`x.json:2: case 1: checks: an object: expected a list, each entry a check, such as {"kind": "contains", "value": "30 days"}`,
		`x.json:3: case 2: checks[0]: string "contains": expected a check, such as {"kind": "contains", "value": "30 days"}`,
		`x.json:4: case 3: checks[0].kind: unknown kind "contain", did you mean "contains"?: expected one of contains, contains-any, equals, ` +
			`starts-with, regex, is-json, contains-json, levenshtein, numbers, cites, length, language, latency, cost, must_state, ` +
			`must_not_state, expression, exec, set`,
		`x.json:5: case 4: checks[0].weight: string "2": expected a number, or no field`,
		"x.json:6: case 5: checks[0].checks[0].value: error parsing regexp: missing closing ): `(`: " +
			"expected a regular expression in the syntax of RE2",
	})
}

// Assertions of promptfoo on cost and on the number of words are checks.
func TestPromptfooLimits(t *testing.T) {
	t.Parallel()
	d := load(t, "promptfooconfig.yaml", `
prompts: ['{{question}}']
tests:
  - vars: {question: a, most: '9'}
    assert:
      - {type: cost, threshold: 0.002}
      - {type: word-count, value: 5}
      - {type: not-word-count, value: {min: 2}}
      - {type: word-count, value: '{{most}}'}
      - {type: word-count, value: {min: 3, max: 2}}
      - {type: word-count, value: few}
      - {type: cost}
`, dataset.Options{})
	price, two, five, nine := 0.002, 2.0, 5.0, 9.0
	diff(t, "checks", d.Cases.At(0).Want.Checks, []assay.Check{
		{Kind: assay.CheckCost, Threshold: &price}, {Kind: assay.CheckLength, Min: &five, Max: &five},
		{Kind: assay.CheckLength, Min: &two, Not: true}, {Kind: assay.CheckLength, Min: &nine, Max: &nine},
		notRun("word-count"), notRun("word-count"), notRun("cost"),
	})
	got := strings.Join(warnings(d), "\n")
	for _, want := range []string{
		"word-count: not carried over: min: 3, more than max, which is 2", "word-count: not carried over: its value is neither a number of words",
		"assert cost: not carried over: it has no threshold",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nwant %q", got, want)
		}
	}
}

// All fields of a check are read and written.
func TestCheckFields(t *testing.T) {
	t.Parallel()
	d := load(t, "a.jsonl", `{"question": "a", "checks": [{"kind": "expression", "name": "n", "when": "answer != \"\"", "value": "len(answer)", `+
		`"range": [0, 10], "unit": "points", "better": "lower", "threshold": 3}, {"kind": "numbers", "value": 3, "relative": 0.1}, `+
		`{"kind": "length", "min": 1, "max": 9, "of": "characters"}]}`, dataset.Options{})
	three, tenth, one, nine := 3.0, 0.1, 1.0, 9.0
	want := []assay.Check{
		{Kind: assay.CheckExpression, Name: "n", When: `answer != ""`, Value: "len(answer)", Range: []float64{0, 10}, Unit: "points", Better: "lower",
			Threshold: &three},
		{Kind: assay.CheckNumbers, Value: d.Cases.At(0).Want.Checks[1].Value, Relative: &tenth},
		{Kind: assay.CheckLength, Min: &one, Max: &nine, Of: "characters"},
	}
	diff(t, "checks", d.Cases.At(0).Want.Checks, want)
	for _, form := range []string{"assay", "jsonl", "yaml"} {
		var b strings.Builder
		if lost, err := dataset.Write(&b, d, form); err != nil || lost != nil {
			t.Fatal(lost, err)
		}
		again := load(t, "again."+strings.Replace(form, "assay", "json", 1), b.String(), dataset.Options{})
		diff(t, form, again.Cases.At(0).Want, d.Cases.At(0).Want)
	}
	problems := refuse(t, "x.json", `[{"question": "a", "checks": [{"kind": "expression", "value": "1", "range": "0-1"}]}]`, dataset.Options{})
	if len(problems) == 0 || !strings.Contains(problems[0], `checks[0].range: string "0-1": expected the smallest and the largest score`) {
		t.Errorf("%q: want the problem of the range", problems)
	}
}
