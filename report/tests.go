package report

import (
	"cmp"
	"io"
)

var testsFormat = Format{
	Name: "tests", Ext: ".tests.json", Media: "application/json",
	Doc:   "the tests of junit as JSON, for test runners of other languages",
	Write: Tests,
}

// TestsSchema is the version of the JSON format of tests.
const TestsSchema = "assay.tests/1"

type testsJSON struct {
	Schema string          `json:"schema"`
	Run    string          `json:"run"`
	Suites []testSuiteJSON `json:"suites"`
}

type testSuiteJSON struct {
	Name  string     `json:"name"`
	Tests []testJSON `json:"tests"`
}

type testJSON struct {
	Name string `json:"name"`
	// Case is the id of the case; absent for a rule.
	Case string `json:"case,omitempty"`
	// Outcome is "passed", "failure", "error" or "skipped".
	Outcome string  `json:"outcome"`
	Seconds float64 `json:"seconds"`
	// Reason is a sentence, Detail what helps to understand it, and Told the scores or
	// the figures of a test that passed too.
	Reason string `json:"reason,omitempty"`
	Detail string `json:"detail,omitempty"`
	Told   string `json:"told,omitempty"`
}

// Tests writes the tests that [JUnit] writes, as JSON: for programs that report them as
// tests of their own.
func Tests(w io.Writer, r *Report, o Options) error {
	suites, err := newJUnit(r, o).suites()
	if err != nil {
		return err
	}
	d := testsJSON{Schema: TestsSchema, Run: r.Header.ID}
	for _, s := range suites {
		out := testSuiteJSON{Name: s.name, Tests: []testJSON{}}
		for _, t := range s.tests {
			out.Tests = append(out.Tests, testJSON{
				Name: t.name, Case: t.of, Outcome: cmp.Or(t.kind, "passed"), Seconds: t.took.Seconds(), Reason: line(t.reason), Detail: t.detail, Told: t.told,
			})
		}
		d.Suites = append(d.Suites, out)
	}
	return encode(w, d)
}
