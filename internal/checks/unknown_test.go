package checks_test

import (
	"os"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/checks"
)

// What the target does not report is no zero: no check passes because of it.
func TestNotReported(t *testing.T) {
	t.Parallel()
	nothing := &assay.Response{Answer: "24 days"}
	unpriced := &assay.Response{Answer: "24 days", Usage: assay.Usage{InputTokens: 100, OutputTokens: 20}}
	for _, c := range []struct {
		check    string
		response *assay.Response
		want     string
	}{
		{`{"kind": "latency", "threshold": 2}`, nothing, "skipped"},
		{`{"kind": "latency", "threshold": 0}`, nothing, "skipped"},
		{`{"kind": "latency", "threshold": 2, "not": true}`, nothing, "skipped"},
		{`{"kind": "cost", "threshold": 1}`, nothing, "skipped"},
		{`{"kind": "cost", "threshold": 1}`, unpriced, "skipped"},
		{`{"kind": "cost", "threshold": 1, "not": true}`, unpriced, "skipped"},

		{`{"kind": "expression", "value": "latency < 2"}`, nothing, "none"},
		{`{"kind": "expression", "value": "not (latency >= 2)"}`, nothing, "none"},
		{`{"kind": "expression", "value": "latency + 1 < 2"}`, nothing, "none"},
		{`{"kind": "expression", "value": "cost < 0.01"}`, unpriced, "none"},
		{`{"kind": "expression", "value": "tokens.output < 500"}`, nothing, "none"},
		{`{"kind": "expression", "value": "tokens.input < 500"}`, nothing, "none"},
		{`{"kind": "expression", "value": "tokens.output < 500"}`, unpriced, "passed"},
		{`{"kind": "expression", "value": "tokens.output / 20"}`, unpriced, "passed"},
		{`{"kind": "expression", "value": "all(calls, .latency < 1)"}`, response(""), "none"},
		{`{"kind": "expression", "value": "latency == nil"}`, nothing, "passed"},
		{`{"kind": "expression", "value": "latency == nil"}`, response(""), "failed"},
		{`{"kind": "expression", "value": "(latency ?? 0) < 1"}`, nothing, "passed"},
		{`{"kind": "expression", "value": "(latency ?? 0) < 1"}`, response(""), "failed"},
		{`{"kind": "expression", "value": "latency == 1.5"}`, response(""), "passed"},
		{`{"kind": "expression", "value": "latency", "range": [0, 2], "threshold": 1}`, response(""), "passed"},
		{`{"kind": "expression", "value": "latency", "range": [0, 2], "threshold": 1}`, nothing, "none"},
		{`{"kind": "expression", "value": "max(latency, 1) < 2 and abs(cost) < 1 and round(latency) == 2"}`, response(""), "passed"},
		{`{"kind": "contains", "value": "x", "when": "latency < 2"}`, nothing, "none"},
		{`{"kind": "contains", "value": "24", "when": "latency != nil"}`, nothing, "skipped"},
	} {
		r := run(t, parse(t, c.check), c.response)
		if got := outcome(r); got != c.want {
			t.Errorf("%s: %s (%s%v%s), want %s", c.check, got, r.Why, r.Err, r.Skipped, c.want)
		} else if r.Err != nil {
			t.Log(c.check, r.Err)
		}
	}
}

// A check that reads the answer has no result where the target gives none; others are tested.
func TestWithoutAnswer(t *testing.T) {
	t.Parallel()
	r := response("")
	for _, c := range []struct {
		check, want string
		reads       bool
	}{
		{`{"kind": "contains", "value": "x", "not": true}`, "none", true},
		{`{"kind": "cites"}`, "none", true},
		{`{"kind": "must_not_state", "value": "x"}`, "none", true},
		{`{"kind": "latency", "threshold": 2}`, "passed", false},
		{`{"kind": "latency", "threshold": 2, "when": "answer != \"\""}`, "none", true},
		{`{"kind": "cost", "threshold": 2}`, "passed", false},
		{`{"kind": "expression", "value": "len(passages) > 9"}`, "failed", false},
		{`{"kind": "expression", "value": "metadata.answer == nil"}`, "passed", false},
		{`{"kind": "expression", "value": "any(passages, .text == answer)"}`, "none", true},
		{`{"kind": "set", "checks": [{"kind": "contains", "value": "x"}, {"kind": "is-json"}]}`, "none", true},
		{`{"kind": "set", "checks": [{"kind": "contains", "value": "x"}, {"kind": "latency", "threshold": 2}]}`, "none", false},
		{`{"kind": "set", "checks": [{"kind": "contains", "value": "x"}, {"kind": "latency", "threshold": 1}]}`, "failed", false},
	} {
		k := parse(t, c.check)
		got := checks.Run(t.Context(), k, checks.Subject{Case: &assay.Case{}, Response: r, Unanswered: assay.NoAnswer})
		if outcome(got) != c.want || checks.ReadsAnswer(k) != c.reads {
			t.Errorf("%s: %s (%s%v%s), reads the answer %v; want %s, %v", c.check, outcome(got), got.Why, got.Err, got.Skipped, checks.ReadsAnswer(k),
				c.want, c.reads)
		}
	}
}

// The example of the documentation counts the documents that an answer names.
func TestNamedOfTheDocumentation(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/checks.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "  named: {kind: expression, value: '")
	source, _, found := strings.Cut(rest, "'}")
	if !found {
		t.Fatal("docs/checks.md has no example called named")
	}
	without := response("24 days")
	for i := range without.Passages {
		without.Passages[i].Document = ""
	}
	for _, c := range []struct {
		of   *assay.Response
		want float64
	}{
		{response("24 days, says leave.md."), 0.5}, {response("leave.md and pay.md say so."), 1}, {response("24 days"), 0},
		{without, 0}, {&assay.Response{Answer: "24 days"}, 0},
	} {
		if r := run(t, assay.Check{Kind: assay.CheckExpression, Value: source}, c.of); r.Score != c.want || r.Err != nil {
			t.Errorf("%q of %v: %v (%v), want %v", c.of.Answer, c.of.Passages, r.Score, r.Err, c.want)
		}
	}
}
