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
		`x.json:2: case 1: checks: an object: want a list, each entry a check, such as {"kind": "contains", "value": "30 days"}`,
		`x.json:3: case 2: checks[0]: string "contains": want a check, such as {"kind": "contains", "value": "30 days"}`,
		`x.json:4: case 3: checks[0].kind: unknown kind "contain", did you mean "contains"?: want one of contains, contains-any, equals, ` +
			`starts-with, regex, is-json, contains-json, levenshtein, numbers, cites, length, language, latency, cost, must_state, ` +
			`must_not_state, expression, exec, set`,
		`x.json:5: case 4: checks[0].weight: string "2": want a number, or no field`,
		"x.json:6: case 5: checks[0].checks[0].value: error parsing regexp: missing closing ): `(`: " +
			"want a regular expression in the syntax of RE2",
	})
}
