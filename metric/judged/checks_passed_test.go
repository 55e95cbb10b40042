package judged_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/judged"
	"github.com/assay-eval/assay/metric/metrictest"
)

// checked makes the input of an answer that nobody judged.
func checked(answer string, all ...assay.Check) metric.Input {
	return metric.Input{
		Case: &assay.Case{ID: "a", Question: "How many?", Want: assay.Want{Checks: all}}, Response: &assay.Response{Answer: answer},
	}
}

func TestChecksPassed(t *testing.T) {
	t.Parallel()
	two, none := 2.0, 0.0
	in := checked("You have 24 days.",
		assay.Check{Kind: assay.CheckContains, Value: "24", Weight: &two},
		assay.Check{Kind: assay.CheckContains, Value: "weeks", Name: "unit"},
		assay.Check{Kind: assay.CheckSet, Checks: []assay.Check{{Kind: assay.CheckIsJSON}, {Kind: assay.CheckStartsWith, Value: "You"}}},
		assay.Check{Kind: assay.CheckEquals, Value: "x", Weight: &none},
	)
	// 2 of 2 + 1 + 1 + 0.
	s := scored(t, "checks_passed", in)
	var failed []string
	for _, e := range s.Evidence {
		failed = append(failed, e.Kind+" "+e.Text)
	}
	want := []string{
		`failed unit: contains "weeks": lacks "weeks"`, "failed set of 2: a member failed",
		"failed is-json: is not JSON: invalid character 'Y' looking for beginning of value", `not counted equals "x": is not "x"`,
	}
	if s.Value != 0.5 || !slices.Equal(failed, want) {
		t.Errorf("%v %q, want 0.5 %q", s.Value, failed, want)
	}
	in.Case.Want.Checks = in.Case.Want.Checks[3:]
	for _, all := range [][]assay.Check{in.Case.Want.Checks, {{Kind: assay.CheckSet, Checks: in.Case.Want.Checks}}} {
		in.Case.Want.Checks = all
		s = scored(t, "checks_passed", in)
		state(t, "no check counts", s, assay.NotApplicable)
		if len(s.Evidence) != 1 || s.Evidence[0].Kind != "not counted" {
			t.Errorf("%+v: want the check that does not count", s.Evidence)
		}
	}
	in.Case.Want.Checks = []assay.Check{{Kind: "?"}}
	state(t, "a check that is not valid", scored(t, "checks_passed", in), assay.JudgeError)
	in.Case.Want.Checks = []assay.Check{{Kind: assay.CheckCost, Threshold: &two}}
	state(t, "no check applies", scored(t, "checks_passed", in), assay.NotApplicable)
}

