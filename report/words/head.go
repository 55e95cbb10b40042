package words

// FactNames name the facts at the top of a report.
type FactNames struct {
	Date, Run, Dataset, Adapter, Endpoint, Corpus, Cases, Outcome, Gate, Duration, EstimatedCost, ActualCost, Cost, Judge string
	Draws, Latency, Errors, Below, Critical                                                                               string
}

// CardNames name the figures at the top of a page.
type CardNames struct{ Cases, Critical, Errors, Latency, Cost, JudgeCalls, Duration string }

// Provenance names what is needed to do a run again.
type Provenance struct {
	Command, Seed, Dataset, Corpus, Embedder, Target, Judge, Passes, Metrics string
	// Prompts are followed by their hash, NoJudge stands where nothing was judged.
	Prompts, NoJudge              string
	Setting, Value, Configuration string
}

// EstimateHeads head the table of estimates.
type EstimateHeads struct{ Metric, Plot, Mean, Threshold, Status, Unscored, None string }

// LostHeads head the tables of where answers are lost.
type LostHeads struct {
	Stage, Evidence, Left, Lost, ShareOfAll, Share, OfWhatCame string
	WrongAnswers, Which, RightWith, Right, Gain                string
}

// TimeHeads head the table of stages.
type TimeHeads struct{ Latency, Stage, Mean, Plot string }
