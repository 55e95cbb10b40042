package cli_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

// TestFiveCallsACase counts what the five judged metrics cost: with ten
// passages and one pass, of which one at most supports a claim, at most five calls a case, by
// the provider's own log.
// The same run again costs nothing, and a run with more metrics only what the
// first did not ask.
func TestFiveCallsACase(t *testing.T) {
	t.Parallel()
	const cases = 10
	dir := t.TempDir()
	writeRecorded(t, dir, cases)
	script := "simulate: true\nlog: calls.jsonl\n"
	rep, err := judged(t.Context(), t, dir, script, nil)
	if err != nil {
		t.Fatal(err)
	}
	calls := logOf(t, filepath.Join(dir, "calls.jsonl"))
	byOperation := map[string]int{}
	for _, c := range calls {
		byOperation[c.Operation]++
	}
	t.Logf("%d calls for %d cases: %v", len(calls), cases, byOperation)
	if n := replied(calls); n > 5*cases || n != len(calls) {
		t.Errorf("%d replies to %d calls for %d cases, want at most 5 a case", n, len(calls), cases)
	}
	for rec := range rep.Records() {
		for name, s := range rec.Scores {
			if s.State != assay.Scored && s.State != assay.Abstained && s.State != assay.NotApplicable {
				t.Errorf("case %s: %s: %+v", rec.Case.ID, name, s)
			}
		}
		if rec.Judging == nil || rec.Judging.Calls > 5 || rec.Judging.Cached != 0 || rec.Judging.Failed != 0 {
			t.Errorf("case %s: judging %+v, want at most 5 calls", rec.Case.ID, rec.Judging)
		}
	}
	if got := spent(held(rep)); got.Calls != len(calls) || rep.Header.Spending == nil || rep.Header.Spending.Calls != len(calls) {
		t.Errorf("the records count %d calls and the run %+v, the provider %d", got.Calls, rep.Header.Spending, len(calls))
	}
	printedCalls(t, rep, len(calls))

	again, err := judged(t.Context(), t, dir, script, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(logOf(t, filepath.Join(dir, "calls.jsonl"))); n != len(calls) {
		t.Errorf("the same run again made %d calls, want none", n-len(calls))
	}
	if got := spent(held(again)); got.Cached != got.Calls || got.Calls != len(calls) {
		t.Errorf("the same run again says %+v, want %d calls, all of them cached", got, len(calls))
	}
	if _, err := judged(t.Context(), t, dir, script, settings{"metrics": judgedMetrics + ",hallucination,context_relevance"}); err != nil {
		t.Fatal(err)
	}
	more := logOf(t, filepath.Join(dir, "calls.jsonl"))[len(calls):]
	for _, c := range more {
		if c.Operation == "claims" || c.Operation == "questions" {
			t.Errorf("a run with more metrics asked %s again", c.Operation)
		}
	}
	if len(more) == 0 || len(more) > 2*cases {
		t.Errorf("a run with more metrics made %d more calls, want those of the relevance and at most one of support", len(more))
	}
}

// printedCalls looks for the number of calls in the forms of the report that a
// reader sees.
func printedCalls(t *testing.T, rep *report.Report, calls int) {
	t.Helper()
	for name, want := range map[string]string{
		"terminal": fmt.Sprintf("%d calls, %.1f a case", calls, float64(calls)/float64(rep.Cases.Len())),
		"markdown": fmt.Sprintf("%d calls, %.1f a case", calls, float64(calls)/float64(rep.Cases.Len())),
		"json":     fmt.Sprintf(`"calls": %d,`, calls),
	} {
		f, err := report.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := f.Write(&out, rep, report.Options{Width: 200}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("the %s report does not say %q:\n%s", name, want, out.String())
		}
	}
}
