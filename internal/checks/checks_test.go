package checks_test

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/checks"
	"github.com/assay-eval/assay/internal/requiretest"
)

// parse reads a check as a dataset writes it.
func parse(t testing.TB, s string) assay.Check {
	t.Helper()
	var c assay.Check
	if err := json.Unmarshal([]byte(s), &c); err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return c
}

func run(t testing.TB, c assay.Check, r *assay.Response) checks.Result {
	return checks.Run(t.Context(), c, checks.Subject{Case: &assay.Case{ID: "q1", Question: "How many?"}, Response: r})
}

const answer = "You have 24 days of Leave. "

// The page lists the kinds of checks.
func TestKindsTable(t *testing.T) {
	kinds := requiretest.DocTable(t, "docs/checks.md", "## Kinds")
	if got, want := slices.Sorted(maps.Keys(kinds)), slices.Sorted(slices.Values(assay.CheckKinds())); !slices.Equal(got, want) {
		t.Errorf("kinds %q, want %q", got, want)
	}
}

// Verdicts that were worked out by hand.
func TestRun(t *testing.T) {
	t.Parallel()
	for check, want := range map[string]bool{
		`{"kind": "contains", "value": "24 days"}`:                                        true,
		`{"kind": "contains", "value": "24 Days"}`:                                        false,
		`{"kind": "contains", "value": "24 DAYS", "ignore_case": true}`:                   true,
		`{"kind": "contains", "value": ["24", "days"]}`:                                   true,
		`{"kind": "contains", "value": ["24", "weeks"]}`:                                  false,
		`{"kind": "contains", "value": "sorry", "not": true}`:                             true,
		`{"kind": "contains-any", "value": ["weeks", "days"]}`:                            true,
		`{"kind": "contains-any", "value": ["weeks", "months"]}`:                          false,
		`{"kind": "equals", "value": "You have 24 days of Leave."}`:                       false,
		`{"kind": "equals", "value": "You have 24 days of Leave.", "trim": true}`:         true,
		`{"kind": "equals", "value": "YOU HAVE 24 days of leave. ", "ignore_case": true}`: true,
		`{"kind": "starts-with", "value": "You"}`:                                         true,
		`{"kind": "starts-with", "value": "you"}`:                                         false,
		`{"kind": "regex", "value": "\\d+ days"}`:                                         true,
		`{"kind": "regex", "value": "leave\\.$", "trim": true}`:                           false,
		`{"kind": "regex", "value": "leave\\.$", "trim": true, "ignore_case": true}`:      true,
		`{"kind": "is-json"}`:                                                                                                    false,
		`{"kind": "contains-json", "not": true}`:                                                                                 true,
		`{"kind": "levenshtein", "value": "You have 25 days of Leave"}`:                                                          true,  // 3 edits, 5 by default
		`{"kind": "levenshtein", "value": "You have 25 days of Leave", "threshold": 2}`:                                          false, // the digit, the dot and the space
		`{"kind": "levenshtein", "value": "You have 25 days of Leave", "threshold": 3}`:                                          true,
		`{"kind": "latency", "threshold": 2}`:                                                                                    true,
		`{"kind": "latency", "threshold": 1}`:                                                                                    false,
		`{"kind": "set", "checks": [{"kind": "contains", "value": "You"}, {"kind": "is-json"}]}`:                                 false,
		`{"kind": "set", "threshold": 0.5, "checks": [{"kind": "contains", "value": "You"}, {"kind": "is-json"}]}`:               true,
		`{"kind": "set", "threshold": 0.7, "checks": [{"kind": "contains", "value": "You", "weight": 2}, {"kind": "is-json"}]}`:  false, // 2 of 3
		`{"kind": "set", "threshold": 0.66, "checks": [{"kind": "contains", "value": "You", "weight": 2}, {"kind": "is-json"}]}`: true,
		`{"kind": "set", "checks": [{"kind": "contains", "value": "You"}, {"kind": "is-json", "weight": 0}]}`:                    true,
	} {
		c := parse(t, check)
		if err := checks.Valid(c); err != nil {
			t.Errorf("%s: %v", check, err)
			continue
		}
		r := run(t, c, &assay.Response{Answer: answer, Latency: 1500 * time.Millisecond})
		if r.Passed != want || (r.Why == "") != want {
			t.Errorf("%s: passed %v (%s), want %v", check, r.Passed, r.Why, want)
		}
	}
}

