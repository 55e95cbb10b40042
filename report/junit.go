package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

var junitFormat = Format{
	Name: "junit", Ext: ".xml", Media: "application/xml",
	Doc:   "a test for every case and every rule, for CI systems",
	Write: JUnit,
}

// JUnit writes the run as test results of a CI system: a suite with a test for
// every case and, if the run has a gate, a suite "gate" with a test for every
// rule.
//
// A case fails when it misses a threshold. It is an error when the target gave no
// response, and when a metric with a threshold has no score. It is skipped when no
// metric applies to it or has a score. The cases that an interrupted
// run did not evaluate are one test, an error. A rule fails when the gate does, and
// is skipped when too few cases leave it open and o.Strict is not set.
//
// A run that does not end with exit code 0 has a test that does not pass: if no
// case and no rule is one, a test "run" gives the reason.
//
// Elements and attributes are those of Jenkins's schema junit-10, which GitLab
// reads too. Names are the same in every run on the same dataset, so a test has a
// history. Control characters are dropped from all text, and what XML cannot
// represent becomes U+FFFD.
func JUnit(w io.Writer, r *Report, o Options) error {
	j := junit{newContent(r, o)}
	suites, err := j.suites()
	if err != nil {
		return err
	}
	data := struct {
		Suites  []junitSuite
		All     junitTests
		Started string
	}{Suites: suites}
	for _, s := range suites {
		data.All = append(data.All, s.Tests...)
	}
	if t := r.Header.Started; !t.IsZero() {
		data.Started = t.UTC().Format("2006-01-02T15:04:05")
	}
	return templates().ExecuteTemplate(w, "junit.xml.tmpl", data)
}

// junit makes the tests of a run.
type junit struct{ *content }

// suites returns the tests of the cases, and those of the rules if there are any.
func (j junit) suites() ([]junitSuite, error) {
	suites := []junitSuite{j.suiteOfCases()}
	if err := j.r.failed(nil); err != nil {
		return nil, err
	}
	if rules := j.suiteOfRules(); rules.Tests != nil {
		suites = append(suites, rules)
	}
	red := func(s junitSuite) bool {
		return slices.ContainsFunc(s.Tests, func(t junitTest) bool { return t.Outcome == "failure" || t.Outcome == "error" })
	}
	if end := j.conclusion(); !end.OK() && !slices.ContainsFunc(suites, red) {
		suites[0].Tests = append(suites[0].Tests, junitTest{Name: "run", Class: j.class(nil), Outcome: "error", Type: end.Word, Reason: end.Why})
	}
	return suites, nil
}

type junitSuite struct {
	Name       string     `json:"name"`
	Properties []fact     `json:"-"`
	Tests      junitTests `json:"tests"`
}

// A junitTest is one test.
type junitTest struct {
	Name  string `json:"name"`
	Class string `json:"-"`
	// Case is the id of the case; "" for a rule.
	Case string `json:"case,omitempty"`
	// Outcome is "passed", "failure", "error" or "skipped".
	Outcome string  `json:"outcome"`
	Took    seconds `json:"seconds"`
	// Reason is a sentence, Detail what helps to understand it.
	Reason string `json:"reason,omitempty"`
	Detail string `json:"detail,omitempty"`
	// Told is shown whether or not the test passed.
	Told string `json:"told,omitempty"`
	// Type is the kind of failure in one word.
	Type string `json:"-"`
}

// Message returns the reason for a narrow column.
func (t junitTest) Message() string { return clip(line(t.Reason), 2*junitMessage) }

type junitTests []junitTest

// Count returns how many tests have an outcome.
func (l junitTests) Count(outcome string) (n int) {
	for _, t := range l {
		if t.Outcome == outcome {
			n++
		}
	}
	return n
}

// Took returns how long the tests took.
func (l junitTests) Took() (took seconds) {
	for _, t := range l {
		took += t.Took
	}
	return took
}

// seconds is a time that JSON holds in seconds.
type seconds time.Duration

// MarshalJSON writes the time as a number.
func (d seconds) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(d).Seconds()) }