// Checks that forbid or measure form pass answers that are wrong, and so does one whose text the
// answer does not plainly state: they do not show that an answer is right.
func TestChecksThatShowNothing(t *testing.T) {
	t.Parallel()
	half := 0.5
	contains := func(texts ...any) assay.Check { return assay.Check{Kind: assay.CheckContains, Value: texts} }
	polite := assay.Check{Kind: assay.CheckContains, Value: "as an ai", Not: true}
	short := assay.Check{Kind: assay.CheckLength, Max: new(50.0)}
	numbers := assay.Check{Kind: assay.CheckNumbers, Value: 10.0}
	set := func(of ...assay.Check) assay.Check {
		return assay.Check{Kind: assay.CheckSet, Threshold: &half, Checks: of}
	}
	const leave = "How many days of leave do I have?"
	days := assay.Check{Kind: assay.CheckNumbers, Value: 24.0}
	for _, test := range []struct {
		question, answer string
		shown            bool
		all              []assay.Check
	}{
		{"Fee?", "12 euros", false, []assay.Check{polite, short, {Kind: assay.CheckLanguage, Value: "en"}}},
		{"Fee?", "", false, []assay.Check{polite}},
		{"Fee?", "The fee is 10 euros.", true, []assay.Check{polite, contains("10 euros")}},
		{"Fee?", "The fee is 10 euros. It does not rise.", false, []assay.Check{contains("10 euros")}},
		{"Fee?", "The fee used to be 10 euros; since May it is 12 euros.", false, []assay.Check{contains("10 euros")}},
		{"Fee?", "There is no fee of 10 euros any more.", false, []assay.Check{contains("10 euros"), contains("fee")}},
		{"Notice?", "There is no three months notice.", false, []assay.Check{contains("three months notice")}},
		{"Fee?", "It is not 10 euros.", false, []assay.Check{numbers}},
		{"Fee?", "maybe 10 euros", false, []assay.Check{short, numbers}},
		{"Fee?", "It is not 10 euros.", false, []assay.Check{{Kind: assay.CheckExpression, Value: `answer contains "10 euros"`}}},
		{"Fee?", "10 euros", false, []assay.Check{{Kind: assay.CheckExpression, Value: "len(passages) == 0"}}},
		{"How many days without a note?", "You cannot take 3 days without a note.", false, []assay.Check{contains("3 days")}},
		{"How many days without a note?", "3 days without a note.", true, []assay.Check{contains("3 days")}},
		{"Red or blue?", "It is red or blue.", false, []assay.Check{contains("red")}},
		{"Is it open?", "No, it is not open.", true, []assay.Check{{Kind: assay.CheckRegex, Value: `(?i)\bno\b`}, contains("not")}},
		{"Fee?", "10 euros", false, []assay.Check{set(polite, contains("12 euros"))}},
		{leave, "You have 124 days.", false, []assay.Check{contains("24 days")}},
		{leave, "You have 24 days. You have 30 days.", false, []assay.Check{days}},
		{leave, "You have 24 hours of leave.", false, []assay.Check{days}},
		{leave, "You have leave.", false, []assay.Check{contains("leave")}},
		{leave, "You have 24 days of leave.", true, []assay.Check{days, {Kind: assay.CheckStartsWith, Value: "You"}, contains("days", "leave")}},
		{leave, "You have twenty-four days of leave.", true, []assay.Check{days}},
		{leave, "You have 24 days of leave.", true, []assay.Check{{Kind: assay.CheckRegex, Value: `(?i)\b(24|thirty)\s+days?.*leave`}}},
		{leave, "You have 24 days of leave.", false, []assay.Check{{Kind: assay.CheckRegex, Value: `^[A-Z].{1,200}\.$`}, contains(".")}},
		{leave, "24 dayz", false, []assay.Check{{Kind: assay.CheckLevenshtein, Value: "24 days"}}},
		{leave, "24 days", true, []assay.Check{{Kind: assay.CheckLevenshtein, Value: "24 days"}, contains("24", "days")}},
		{"Is smoking allowed?", "Smoking is disallowed.", false, []assay.Check{contains("allowed")}},
		{"Wer unterschreibt?", "Früher der Vorstand.", false, []assay.Check{contains("Vorstand")}},
		{"Who signs, and when?", "the ceo, on 3 May 2021", true, []assay.Check{{Kind: assay.CheckContains, Value: "CEO", IgnoreCase: true}, contains("3 May 2021")}},
		{"Object?", `{"a": 1}`, true, []assay.Check{{Kind: assay.CheckEquals, Value: map[string]any{"a": 1.0}}}},
		{"Fee?", "10 euros", true, []assay.Check{set(polite, contains("10 euros"), contains("12 euros"))}},
	} {
		in := checked(test.answer, test.all...)
		in.Case.Question = test.question
		if s := scored(t, "checks_passed", in); s.Value != 1 || s.Unproven() == test.shown {
			t.Errorf("%q: %+v, want 1, shown %v", test.answer, s, test.shown)
		}
	}
}

// An expression shows an answer to be right only by texts that it requires there.
func TestExpressionsThatShow(t *testing.T) {
	t.Parallel()
	for expression, shown := range map[string]bool{
		`answer contains "24 days"`: true, `lower(answer) contains "you have 24 days" and len(answer) < 300`: true,
		`answer contains "30 days" or answer contains "24 days"`: true,
		`answer matches "24 (days|Tage)"`:                        true, `trim(answer) == "You have 24 days of leave."`: true, `answer startsWith "You have 24 days"`: true,
		`not (answer contains "sorry")`: false, `(answer contains "sorry") == false`: false, `none(["sorry"], answer contains #)`: false, `answer != ""`: false,
		`len(answer) <= 300`: false, `answer contains "24 days" or len(answer) <= 300`: false, `answer contains "24 days" ? true : nil`: false,
		`answer matches "^[A-Z]"`: false, `answer startsWith upper(answer[0:1])`: false, `answer contains question[17:22]`: false,
	} {
		in := checked("You have 24 days of leave.", assay.Check{Kind: assay.CheckExpression, Value: expression})
		in.Case.Question = "How many days of leave do I have?"
		if s := scored(t, "checks_passed", in); s.Value != 1 || s.Unproven() == shown {
			t.Errorf("%s: %+v, want 1, shown %v", expression, s, shown)
		}
	}
}

// A target without answers is tested by the checks that read none.
func TestChecksWithoutAnswer(t *testing.T) {
	t.Parallel()
	says := assay.Check{Kind: assay.CheckContains, Value: "day"}
	many := assay.Check{Kind: assay.CheckExpression, Value: "len(passages) > 5"}
	none := assay.Check{Kind: assay.CheckExpression, Value: "len(passages) == 0"}
	for _, r := range []*assay.Response{{NoAnswer: true}, {Withheld: "content_filter"}} {
		for _, test := range []struct {
			all          []assay.Check
			state        assay.State
			lower, upper float64
		}{
			{[]assay.Check{says}, assay.NotApplicable, 0, 0}, {[]assay.Check{many}, assay.Scored, 0, 0}, {[]assay.Check{none}, assay.Scored, 1, 1},
			{[]assay.Check{says, many}, assay.JudgeError, 0, 0.5}, {[]assay.Check{says, none}, assay.JudgeError, 0.5, 1},
		} {
			in := checked("", test.all...)
			in.Response = r
			if test.state == assay.NotApplicable && r.Withheld != "" { // the filter leaves open what the answer would have scored
				test.state, test.upper = assay.JudgeError, 1
			}
			if s := scored(t, "checks_passed", in); s.State != test.state || s.Lower != test.lower || s.Upper != test.upper {
				t.Errorf("%+v of %v: %+v, want %s, from %v to %v", r, test.all, s, test.state, test.lower, test.upper)
			}
		}
	}
}

