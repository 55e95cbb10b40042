package report_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/report"
)

type testsFile struct {
	Schema, Run string
	Suites      []struct {
		Name  string
		Tests []fileTest
	}
}

type fileTest struct {
	Name, Case, Outcome, Reason, Detail, Told string
	Seconds                                   float64
}

// The file of tests has the tests of the JUnit file, with the same outcomes and reasons.
func TestTestsAreThoseOfJUnit(t *testing.T) {
	t.Parallel()
	for _, o := range []report.Options{{}, {Strict: true}, {Language: "zh-Hant"}} {
		var f testsFile
		if err := json.Unmarshal([]byte(render(t, lookup(t, "tests"), gated(t), o)), &f); err != nil {
			t.Fatal(err)
		}
		if f.Schema != report.TestsSchema || f.Run != gated(t).Header.ID {
			t.Errorf("schema %q of run %q", f.Schema, f.Run)
		}
		same := readJUnit(t, gated(t), o)
		if len(f.Suites) != len(same.Suites) {
			t.Fatalf("%d suites, JUnit has %d", len(f.Suites), len(same.Suites))
		}
		for i, s := range f.Suites {
			if s.Name != same.Suites[i].Name || len(s.Tests) != len(same.Suites[i].Cases) {
				t.Fatalf("suite %q has %d tests, JUnit's %q has %d", s.Name, len(s.Tests), same.Suites[i].Name, len(same.Suites[i].Cases))
			}
			for k, test := range s.Tests {
				want := same.Suites[i].Cases[k]
				outcome, _, _ := strings.Cut(want.word(), ":")
				if test.Name != want.Name || test.Outcome != outcome || !strings.HasSuffix(want.word(), test.Reason) {
					t.Errorf("test %+v, in JUnit %s: %s", test, want.Name, want.word())
				}
				if test.Case != "" && !strings.HasPrefix(test.Name, test.Case+": ") || (test.Case == "") != (s.Name == "gate") {
					t.Errorf("suite %q: test %q of case %q", s.Name, test.Name, test.Case)
				}
			}
		}
		failed := slices.IndexFunc(f.Suites[0].Tests, func(x fileTest) bool { return x.Case == "tc_008" })
		if got := f.Suites[0].Tests[failed]; got.Seconds != 30.256 || got.Detail == "" {
			t.Errorf("tc_008: %+v", got)
		}
	}
}
