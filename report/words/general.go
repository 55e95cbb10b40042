package words

// general are the words of every document.
type general interface {
	ReportKicker() string
	ReportTitle(name string) string
	NoiseTitle(name string) string
	RunStatus(id, state string) string
	// RunState returns the state of a run, such as "finished".
	RunState(state string) string
	FinishedIn(at, in string) string
	// Waited tells the parts of the time that a run took: preparation, evaluation and
	// reports. The first and the last are empty if there is none.
	Waited(total, prepared, evaluated, reported string) string
	Saved(page string) string
	FactNames() FactNames
	CardNames() CardNames
	AnswersCard(draws, cases int) string
	LatencyCard(p95 string, slow int) string
	// Colon returns the separator between a name and its value.
	Colon() string
	// More says that n entries of a list are left out.
	More(n int) string
	// MoreVerbose is like More, with the flag that shows them; MoreMetrics counts metrics.
	MoreVerbose(n int) string
	MoreMetrics(n int) string
	// List joins some of several names, and adds the number of those left out.
	List(names []string, more int) string
	// Of returns a count out of a total: "3 of 10".
	Of(n, of int) string
	// Cases counts cases: "1 case", "3 cases".
	Cases(n int) string
	// Range returns the ends of a bin of a histogram: "0.1 to 0.2".
	Range(from, to string) string
	// Interval names an interval by its level: "95 % interval".
	Interval(level string) string
	Warning() string
	Warnings() string
	NoteLabel() string
	ReproduceTitle() string
	ReproduceNav() string
	Provenance() Provenance
	CasesHead() string
	Tag() string
	ByTag() string
}

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
