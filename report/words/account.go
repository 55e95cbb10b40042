package words

import "github.com/assay-eval/assay/summary"

// accounts are the words about what was run, who judged it and what it cost.
type accounts interface {
	CasesAsked(a Asked) string
	// CaseCount is like [Words.CasesAsked], for a fact with the name "cases".
	CaseCount(a Asked) string
	// Answers returns what the outcomes of a run count: cases, or draws of cases.
	Answers(n int, draws bool) string
	// Outcome counts the cases by status; in short without what counts none.
	Outcome(s summary.Summary, short bool) string
	Errors(n int, of, kinds string) string
	Below(n int, of string) string
	Corpus(path string, documents, passages int) string
	CorpusOf(corpus string) string
	BaselineOf(run string) string
	Latency(l Latency) string
	Usage(cost string, in, out int) string
	EstimatedCost(b Bill) string
	// ActualCost returns the cost of a run, CostParts only its parts.
	ActualCost(b Bill) string
	CostParts(b Bill) string
	CostNote(b Bill) string
	// Cost returns the estimated and the paid cost in one line. usage is what the
	// target reported.
	Cost(b Bill, usage string) string
	TargetUsage(usage string) string
	OfflineJudge() string
	Panel(judges []string) string
	// Delegated names a judge, and the one that rules on a question in its place.
	Delegated(judge, question, by string) string
	Judging(j Judging) string
}

// Asked holds the number of cases in the dataset, how often each was asked (Draws),
// and how many answers were evaluated (Done). Critical is the number of critical
// cases, 0 if it is not to be shown.
type Asked struct{ Cases, Draws, Done, Critical int }

// Of returns the number of answers that the run should have.
func (a Asked) Of() int { return a.Cases * max(a.Draws, 1) }

// A Latency is how long responses took. Limit is the time above which a response is
// slow, "" if it is not known.
type Latency struct {
	Mean, P50, P95, P99, Limit string
	N, Slow                    int
}

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

// Judging is what judging consumed.
type Judging struct {
	// Judge is the judge's name, PerCase the mean number of calls per case.
	Judge, PerCase string
	Passes         int
	// Calls is the number of calls for cases. Cached of them were answered from the
	// ledger, and Shared by a call for another case of the run. Failed got no answer.
	Calls, Cached, Shared, Failed int
	// Rechecked is the number of rulings that the judge was sure of and that were put to a
	// vote nevertheless, Overturned how many the vote did not confirm.
	Rechecked, Overturned int
	Usage, Paid           string
}