// Checks without a result neither pass nor fail: a fifth of them is left to the bounds.
func TestChecksWithoutResult(t *testing.T) {
	t.Parallel()
	day := assay.Check{Kind: assay.CheckContains, Value: "day"}
	week := assay.Check{Kind: assay.CheckContains, Value: "week"}
	says := assay.Check{Kind: assay.CheckMustState, Value: "There are 24 days."}
	s := scored(t, "checks_passed", checked("24 days", day, day, day, week, says))
	if s.State != assay.Scored || s.Value != 0.75 || s.Lower != 0.6 || s.Upper != 0.8 {
		t.Errorf("one of five has no result: %+v, want 3 of 4 from 3/5 to 4/5", s)
	}
	s = scored(t, "checks_passed", checked("24 days", day, says))
	if s.State != assay.JudgeError || s.Lower != 0.5 || s.Upper != 1 {
		t.Errorf("one of two has no result: %+v, want none, from 0.5 to 1", s)
	}
}

func TestCheckStates(t *testing.T) {
	t.Parallel()
	const yes, no, open = "There are 24 days.", "Leave is unlimited.", "It is paid."
	in := checked("24 days")
	in.Assessment = &judge.Assessment{}
	question.Statements.Set(in.Assessment, judge.Known(map[string]judge.Finding{
		yes: metrictest.Ruled(judge.Supported, 0), no: metrictest.Ruled(judge.Contradicted, 0), open: {Why: "no quote"},
	}))
	one := func(c assay.Check) assay.Score {
		m, err := metric.NewCatalog(judged.Check("one", c, "sha256:0", "")).Parse("check.one")
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Asks()) != 1 || m.Info().Scheme != "sha256:0" {
			t.Errorf("%+v: want a metric that asks the judge, with its scheme", m.Info())
		}
		return m.Score(t.Context(), in)
	}
	must := func(all ...any) assay.Check { return assay.Check{Kind: assay.CheckMustState, Value: all} }
	mustNot := func(all ...any) assay.Check { return assay.Check{Kind: assay.CheckMustNotState, Value: all} }
	value(t, "it states it", one(must(yes)), 1)
	value(t, "it denies it", one(must(yes, no)), 0)
	value(t, "one that it lacks decides, whatever the other is", one(must(open, no)), 0)
	state(t, "no ruling", one(must(yes, open)), assay.JudgeError)
	value(t, "it does not state it", one(mustNot(no)), 1)
	value(t, "it states what it must not", one(mustNot(open, yes)), 0)
	state(t, "no ruling on what it must not", one(mustNot(no, open)), assay.JudgeError)
	s := one(must(yes, open))
	if s.Lower != 0 || s.Upper != 1 || !strings.Contains(s.Reason, "no quote") {
		t.Errorf("%+v: want the whole range and the reason", s)
	}
	short := assay.Check{Kind: assay.CheckLength, Max: new(100.0)}
	long := assay.Check{Kind: assay.CheckLength, Min: new(100.0)}
	s = one(assay.Check{Kind: assay.CheckSet, Checks: []assay.Check{must(yes, open), short, long}})
	if s.State != assay.JudgeError || s.Lower != 1./3 || s.Upper != 2./3 {
		t.Errorf("%+v: want a share from a third to two thirds, although the set fails", s)
	}
	question.Statements.Fail(in.Assessment, errors.New("the judge is away"))
	state(t, "the judge failed", one(must(yes)), assay.JudgeError)
}

func TestCheckScore(t *testing.T) {
	t.Parallel()
	one := func(c assay.Check, answer string) assay.Score {
		m, err := metric.NewCatalog(judged.Check("one", c, "", "")).Parse("check.one")
		if err != nil {
			t.Fatal(err)
		}
		if m.Def.Better != metric.Lower || m.Def.Range != [2]float64{0, 100} || m.Def.Unit != "characters" {
			t.Errorf("%+v: want the range, the unit and the direction of the check", m.Def)
		}
		return m.Score(t.Context(), checked(answer))
	}
	c := assay.Check{
		Kind: assay.CheckExpression, Value: "len(answer)", Range: []float64{0, 100}, Unit: "characters", Better: "lower",
		When: `not (answer startsWith "-")`,
	}
	value(t, "a number", one(c, "seven c"), 7)
	state(t, "the condition does not hold", one(c, "-"), assay.NotApplicable)
	state(t, "a number out of the range", one(c, strings.Repeat("x", 101)), assay.JudgeError)
}