// String formats the time as the schema of JUnit requires: no exponent, no sign, and at most
// three decimals.
func (d seconds) String() string {
	s := strconv.FormatFloat(max(time.Duration(d), 0).Seconds(), 'f', 3, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

func (j *junit) suiteOfCases() junitSuite {
	h := j.r.Header
	name := cmp.Or(line(h.Dataset.Name), "assay")
	if n := line(h.Name); n != "" {
		name += " · " + n
	}
	s := junitSuite{Name: name, Properties: j.properties(), Tests: []junitTest{}}
	for rec, err := range j.r.Records() {
		if err != nil {
			*j.r.fault = err
			break
		}
		s.Tests = append(s.Tests, j.test(rec))
	}
	if left := j.r.Header.Asked() - j.r.Cases.Len(); left > 0 {
		s.Tests = append(s.Tests, junitTest{
			Name: j.w.Names().UnevaluatedTest, Class: j.class(nil), Outcome: "error", Type: "incomplete",
			Reason: j.w.Say("Unevaluated", words.V{"n": left, "draws": h.Repeat > 1, "state": line(h.State)}),
		})
	}
	return s
}

// questionChars is how many characters of the question a test's name has.
const questionChars = 80

func (j *junit) test(rec assay.Record) junitTest {
	c := rec.Case
	t := junitTest{Name: line(c.ID), Case: c.ID, Class: j.class(c.Tags), Outcome: "passed", Took: seconds(elapsed(rec)), Told: j.told(rec)}
	if q := clip(line(c.Question), questionChars); q != "" {
		t.Name += ": " + q
	}
	critical := func(reason string) string {
		if c.Critical {
			return j.w.Say("CriticalCase", words.V{"reason": reason})
		}
		return reason
	}
	failed := func(kind, reason string) {
		t.Outcome, t.Type, t.Reason, t.Detail = "failure", kind, reason, j.detail(rec)
		if stage, ok := lostAt(rec); ok {
			t.Reason += "; " + j.w.LostAt(stage)
		}
	}
	switch status := summary.Status(j.r.Header.Metrics, rec); {
	case status == assay.StatusError:
		t.Outcome, t.Type, t.Reason, t.Detail = "error", "no response", critical(j.why(rec)), j.detail(rec)
		if rec.Failure != nil {
			t.Type = line(rec.Failure.Kind)
		}
	case j.r.criticalFailed(rec):
		failed("critical", critical(j.why(rec)))
	case status == assay.StatusFailed:
		failed("threshold", j.why(rec))
	default:
		if check := j.r.Check(rec); c.Critical && check.State == summary.Unchecked {
			t.Outcome, t.Reason = "skipped", critical(j.w.Check(check.State)+": "+j.w.CheckReason(check))
			break
		}
		switch reason, open := j.unjudged(rec); {
		case open:
			t.Outcome, t.Type, t.Reason, t.Detail = "error", "not scored", critical(reason), j.detail(rec)
		case reason != "":
			t.Outcome, t.Reason = "skipped", reason
		}
	}
	return t
}

// unjudged returns why a case with a response has no verdict: a metric with a
// threshold has no score (open), or no metric has one or applies. The reason is
// "" if the case has a verdict.
func (j *junit) unjudged(rec assay.Record) (reason string, open bool) {
	known, unscored := false, false
	for _, m := range j.r.Header.Metrics {
		s, is := rec.Scores[m.Name]
		switch {
		case s.State == assay.Scored:
			known = true
		case m.Threshold != nil && s.State == assay.NotApplicable &&
			slices.Contains([]string{assay.NoAnswer, assay.NoPassages, assay.NoNames, assay.NoTexts}, s.Reason):
			// The response lacks it, not the label. Beside other cases that have it, the score is unknown.
			return j.w.Say("NotScored", words.V{"metric": line(m.Name), "wants": wants(m), "reason": line(s.Reason)}), true
		case is && (s.State == assay.NotApplicable || s.State == assay.Abstained):
			if s.State == assay.Abstained {
				known = true
			}
			if reason == "" {
				reason = j.w.Say("NoMetricApplies", words.V{"reason": line(s.Reason)})
			}
		case m.Threshold != nil:
			// A case that misses even with its best possible value has already failed.
			return j.w.Say("NotScored", words.V{"metric": line(m.Name), "wants": wants(m), "reason": line(s.Reason)}), true
		case !unscored:
			reason, unscored = j.w.Say("NotScored", words.V{"metric": line(m.Name), "wants": "", "reason": line(s.Reason)}), true
		}
	}
	if known {
		return "", false
	}
	return reason, false
}

// class returns the name by which CI systems group tests: the dataset and the first
// tag. Full stops would split the names further.
func (j *junit) class(tags []string) string {
	name := cmp.Or(strings.ReplaceAll(line(j.r.Header.Dataset.Name), ".", "_"), "assay")
	if len(tags) > 0 && line(tags[0]) != "" {
		name += "." + strings.ReplaceAll(line(tags[0]), ".", "_")
	}
	return name
}

// elapsed returns how long it took to ask a case, including failed attempts.
func elapsed(rec assay.Record) time.Duration {
	var d time.Duration
	if rec.Response != nil {
		d = rec.Response.Latency
	}
	for _, t := range rec.Tries {
		d += t.Latency
	}
	return max(d, 0)
}

// told returns one line: whether the case is right, and all scores. A test fails only for what
// the gate counts, so that one can pass of which the answer is wrong.
func (j *junit) told(rec assay.Record) string {
	out := []string{j.w.Correct(j.r.Check(rec).Outcome())}
	for _, m := range ordered(j.r.Header.Metrics) {
		if s, ok := rec.Scores[m.Name]; ok {
			out = append(out, line(m.Name)+" "+j.held(m, s))
		}
	}
	return strings.Join(out, " · ")
}

// Limits in characters for the text of a failed test: a CI system shows it in a narrow
// column and stores it for every run.
const (
	junitAnswer  = 1000
	junitMessage = 300
)

// detail returns everything that helps to understand why a case failed.
func (j *junit) detail(rec assay.Record) string {
	var b strings.Builder
	say := func(name, text string) {
		if text = strings.TrimSpace(visible(text)); text != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, excerpt(j.w, text, junitAnswer))
		}
	}
	n := j.w.Names().DetailNames
	say(n.Question, rec.Case.Question)
	say(n.Case, rec.Case.Origin.String())
	if f := rec.Failure; f != nil {
		say(n.Failure, f.Kind+": "+f.Message)
	}
	for i, t := range rec.Tries {
		say(fmt.Sprintf("%s %d", n.Attempt, i+1), try(j.w, t, junitMessage))
	}
	if p := rec.Response; p != nil {
		say(n.Answer, p.Answer)
	}
	for _, a := range rec.Case.Want.Answers {
		say(n.Wanted, a)
	}
	say(n.Stage, j.lostVerdict(rec.Attribution))
	if a := rec.Attribution; a != nil {
		for _, f := range a.Facts {
			say("  "+j.w.FactResult(f), factText(f))
		}
	}
	for _, m := range ordered(j.r.Header.Metrics) {
		s, ok := rec.Scores[m.Name]
		if !ok {
			continue
		}
		text := j.held(m, s)
		if s.Reason != "" {
			text += " – " + s.Reason
		}
		say(m.Name, text)
		for _, e := range remarked(s) {
			say("  "+line(e.Kind), strings.TrimSpace(e.Text+" "+e.Where))
		}
	}
	return b.String()
}

