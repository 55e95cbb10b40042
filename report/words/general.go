package words

import (
	"github.com/assay-eval/assay"
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