func TestRunJSON(t *testing.T) {
	t.Parallel()
	const schema = `"value": {"type": "object", "required": ["floor"], "properties": {"floor": {"type": "integer"}}}`
	for _, c := range []struct {
		check, answer string
		want          bool
	}{
		{`{"kind": "is-json"}`, `[1]`, true},
		{`{"kind": "is-json"}`, `[1] and more`, false},
		{`{"kind": "is-json", ` + schema + `}`, `{"floor": 3}`, true},
		{`{"kind": "is-json", ` + schema + `}`, `{"floor": "3"}`, false},
		{`{"kind": "contains-json"}`, `It is {"a": 1}.`, true},
		{`{"kind": "contains-json"}`, `It is {a}.`, false},
		{`{"kind": "contains-json", ` + schema + `}`, `{x {"a": {"floor": 1}} {"floor": 2}`, true},
		{`{"kind": "contains-json", ` + schema + `}`, `{"a": {"floor": 1}}`, false}, // within the first object
		{`{"kind": "equals", "value": {"a": [1, null], "b": true}}`, ` {"b":true, "a":[1.0,null]}`, true},
		{`{"kind": "equals", "value": {"a": 1}}`, `{"a": 1, "b": 2}`, false},
		{`{"kind": "equals", "value": {"a": 1}, "not": true}`, `no JSON`, true},
	} {
		if r := run(t, parse(t, c.check), &assay.Response{Answer: c.answer}); r.Passed != c.want {
			t.Errorf("%s: %s: passed %v (%s), want %v", c.check, c.answer, r.Passed, r.Why, c.want)
		}
	}
}

func TestInvalid(t *testing.T) {
	t.Parallel()
	for check, want := range map[string]string{
		`{}`:                                                               "kind: missing: expected one of contains, contains-any, equals",
		`{"kind": "contain"}`:                                              `kind: unknown kind "contain", did you mean "contains"?: expected one of`,
		`{"kind": "contains"}`:                                             "value: missing: expected a text that is not empty, or a list of such texts",
		`{"kind": "contains", "value": [""]}`:                              `value: [""]: expected a text that is not empty`,
		`{"kind": "starts-with", "value": 1}`:                              "value: 1: expected a text that is not empty",
		`{"kind": "equals"}`:                                               "value: missing: expected a text, or a JSON value",
		`{"kind": "regex", "value": "("}`:                                  "expected a regular expression in the syntax of RE2",
		`{"kind": "is-json", "value": {"type": "text"}}`:                   `type "text": want one of`,
		`{"kind": "is-json", "value": {"format": "date"}}`:                 `unknown field "format": expected a JSON schema`,
		`{"kind": "is-json", "ignore_case": true}`:                         "ignore_case: a check of the kind is-json compares no text: expected no field",
		`{"kind": "contains", "value": "a", "threshold": 1}`:               "threshold: a check of the kind contains has none: expected no field",
		`{"kind": "latency"}`:                                              "threshold: missing: expected the largest latency in seconds",
		`{"kind": "set", "threshold": 2, "checks": [{"kind": "is-json"}]}`: "threshold: 2: expected the share that must pass, from 0 to 1",
		`{"kind": "set"}`:                                                  "checks: missing: expected a list of checks",
		`{"kind": "contains", "value": "a", "weight": -1}`:                 "weight: -1: expected a number from 0",
		`{"kind": "set", "checks": [{"kind": "is-json"}, {"kind": "set", "checks": [{"kind":""}]}]}`: "checks[1].checks[0].kind: missing",
		`{"kind": "is-json", "checks": [{"kind": "is-json"}]}`:                                       "checks: a check of the kind is-json has no members: expected the kind set",
	} {
		err := checks.Valid(parse(t, check))
		var p *checks.Problem
		if !errors.As(err, &p) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", check, err, want)
		}
	}
	deep := assay.Check{Kind: assay.CheckIsJSON}
	for range 12 {
		deep = assay.Check{Kind: assay.CheckSet, Checks: []assay.Check{deep}}
	}
	if err := checks.Valid(deep); err == nil {
		t.Error("twelve sets within each other are valid")
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	for check, want := range map[string]string{
		`{"kind": "contains", "value": ["a", "b"], "not": true}`: `not contains "a", "b"`,
		`{"kind": "is-json", "value": {}, "name": "office"}`:     `office: is-json by a schema`,
		`{"kind": "levenshtein", "value": "a", "threshold": 2}`:  `levenshtein "a", threshold 2`,
		`{"kind": "equals", "value": {"a": 1}}`:                  `equals {"a":1}`,
		`{"kind": "set", "threshold": 0.5, "checks": [{}, {}]}`:  `set of 2, threshold 0.5`,
	} {
		if got := checks.Describe(parse(t, check)); got != want {
			t.Errorf("%s: %s, want %s", check, got, want)
		}
	}
}

// A check is valid or a problem is told; one that is valid runs on any answer.
func FuzzRun(f *testing.F) {
	f.Add(`{"kind": "contains", "value": "24 days"}`, answer)
	f.Add(`{"kind": "contains-json", "value": {"type": "object"}}`, `{ {"a": 1}`)
	f.Add(`{"kind": "set", "threshold": 0.5, "checks": [{"kind": "regex", "value": "a", "not": true}]}`, "a")
	f.Add(`{"kind": "is-json", "value": {"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}}}}`, "1")
	f.Fuzz(func(t *testing.T, check, said string) {
		var c assay.Check
		if json.Unmarshal([]byte(check), &c) != nil || checks.Valid(c) != nil {
			return
		}
		r := run(t, c, &assay.Response{Answer: said})
		if r.Score < 0 || r.Score > 1+1e-9 || r.Passed != (r.Why == "") {
			t.Errorf("%s: %+v", check, r)
		}
		checks.Describe(c)
	})
}
