package checks_test

import (
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/checks"
)

// roleVariable makes the test binary a program that a check starts.
const roleVariable = "ASSAY_TEST_CHECK_ROLE"

func TestMain(m *testing.M) {
	// The role is an argument, because a check gives a program no variables of its own.
	if len(os.Args) == 3 && os.Args[1] == roleVariable {
		var in struct{ Question, Answer string }
		if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
			os.Exit(4)
		}
		switch os.Args[2] {
		case "passes":
			os.Stdout.WriteString(`{"passed": ` + map[bool]string{true: "true", false: "false"}[in.Answer == "yes"] + `, "why": "it says ` + in.Answer + `"}`)
		case "scores":
			os.Stdout.WriteString(`{"score": 0.25}`)
		case "decides":
			os.Stdout.WriteString(`{"passed": ` + in.Answer + `, "score": ` + in.Question + `}`)
		case "talks":
			os.Stdout.WriteString("hello")
		case "crashes":
			os.Stderr.WriteString("no luck")
			os.Exit(3)
		case "sleeps":
			time.Sleep(time.Hour)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// response is what the checks of the tables below are tested on.
func response(answer string) *assay.Response {
	return &assay.Response{
		Answer: answer, Latency: 1500 * time.Millisecond, Usage: assay.Usage{InputTokens: 100, OutputTokens: 20, Cost: 1500},
		Passages: []assay.Passage{{ID: "p1", Document: "leave.md", Text: "24 days"}, {ID: "p2", Document: "pay.md", Text: "per year"}},
		Trace:    &assay.Trace{Stages: []assay.Stage{{Name: "retrieve"}, {Name: "generate"}}},
	}
}

// outcome is a word for a result.
func outcome(r checks.Result) string {
	switch {
	case r.Skipped != "":
		return "skipped"
	case r.Err != nil:
		return "none"
	case r.Passed:
		return "passed"
	}
	return "failed"
}

// Verdicts that were worked out by hand.
func TestKinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ check, answer, want string }{
		{`{"kind": "numbers", "value": 24}`, "You have 24 days.", "passed"},
		{`{"kind": "numbers", "value": 24}`, "You have 25 days.", "failed"},
		{`{"kind": "numbers", "value": 0.85}`, "It is .85.", "passed"},
		{`{"kind": "numbers", "value": 85}`, "It is .85.", "failed"},
		{`{"kind": "numbers", "value": 24, "threshold": 1}`, "You have 25 days.", "passed"},
		{`{"kind": "numbers", "value": 24, "threshold": 0.9}`, "You have 25 days.", "failed"},
		{`{"kind": "numbers", "value": 1000, "relative": 0.05}`, "about 1,050 people", "passed"},
		{`{"kind": "numbers", "value": 1000, "relative": 0.05}`, "about 1,051 people", "failed"},
		{`{"kind": "numbers", "value": 1200000}`, "1.2 million", "passed"},
		{`{"kind": "numbers", "value": 0.3, "threshold": 0.1}`, "0.4", "passed"}, // as decimals, not as binary fractions
		{`{"kind": "numbers", "value": "3.09 %"}`, "It rose by 3.09 percent.", "passed"},
		{`{"kind": "numbers", "value": 3.09}`, "It rose by 3.09 percent.", "failed"},
		{`{"kind": "numbers", "value": "3 %", "threshold": 0.1}`, "It rose by 3.09 percent.", "passed"},
		{`{"kind": "numbers", "value": [24, "2024-06-25"]}`, "24 days from 25 June 2024", "passed"},
		{`{"kind": "numbers", "value": [24, 30]}`, "24 days", "failed"},
		{`{"kind": "numbers", "value": 13, "not": true}`, "24 days", "passed"},
		{`{"kind": "numbers", "value": "二十三"}`, "23 天", "passed"},
		{`{"kind": "numbers", "value": 3}`, "You have three days.", "passed"},
		{`{"kind": "numbers", "value": "three"}`, "You have 3 days.", "passed"},
		{`{"kind": "numbers", "value": 21}`, "Twenty-one days.", "passed"},
		{`{"kind": "numbers", "value": 3}`, "You have four days.", "failed"},
		{`{"kind": "numbers", "value": 1}`, "You need one of them.", "failed"},
		{`{"kind": "numbers", "value": 1}`, "You need 1 of them.", "passed"},
		{`{"kind": "numbers", "value": 2}`, "1. apples\n2. three pears", "failed"},
		{`{"kind": "numbers", "value": 2500000}`, "It costs $2.5 million.", "passed"},
		{`{"kind": "numbers", "value": 1000000}`, "It costs $2.5 million.", "failed"},
		{`{"kind": "numbers", "value": "5 %"}`, "five percent", "passed"},
		{`{"kind": "numbers", "value": 2.5}`, "It weighs 2,5 kg.", "passed"},
		{`{"kind": "numbers", "value": "2,5"}`, "It weighs 2.5 kg.", "passed"},
		{`{"kind": "numbers", "value": 5}`, "It weighs 2,5 kg.", "failed"},
		{`{"kind": "numbers", "value": 2.5}`, "rooms 2,5,7", "failed"},
		{`{"kind": "numbers", "value": 1250}`, "1,250 people", "passed"},

		{`{"kind": "cites"}`, "It is so [1].", "passed"},
		{`{"kind": "cites"}`, "It is so.", "failed"},
		{`{"kind": "cites"}`, "It is so [1][3].", "failed"},
		{`{"kind": "cites", "value": 2}`, "It is so [1].", "failed"},
		{`{"kind": "cites", "value": [1, 2]}`, "It is so [1-2].", "passed"},
		{`{"kind": "cites", "value": "pay.md"}`, "It is so [2].", "passed"},
		{`{"kind": "cites", "value": "pay.md"}`, "It is so [1].", "failed"},
		{`{"kind": "cites", "threshold": 1}`, "It is so [1]. It is old.", "failed"},
		{`{"kind": "cites", "threshold": 0.5}`, "It is so [1]. It is old.", "passed"},

		{`{"kind": "length", "max": 3}`, "one two three", "passed"},
		{`{"kind": "length", "max": 3}`, "one two three four", "failed"},
		{`{"kind": "length", "min": 4, "max": 5}`, "one two three", "failed"},
		{`{"kind": "length", "of": "characters", "max": 4}`, "四個字也", "passed"},
		{`{"kind": "length", "of": "characters", "max": 4}`, " abc ", "failed"},
		{`{"kind": "length", "of": "characters", "max": 4, "trim": true}`, " abc ", "passed"},
		{`{"kind": "length", "of": "sentences", "min": 2}`, "One. Two.", "passed"},
		{`{"kind": "length", "min": 1}`, "", "failed"},

		{`{"kind": "language", "value": "en"}`, "The tower was built by the company.", "passed"},
		{`{"kind": "language", "value": "en"}`, "La tour a été construite par une société.", "failed"},
		{`{"kind": "language", "value": "latin"}`, "La tour a été construite par une société.", "passed"},
		{`{"kind": "language", "value": "zh"}`, "這座塔是甚麼時候建成的？", "passed"},
		{`{"kind": "language", "value": "zh"}`, "このタワーはいつ建てられましたか。", "failed"},
		{`{"kind": "language", "value": ["ja", "ko"]}`, "このタワーはいつ建てられましたか。", "passed"},
		{`{"kind": "language", "value": "ko"}`, "이 탑은 언제 지어졌습니까?", "passed"},
		{`{"kind": "language", "value": "cyrillic"}`, "Башня была построена давно.", "passed"},
		{`{"kind": "language", "value": "en"}`, "Paris", "skipped"},
		{`{"kind": "language", "value": "en"}`, "42", "skipped"},

		{`{"kind": "latency", "threshold": 1.5}`, "", "passed"},
		{`{"kind": "cost", "threshold": 0.0015}`, "", "passed"},
		{`{"kind": "cost", "threshold": 0.0014}`, "", "failed"},

		{`{"kind": "expression", "value": "len(answer) < 4"}`, "abc", "passed"},
		{`{"kind": "expression", "value": "len(answer) < 4"}`, "abcd", "failed"},
		{`{"kind": "expression", "value": "len(answer) < 4", "not": true}`, "abcd", "passed"},
		{`{"kind": "expression", "value": "any(passages, .text contains answer)"}`, "24 days", "passed"},
		{`{"kind": "expression", "value": "answer in references"}`, "24 days", "passed"},
		{`{"kind": "expression", "value": "latency < 2 and cost <= 0.002 and tokens.output == 20"}`, "", "passed"},
		{`{"kind": "expression", "value": "metadata.level == \"easy\""}`, "", "passed"},
		{`{"kind": "expression", "value": "latency < 2 AND Not (cost > 1) OR false"}`, "", "passed"},
		{`{"kind": "expression", "value": "\"OR\" == 'O' + 'R' AND metadata.AND == nil"}`, "", "passed"},
		{`{"kind": "expression", "value": "metadata.level"}`, "", "none"},
		{`{"kind": "expression", "value": "calls[-1].name == \"generate\" and \"hr\" in tags"}`, "", "passed"},
		{`{"kind": "expression", "value": "passages[7].text == \"\""}`, "", "none"},
		{`{"kind": "expression", "value": "len(answer) / 4"}`, "abcd", "passed"},
		{`{"kind": "expression", "value": "len(answer) / 4"}`, "abc", "failed"},
		{`{"kind": "expression", "value": "len(answer) / 4", "threshold": 0.75}`, "abc", "passed"},
		{`{"kind": "expression", "value": "len(answer)", "range": [0, 5], "better": "lower", "threshold": 3}`, "abc", "passed"},
		{`{"kind": "expression", "value": "len(answer)", "range": [0, 5], "better": "lower"}`, "abc", "failed"},
		{`{"kind": "expression", "value": "len(answer)"}`, "abc", "none"}, // out of 0…1

		{`{"kind": "contains", "value": "x", "when": "\"hr\" in tags"}`, "", "failed"},
		{`{"kind": "contains", "value": "x", "when": "\"it\" in tags"}`, "", "skipped"},
		{`{"kind": "contains", "value": "x", "when": "metadata.level"}`, "", "none"},

		{`{"kind": "must_state", "value": "It is 24 days."}`, "24 days", "none"},
		{`{"kind": "set", "checks": [{"kind": "contains", "value": "24"}, {"kind": "must_state", "value": "a"}]}`, "24", "none"},
		{`{"kind": "set", "checks": [{"kind": "contains", "value": "25"}, {"kind": "must_state", "value": "a"}]}`, "24", "failed"},
		{`{"kind": "set", "threshold": 0.5, "checks": [{"kind": "contains", "value": "24"}, {"kind": "must_state", "value": "a"}]}`, "24", "passed"},
		{`{"kind": "set", "threshold": 0.6, "checks": [{"kind": "contains", "value": "25"}, {"kind": "must_state", "value": "a"}]}`, "24", "failed"},
		{`{"kind": "set", "checks": [{"kind": "contains", "value": "24"}, {"kind": "contains", "value": "x", "when": "false"}]}`, "24", "passed"},
		{`{"kind": "set", "checks": [{"kind": "contains", "value": "x", "when": "false"}]}`, "24", "skipped"},
	} {
		k := parse(t, c.check)
		if err := checks.Valid(k); err != nil {
			t.Errorf("%s: %v", c.check, err)
			continue
		}
		r := checks.Run(t.Context(), k, checks.Subject{
			Case: &assay.Case{ID: "q1", Question: "How many?", Tags: []string{"hr"}, Metadata: map[string]any{"level": "easy"},
				Want: assay.Want{Answers: []string{"24 days"}}}, Response: response(c.answer),
		})
		if got := outcome(r); got != c.want {
			t.Errorf("%s: %q %s (%s%v%s), want %s", c.check, c.answer, got, r.Why, r.Err, r.Skipped, c.want)
		}
	}
	without := &assay.Response{Answer: "It is so [1]."}
	for _, check := range []string{`{"kind": "cites"}`, `{"kind": "cost", "threshold": 1}`} {
		if got := outcome(run(t, parse(t, check), without)); got != "skipped" {
			t.Errorf("%s of a target that does not report it: %s, want skipped", check, got)
		}
	}
}

