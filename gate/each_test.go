package gate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// TestRulesOnCases: a rule on single cases sees the case that a mean hides, leaves out
// cases that its metric does not apply to, and stays open where a score is not known.
func TestRulesOnCases(t *testing.T) {
	t.Parallel()
	na := assay.None("no label")
	for _, test := range []struct {
		rule    string
		m       assay.MetricInfo
		scores  []any
		verdict gate.Verdict
		reason  string
		cases   []string
		broken  []string
	}{
		{"recall.min >= 0.8", ratio("recall"), []any{1, 0.8, 0.9}, gate.Pass, "", nil, nil},
		{"recall.min >= 0.8", ratio("recall"), []any{1, 0.5, 0}, gate.Fail, "2 of 3 cases missed 0.8", []string{"q3 (0)", "q2 (0.5)"},
			[]string{"q3", "q2"}},
		{"below(recall, 0.8) <= 0", ratio("recall"), []any{1, 0.5, 0}, gate.Fail, "2 of 3 cases missed 0.8", []string{"q3 (0)", "q2 (0.5)"},
			[]string{"q3", "q2"}},
		{"below(recall, 0.8) <= 2", ratio("recall"), []any{1, 0.5, 0}, gate.Pass, "", []string{"q3 (0)", "q2 (0.5)"}, nil},
		{"below(recall, 0.8) <= 50%", ratio("recall"), []any{1, 0.5, 0}, gate.Fail, "2 of 3", []string{"q3 (0)", "q2 (0.5)"}, nil},
		{"recall.min >= 0.8", ratio("recall"), []any{1, na}, gate.Pass, "", nil, nil},
		{"recall.min >= 0.8", ratio("recall"), []any{na, na}, gate.Fail, "measured on no case", nil, nil},
		{"recall.min >= 0.8", ratio("recall"), []any{1, unread}, gate.Inconclusive, "1 of 2 cases could not be scored", nil, nil},
		{"below(recall, 0.8) <= 0", ratio("recall"), []any{1, unread}, gate.Inconclusive, "1 of 2 cases could not be scored", nil, nil},
		{"recall.min >= 0.8", ratio("recall"), []any{0.1, unread}, gate.Fail, "1 of 2 cases missed 0.8", []string{"q1 (0.1)"}, []string{"q1"}},
		{"below(recall, 0.8) <= 1", ratio("recall"), []any{1, unread}, gate.Pass, "", nil, nil},
		{"recall.min >= 0.8", ratio("recall"), []any{1, failed}, gate.Fail, "1 of 2 cases missed 0.8", []string{"q2 (0)"}, []string{"q2"}},
		{"wer.max <= 0.2", less("wer"), []any{0.1, 0.3}, gate.Fail, "1 of 2 cases missed 0.2", []string{"q2 (0.3)"}, []string{"q2"}},
		{"above(wer, 0.2) <= 0", less("wer"), []any{0.1, 0.2}, gate.Pass, "", nil, nil},
		{"above(wer, 0.2) <= 0", less("wer"), []any{0.1, 0.3}, gate.Fail, "1 of 2 cases missed 0.2", []string{"q2 (0.3)"}, []string{"q2"}},
	} {
		rule, err := gate.ParseRule(test.rule)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := gate.ParseRule(rule.String()); err != nil || again.String() != rule.String() {
			t.Errorf("%s: read again as %s, %v", rule, again, err)
		}
		p := gate.Policy{Rules: []gate.Rule{rule}}
		if err := p.Check([]assay.MetricInfo{test.m}); err != nil {
			t.Errorf("%s: %v", rule, err)
		}
		o, _ := p.Judge(one(test.m, test.scores...).run())
		r := o.Results[0]
		if r.Verdict != test.verdict || !strings.Contains(because(r), test.reason) || !slices.Equal(r.Cases, test.cases) ||
			!slices.Equal(r.Broken, test.broken) {
			t.Errorf("%s on %v: %+v because %q", rule, test.scores, r, because(r))
		}
		if some := r.N > 0 && r.N < len(test.scores); some != strings.Contains(strings.Join(
			words.Findings(words.English, o.Warnings), ""), "looks at") {
			t.Errorf("%s on %v: warnings %q", rule, test.scores, words.Findings(words.English, o.Warnings))
		}
	}
}

func TestRulesOnCasesErrors(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]string{
		"below(recall@10) <= 0":               `column 16: ")": expected a "," and a value`,
		"below(recall@10, 0.8 <= 0":           `column 22: "<": expected ")"`,
		"below(recall@10, x) <= 0":            `column 18: "x)": expected a number`,
		"below(errors, 0.8) <= 0":             `column 7: "errors": expected the name of a metric`,
		"below(recall@10, 0.8) <= 0.5":        `column 26: "0.5": expected a whole number of cases, or a share, such as "50%"`,
		"below(recall@10, 0.8) <= -1":         `column 26: "-1": expected a number of cases`,
		"below(recall@10, 0.8) <= 101%":       `expected a share from "0%" to "100%"`,
		"recall@10.least >= 0.8":              `column 10: ".least": expected ".lower", ".upper", ".min" or ".max"`,
		"recall@10.min vs baseline >= 0":      `column 15: "vs baseline": expected nothing here`,
		"below(recall, 0.8) vs baseline <= 0": `expected nothing here`,
		"errors.min <= 1%":                    `only a metric has`,
	} {
		if _, err := gate.ParseRule(rule); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", rule, err, want)
		}
	}
	rule, err := gate.ParseRule("below(recall, 8) <= 0")
	if err != nil {
		t.Fatal(err)
	}
	if err := (gate.Policy{Rules: []gate.Rule{rule}}).Check([]assay.MetricInfo{ratio("recall")}); err == nil ||
		!strings.Contains(err.Error(), "expected a number from 0 to 1") {
		t.Errorf("a value out of range: %v", err)
	}
}