func (j *junit) suiteOfRules() junitSuite {
	s := junitSuite{Name: "gate"}
	o := j.r.Gate
	if o == nil {
		return s
	}
	class := j.class(nil) + ".gate"
	if o.Refused != nil {
		reasons := mapped(words.Findings(j.w, o.Refused), line)
		s.Tests = append(s.Tests, junitTest{Name: "baseline", Class: class, Outcome: "failure", Type: "refused",
			Reason: j.w.BaselineRefused(strings.Join(reasons, "; ")), Detail: strings.Join(reasons, "\n")})
	}
	for _, res := range o.Results {
		t := junitTest{Name: j.ruleText(res), Class: class, Outcome: "passed", Told: j.finding(res), Type: string(res.Verdict)}
		switch res.Final(j.o.Strict) {
		case gate.Fail:
			t.Outcome, t.Reason, t.Told = "failure", t.Told, ""
			t.Detail = strings.Join(j.worst(res), "\n")
		case gate.Inconclusive:
			t.Outcome, t.Reason, t.Told = "skipped", t.Told, ""
		}
		s.Tests = append(s.Tests, t)
	}
	return s
}

// properties returns the properties of the suite, which describe the run.
func (j *junit) properties() []fact {
	h, s := j.r.Header, j.r.Summary
	out := []fact{{"run", h.ID}, {"name", h.Name}, {"assay", h.Version}, {"dataset", h.Dataset.Name}, {"dataset_hash", h.Dataset.Hash}}
	if h.Corpus != nil {
		out = append(out, fact{"corpus_hash", h.Corpus.Hash})
	}
	if h.Judge != nil {
		out = append(out, fact{"judge", j.judgingLine()}, fact{"judge_prompts", h.Judge.PromptHash})
		for _, l := range j.certified() {
			out = append(out, fact{"judge_certified", l})
		}
		for _, l := range j.canaries() {
			out = append(out, fact{"judge_canaries", l})
		}
	}
	for _, m := range s.Metrics {
		value := compact(j.w, m.MetricInfo, m.Estimate)
		if m.MetricInfo.Estimate {
			value += " (" + j.w.Names().EstimateWord + ")"
		}
		if m.Threshold != nil {
			value += " " + wants(m.MetricInfo)
		}
		out = append(out, fact{m.Name, value})
	}
	for _, w := range s.Warnings {
		out = append(out, fact{"warning", w})
	}
	return out
}

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
	j := junit{newContent(r, o)}
	suites, err := j.suites()
	if err != nil {
		return err
	}
	for _, s := range suites {
		for i := range s.Tests {
			s.Tests[i].Reason = line(s.Tests[i].Reason)
		}
	}
	return encode(w, testsJSON{TestsSchema, r.Header.ID, suites})
}