func TestKindsInvalid(t *testing.T) {
	t.Parallel()
	for check, want := range map[string]string{
		`{"kind": "numbers", "value": "none"}`:                                                 `value: "none": expected a number, a text with numbers`,
		`{"kind": "numbers", "value": 1, "relative": -1}`:                                      "relative: -1: expected a number from 0",
		`{"kind": "contains", "value": "a", "relative": 1}`:                                    "relative: a check of the kind contains has none: expected no field",
		`{"kind": "cites", "value": 0}`:                                                        "value: 0: expected the number of a passage from 1",
		`{"kind": "cites", "threshold": 2}`:                                                    "threshold: 2: expected the share of the sentences",
		`{"kind": "length"}`:                                                                   "max: missing: expected min, max or both",
		`{"kind": "length", "min": 3, "max": 2}`:                                               "min: 3, more than max, which is 2",
		`{"kind": "length", "max": 2, "of": "letters"}`:                                        `of: "letters": expected characters, words or sentences`,
		`{"kind": "language", "value": "fr"}`:                                                  `value: "fr": expected one of en, zh, ja, ko, latin`,
		`{"kind": "cost"}`:                                                                     "threshold: missing: expected the largest cost in US dollars",
		`{"kind": "expression", "value": "len(anwser) < 4"}`:                                   "value: line 1, column 5: unknown name anwser",
		`{"kind": "expression", "value": "len(answer) <"}`:                                     "value: line 1, column 13: unexpected token",
		`{"kind": "expression", "value": "answer < 4"}`:                                        "value: line 1, column 8: invalid operation: < (mismatched types string and int)",
		`{"kind": "expression", "value": "answer"}`:                                            "value: it gives string: expected an expression that gives true, false or a number",
		`{"kind": "expression", "value": "let a = answer; a == a"}`:                            "value: let is not available",
		`{"kind": "expression", "value": "len(1..9) > 1"}`:                                     "value: ranges of numbers are not available",
		`{"kind": "expression", "value": "len(repeat(answer, 9)) > 1"}`:                        "value: line 1, column 5: unknown name repeat",
		`{"kind": "expression", "value": "len(uniq(tags)) > 1"}`:                               "value: line 1, column 5: unknown name uniq",
		`{"kind": "expression", "value": "$env.answer == answer"}`:                             "value: $env is not available",
		`{"kind": "expression", "value": "trim(answer, question) == answer"}`:                  "value: the characters that trim removes must be written",
		`{"kind": "expression", "value": "answer matches \"(\""}`:                              "value: line 1, column 8: error parsing regexp",
		`{"kind": "expression", "value": "any(tags, # < 4)"}`:                                  "value: line 1, column 13: invalid operation: < (mismatched types string and int)",
		`{"kind": "expression", "value": "answer == \"` + strings.Repeat("a", 10_000) + `\""}`: "value: 10012 bytes, more than 10000: expected",
		`{"kind": "expression", "value": "1", "range": [1]}`:                                   "range: [1]: expected the smallest and the largest score",
		`{"kind": "expression", "value": "1", "threshold": 2}`:                                 "threshold: 2: expected a score from 0 to 1",
		`{"kind": "expression", "value": "1", "better": "more"}`:                               `better: "more": expected higher or lower`,
		`{"kind": "contains", "value": "a", "when": "1"}`:                                      "when: it gives int: expected a condition",
		`{"kind": "must_state"}`:                                                               "value: missing: expected a text that is not empty",
		`{"kind": "exec", "value": "true"}`:                                                    "kind: a case cannot start a program: expected the check in the configuration",
		`{"kind": "set", "checks": [{"kind": "exec", "value": "true"}]}`:                       "checks[0].kind: a case cannot start a program",
	} {
		err := checks.Valid(parse(t, check))
		var p *checks.Problem
		if !errors.As(err, &p) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", check, err, want)
		}
	}
}

