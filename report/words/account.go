package words

// accounts are the words about what was run, who judged it and what it cost.
type accounts interface {
	CasesAsked(a Asked) string
	// CaseCount is [Words.CasesAsked] as the value of a fact that is named cases.
	CaseCount(a Asked) string
	// Answers counts what the outcomes of a run are of: cases, or draws of them.
	Answers(n int, draws bool) string
	Outcome(ok, below, errors int) string
	CriticalPassed(passed, of int) string
	Errors(n int, of, kinds string) string
	Below(n int, of string) string
	Corpus(path string, documents, passages int) string
	CorpusOf(corpus string) string
	BaselineOf(run string) string
	Latency(l Latency) string
	Usage(cost string, in, out int) string
	EstimatedCost(b Bill) string
	// ActualCost is what a run cost, CostParts only the parts of it.
	ActualCost(b Bill) string
	CostParts(b Bill) string
	CostNote(b Bill) string
	// Cost says in a line what was estimated and what was paid; usage is what the
	// target reported.
	Cost(b Bill, usage string) string
	TargetUsage(usage string) string
	OfflineJudge() string
	Panel(judges []string) string
	Judging(j Judging) string
}

// Asked counts the cases of a run: Cases in the dataset, asked Draws times each;
// Done of these answers were evaluated; Critical is set where it is to be said.
type Asked struct{ Cases, Draws, Done, Critical int }

// Of is how many answers the run wants.
func (a Asked) Of() int { return a.Cases * max(a.Draws, 1) }

// A Latency is how long responses took. Limit is the time above which one is
// slow, "" when it is not known.
type Latency struct {
	Mean, P50, P95, P99, Limit string
	N, Slow                    int
}

// A Bill is what a run was expected to cost and what it did cost; "" is nothing
// or not known.
type Bill struct {
	// Estimated is the expected price of judging, Calls the expected calls.
	Estimated string
	Calls     int
	// Target is what the target reported, Judging the price of judging.
	Target, Judging, Total string
	// Paid is set when every judgement was paid for by an earlier run.
	Paid bool
}

// Judging is what judging took.
type Judging struct {
	// Judge is who judged, PerCase the mean number of calls for a case.
	Judge, PerCase string
	Passes         int
	// Calls were made for cases: Cached of them were answered from the ledger,
	// Shared by a call for another case of the run. Failed got no answer.
	Calls, Cached, Shared, Failed int
	Usage, Paid                   string
}
