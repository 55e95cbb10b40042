package report

import "io"

var testsFormat = Format{
	Name: "tests", Ext: ".tests.json", Media: "application/json",
	Doc:   "the tests of junit as JSON, for test runners of other languages",
	Write: Tests,
}

// TestsSchema is the version of the JSON format of tests.
const TestsSchema = "assay.tests/1"

type testsJSON struct {
	Schema string       `json:"schema"`
	Run    string       `json:"run"`
	Suites []junitSuite `json:"suites"`
}

// Tests writes the tests that [JUnit] writes, as JSON: for programs that report them as
// tests of their own.
func Tests(w io.Writer, r *Report, o Options) error {
	suites, err := newJUnit(r, o).suites()
	if err != nil {
		return err
	}
	for _, s := range suites {
		for i := range s.Tests {
			t := &s.Tests[i]
			t.Seconds, t.Reason = t.took.Seconds(), line(t.Reason)
		}
	}
	return encode(w, testsJSON{TestsSchema, r.Header.ID, suites})
}
