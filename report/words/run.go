package words

import (
	"cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// RunState returns the state of a run, such as "finished".
func (w Words) RunState(state string) string { return w.Say("RunState", v{"state": state}) }

func (w Words) Saved(page string) string { return w.Say("Saved", v{"page": page}) }

// More says that n entries of a list are left out.
func (w Words) More(n int) string { return w.Say("More", v{"n": n}) }

// List joins some of several names, and adds the number of those left out.
func (w Words) List(names []string, more int) string {
	return w.Say("List", v{"names": names, "more": more})
}

// Cases counts cases: "1 case", "3 cases".
func (w Words) Cases(n int) string { return w.Say("Cases", v{"n": n}) }

// Range returns the ends of a bin of a histogram: "0.1 to 0.2".
func (w Words) Range(from, to string) string { return w.Say("Range", v{"from": from, "to": to}) }

// Interval names an interval by its level: "95 % interval".
func (w Words) Interval(level string) string { return w.Say("Interval", v{"level": level}) }

// FactNames name the facts at the top of a report.
type FactNames struct {
	Date, Run, Dataset, Adapter, Endpoint, Corpus, Cases, Outcome, Gate, Duration, EstimatedCost, ActualCost, Cost, Judge string
	Draws, Latency, Errors, Below, Critical, Lost                                                                         string
}

// CardNames name the figures at the top of a page.
type CardNames struct{ Cases, Critical, Errors, Latency, Cost, JudgeCalls, Duration string }

// Provenance names what is needed to repeat a run.
type Provenance struct {
	Command, Seed, Dataset, Corpus, Embedder, Target, Judge, Passes, Metrics string
	// JudgeLanguages is followed by language codes, each with a number of cases.
	JudgeLanguages string
	// Prompts is followed by the prompts' hash. NoJudge is shown if nothing was
	// judged.
	Prompts, NoJudge              string
	Setting, Value, Configuration string
}

// CommentHeads head the tables of a comment.
type CommentHeads struct{ Rule, Metric, Baseline, Run, Difference, Mean string }

// DetailNames name the details of a case in a JUnit file. Attempt is followed by a
// number.
type DetailNames struct{ Question, Case, Failure, Attempt, Answer, Wanted, Stage string }

// Canary tells in a line what the canaries of a model have shown.
func (w Words) Canary(c assay.Canary) string { return w.Say("Canary", c) }

// DrawHeads are the headings of the table of draws.
type DrawHeads struct{ Metric, Changed, SD, Floor, Furthest string }

// TimeHeads are the headings of the table of stages.
type TimeHeads struct{ Latency, Stage, Mean, Plot string }

// CallNames name the parts of a call. Absent, Altered and Later say what is not as it was when
// the case was judged, NoneAsked and NoneNamed why a case has no calls.
type CallNames struct {
	Instruction, Reply, Thinking, RequestJSON, ReplyJSON string
	Absent, Altered, Later, NoneAsked, NoneNamed         string
}

// CaseCount is like [Words.CasesAsked], for a fact with the name "cases".
func (w Words) CaseCount(a Asked) string {
	if a.Draws > 1 {
		return w.Say("CasesAsked", a)
	}
	left := ""
	if n := a.Of() - a.Done; n > 0 {
		left = w.Say("NotEvaluated", v{"n": n})
	}
	return w.Say("CaseCount", v{"a": a, "left": left})
}

func (w Words) Usage(cost string, in, out int) string {
	return w.Say("Usage", v{"cost": cost, "in": in, "out": out})
}

// Asked holds the number of cases in the dataset, how often each was asked (Draws),
// and how many answers were evaluated (Done). Critical is the number of critical
// cases, 0 if it is not to be shown.
type Asked struct{ Cases, Draws, Done, Critical int }

// Of returns the number of answers that the run should have.
func (a Asked) Of() int { return a.Cases * max(a.Draws, 1) }

// A Bill is the estimated and the actual cost of a run; "" is nothing or unknown.
type Bill struct {
	// Estimated is the expected cost of judging, Calls the expected number of calls.
	Estimated string
	Calls     int
	// Target is the cost that the target reported, Judging the cost of judging.
	Target, Judging, Total string
	// Paid is set if an earlier run paid for every judgement.
	Paid bool
}

// TargetFailed says how many cases count as which value because the target failed;
// the value "" leaves them out. answered is the number of other cases if the mean
// over them follows, else 0. With draws it failed in some of a case, and these count.
func (w Words) TargetFailed(cases int, value string, answered int, draws bool) string {
	return w.Say("TargetFailed", v{"cases": cases, "value": value, "answered": answered, "draws": draws})
}

// Limit says what limits an estimate or a comparison.
func (l Words) Limit(w stats.Warning) string {
	if name := "Limit." + limits[w.Kind]; l.Has(name) {
		return l.Say(name, w)
	}
	return w.String()
}

// limits name the messages of warnings in the languages other than English, which is that of package stats.
var limits = map[stats.WarningKind]string{
	stats.NotFinite: "NotFinite", stats.NoSuchLevel: "NoSuchLevel", stats.OneGroup: "OneGroup", stats.AllEqual: "AllEqual", stats.FewCases: "FewCases",
	stats.CannotBeSignificant: "CannotBeSignificant", stats.FewDiffer: "FewDiffer", stats.Discordant: "Discordant",
	stats.MeansOfCases: "MeansOfCases", stats.MeanAgainstCases: "MeanAgainstCases", stats.TestNeedsTwoCases: "TestNeedsTwoCases",
	stats.TestNeedsVariation: "TestNeedsVariation", stats.TestNeedsIndependence: "TestNeedsIndependence",
	stats.TestNeedsFinite: "TestNeedsFinite", stats.TestNeedsBinary: "TestNeedsBinary",
}

// EstimateHeads are the headings of the table of estimates.
type EstimateHeads struct{ Metric, Plot, Mean, Threshold, Status, Unscored, None string }

func (w Words) BaselineRefused(reason string) string {
	return w.Say("BaselineRefused", v{"reason": reason})
}
func (w Words) Verdict(verdict gate.Verdict) string { return w.Say("Verdict", v{"verdict": verdict}) }

func (w Words) Status(s assay.Status) string { return w.Say("Status."+string(s), nil) }

// State says why there is no value.
func (w Words) State(s assay.State) string {
	name := map[assay.State]string{assay.NotApplicable: "notApplicable", assay.Abstained: "abstained", assay.TargetError: "error"}[s]
	return w.Say("State."+cmp.Or(name, "unscored"), nil)
}

// GateHeads are the headings of the table of rules.
type GateHeads struct{ Table, Rule, Status, Baseline, Run, Interval, People, Cases string }

// Critical counts the critical cases by what is known of them.
type Critical struct{ Passed, Failed, Unchecked, Unasked int }

// Of returns the number of critical cases.
func (c Critical) Of() int { return c.Passed + c.Failed + c.Unchecked + c.Unasked }

// Check is the state of a critical case in one word, CheckReason what that of any case
// rests on.
func (w Words) Check(s summary.CheckState) string { return w.Say("Check", s) }
func (w Words) CheckReason(c summary.Check) string {
	name := "CheckReason." + string(c.Basis)
	switch state := name + "." + string(c.State); {
	case c.JudgeFailed && c.Basis != summary.ByEvidence:
		name = "CheckReason.judge"
	case c.Basis == summary.ByEvidence && c.State == summary.CheckFailed && c.Missed > 0:
		name += ".missed"
	case w.Has(state):
		name = state
	case !w.Has(name):
		name = "CheckReason.nothing"
	}
	return w.Say(name, c)
}

// NotCertified adds to the name of a judge, or says of one without a name, that it has no
// certificate. CertifiedHead names what follows.
func (w Words) NotCertified(judge string) string { return w.Say("NotCertified", v{"judge": judge}) }