// TestUncheckedNeverPasses: no kind of requirement lets a run pass whose critical case is
// unchecked or not asked.
func TestUncheckedNeverPasses(t *testing.T) {
	t.Parallel()
	plain := ratio("f1")
	rule := func(text string) gate.Policy {
		r, err := gate.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		return gate.Policy{Rules: []gate.Rule{r}}
	}
	base := gate.Policy{Baseline: baseline(t, one(plain, 1, 1))}
	statistical := base
	statistical.Statistical = true
	for name, p := range map[string]gate.Policy{
		"threshold": {}, "all critical": {AllCritical: true}, "mean": rule("f1 >= 0"), "bound": rule("f1.lower >= 0"),
		"single cases": rule("below(f1, 0.5) <= 1"), "errors": rule("errors <= 100%"), "baseline": base, "statistical": statistical,
	} {
		for _, asked := range []bool{true, false} {
			m := plain
			if limit := 0.0; name == "threshold" {
				m.Threshold = &limit
			}
			run := one(m, 1, 1)
			run.Records[0].Case.Critical, run.Records[0].Response.Answer = true, "24"
			run.Records[0].Case.Want.Answers, run.Records[0].Answer = []string{"24"}, assay.AnswerUnknown
			if !asked {
				run.Records = run.Records[1:]
			}
			run = of([]assay.MetricInfo{m}, run.Records)
			run.Header.Dataset.Cases, run.Header.Dataset.Critical = 2, 1
			r := run.run()
			if p.AllCritical {
				r.Cases = r.Cases.AllCritical()
			}
			if o, ok := p.Judge(r); !ok || o.Passed(false) || o.Passed(true) {
				t.Errorf("%s, asked %v: %s, passes %v", name, asked, o.Verdict, o.Passed(false))
			}
		}
	}
}

// TestCriticalCases: an unchecked critical case leaves the gate open, a wrong answer
// closes it, a mean does not matter, and a rule on every case can only fail a case.
func TestCriticalCases(t *testing.T) {
	t.Parallel()
	m := ratio("f1")
	limit := 0.9
	m.Threshold = &limit
	for _, test := range []struct {
		name    string
		answer  assay.Correctness
		score   any
		rule    string
		verdict gate.Verdict
		state   summary.CheckState
	}{
		{"right", assay.AnswerRight, 0.95, "", gate.Pass, summary.CheckPassed},
		{"wrong", assay.AnswerWrong, 1, "", gate.Fail, summary.CheckFailed},
		{"unchecked", assay.AnswerUnknown, 1, "", gate.Inconclusive, summary.Unchecked},
		{"right, but the mean is missed", assay.AnswerRight, 0.5, "", gate.Fail, summary.CheckPassed},
		{"right, but breaks a rule", assay.AnswerRight, 0.95, "f1.min >= 0.99", gate.Fail, summary.CheckFailed},
		{"unknown, but meets a rule", assay.AnswerUnknown, 1, "below(f1, 0.99) <= 0", gate.Inconclusive, summary.Unchecked},
		{"unknown, a rule that allows one", assay.AnswerUnknown, 1, "below(f1, 0.99) <= 1", gate.Inconclusive, summary.Unchecked},
		{"unknown, a rule on the mean", assay.AnswerUnknown, 1, "f1 >= 0.99", gate.Inconclusive, summary.Unchecked},
	} {
		run := one(m, test.score)
		run.Records[0].Case.Critical, run.Records[0].Answer = true, test.answer
		run.Records[0].Case.Want.Answers = []string{"x"}
		p := gate.Policy{}
		if test.rule != "" {
			rule, err := gate.ParseRule(test.rule)
			if err != nil {
				t.Fatal(err)
			}
			p.Rules = []gate.Rule{rule}
		}
		o, ok := p.Judge(run.run())
		if check := o.Checks()(run.Records[0]); !ok || o.Verdict != test.verdict || check.State != test.state {
			t.Errorf("%s: %s and %+v, want %s and %s", test.name, o.Verdict, check, test.verdict, test.state)
		}
		if test.verdict == gate.Inconclusive && o.Passed(false) {
			t.Errorf("%s: the gate lets it pass", test.name)
		}
		so := run.run()
		so.Header.State = "interrupted"
		o, _ = p.Judge(so)
		if check := o.Checks()(run.Records[0]); check.State != test.state || o.Verdict == gate.Pass && p.Rules != nil {
			t.Errorf("%s, in a run that is not finished: %s and %+v, want %s", test.name, o.Verdict, check, test.state)
		}
	}
}