func TestExec(t *testing.T) {
	t.Parallel()
	hour, blink := 3600.0, 0.05
	for _, c := range []struct {
		role, answer, want, says string
		timeout                  *float64
	}{
		{"passes", "yes", "passed", "", &hour},
		{"passes", "no", "failed", "it says no", &hour},
		{"scores", "", "failed", "the score is 0.25, below 1", &hour},
		{"talks", "", "none", `its reply "hello" is not JSON`, &hour},
		{"crashes", "", "none", "exit status 3; stderr: no luck", &hour},
		{"sleeps", "", "none", "took longer than 0.05 s", &blink},
	} {
		k := assay.Check{Kind: assay.CheckExec, Value: []string{os.Args[0], roleVariable, c.role}, Timeout: c.timeout}
		if err := checks.ValidSetting(k); err != nil {
			t.Fatal(err)
		}
		r := run(t, k, response(c.answer))
		said := r.Why
		if r.Err != nil {
			said = r.Err.Error()
		}
		if got := outcome(r); got != c.want || !strings.Contains(said, c.says) {
			t.Errorf("a program that %s: %s (%s), want %s (%s)", c.role, got, said, c.want, c.says)
		}
	}
	for _, c := range []struct{ better, passed, score, want, says string }{
		{"", "false", "1", "failed", "the program says so"},
		{"", "true", "0", "passed", ""},
		{"lower", "false", "0", "failed", "the program says so"},
	} {
		k := assay.Check{Kind: assay.CheckExec, Value: []string{os.Args[0], roleVariable, "decides"}, Timeout: &hour, Better: c.better}
		r := checks.Run(t.Context(), k, checks.Subject{Case: &assay.Case{Question: c.score}, Response: &assay.Response{Answer: c.passed}})
		if outcome(r) != c.want || r.Why != c.says || strconv.FormatFloat(r.Score, 'f', -1, 64) != c.score {
			t.Errorf("passed %s with the score %s: %+v, want %s (%s)", c.passed, c.score, r, c.want, c.says)
		}
	}
	k := assay.Check{Kind: assay.CheckExec, Value: "no-such-program-of-assay"}
	if r := run(t, k, response("")); outcome(r) != "none" || !strings.Contains(r.Err.Error(), "cannot be started") {
		t.Errorf("a program that is not there: %+v", r)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for check, want := range map[string]string{
		`{"kind": "exec", "value": "true"}`:                      "",
		`{"kind": "exec", "value": "true", "timeout": 0}`:        "timeout: 0: expected seconds, above 0 and at most 3600",
		`{"kind": "exec", "value": ["", "a"]}`:                   "expected a command such as python3 check.py",
		`{"kind": "length", "max": "80"}`:                        "max: a string: expected a number",
		`{"kind": "length", "maximum": 80}`:                      `unknown field "maximum": expected a check with a kind`,
		`{"kind": "length", "max": 80} {}`:                       "text follows the check",
		`"short"`:                                                "a string: expected a check, such as {kind: contains",
		`{"kind": "expression", "value": "1", "range": [0, ""]}`: "range: a string: expected a",
	} {
		_, err := checks.Parse([]byte(check))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", check, err, want)
		}
	}
}

// A check of a configuration is read, or a problem is told; a text is read as an expression
// and as a condition, and both give a result or an error on any answer.
func FuzzParse(f *testing.F) {
	f.Add(`{"kind": "length", "max": 80}`, "len(answer) < 4", "abc")
	f.Add(`{"kind": "numbers", "value": ["3 %", 4], "relative": 0.1}`, `any(passages, .text matches answer)`, "3.1 %")
	f.Add(`{"kind": "expression", "value": "1", "range": [0, 10]}`, `metadata?.level ?? 0.5`, "")
	f.Fuzz(func(t *testing.T, check, source, said string) {
		s := checks.Subject{Case: &assay.Case{ID: "q"}, Response: response(said)}
		if c, err := checks.Parse([]byte(check)); err == nil && c.Kind != assay.CheckExec && checks.Valid(c) == nil {
			checks.Run(t.Context(), c, s)
		}
		c := assay.Check{Kind: assay.CheckExpression, Value: source, When: source}
		if checks.Valid(c) == nil {
			r := checks.Run(t.Context(), c, s)
			if lo, hi := checks.Range(c); r.Score < lo || r.Score > hi {
				t.Errorf("%s: score %v", source, r.Score)
			}
		}
	})
}
