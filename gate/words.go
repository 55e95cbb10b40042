package gate

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// A Finding is a sentence about a run, as a function of the language: why a rule
// did not pass, why a baseline was refused, a warning. nil is no finding.
type Finding func(Words) string

// Text is a finding that is the same in every language.
func Text(s string) Finding { return func(Words) string { return s } }

// In returns the sentence in a language, or "" if there is no finding.
func (f Finding) In(w Words) string {
	if f == nil {
		return ""
	}
	return f(w)
}

// Words has a method for every sentence of a gate; a language implements it. Values
// are passed as they are shown. A parameter that is the text of another finding has
// the name of the method that made it.
type Words interface {
	// Why no rule can pass.
	NoCasesInRun() string
	AllCasesFailed(cases int) string
	RunNotFinished(state string, done, of int) string

	// Values and limits. NoInterval is for too few cases or groups.
	MeasuredOnNoCase() string
	ValueMisses(value, limit string) string
	AtBest(misses string) string
	NoInterval() string
	// Rules on single cases. RuleOnCases says how many cases the metric of a rule applies
	// to, if not to all.
	CasesMiss(n, of int, limit string) string
	RuleOnCases(rule string, n, of int) string

	// Critical cases that failed, those that nothing checked, and those not asked yet.
	CriticalWrong(n, of int) string
	CriticalUnchecked(n, of int) string
	CriticalUnasked(n, of int) string

	TargetFailedCases(n, of int, misses string) string

	// Missing scores. Unscored says how many of the cases have no score or, if partly
	// is set, only part of one; OnThreshold that scores depend on that of the judge. The others
	// complete these sentences.
	Unscored(n, of int, partly bool) string
	OnThreshold() string
	TooManyUnscored(unscored, most string) string
	CouldDecide(unscored string, difference bool, low, high string) string
	NotBounded(unscored string) string
	NoIntervalWithout(unscored string) string
	AtWorst(unscored, reason string) string

	// Latency and cost.
	NoLatency() string
	NoCost() string
	NoJudgingCost() string
	PartlyReported(quantity string, n, of int) string

	// Differences from the baseline.
	NoBaseline() string
	BaselineWasRefused() string
	NoCommonValue() string
	NoCommonGatedValue() string
	DifferenceMisses(misses, old, new string) string
	BoundMisses(bound string, misses string) string
	ShownToMiss(limit, bound, value string) string
	// TooFewCases says how many cases with such differences would decide; 0 if that is not known.
	TooFewCases(lower, upper, limit string, floor bool, needed int) string
	PooledWithoutInterval() string
	FellToWorst(n, of int, misses string) string
	MayHaveFallen(n int, low, high string) string
	CriticalLosses(n, of int, cases []string) string
	CriticalUnknown(cases []string) string
	GatesNoMetric(metrics []string) string

	// Rules as people would judge them. ByPeople says why a rule does not pass: value has the one-sided bounds low and
	// high. PeopleDiffer compares the verdicts of judge and people; decides is set if that of people counts. PeopleUnknown
	// says why nobody knows what people would say.
	NotCorrected(c summary.Correction) string
	ByPeople(v Verdict, value, low, high string, labels int, limit string) string
	PeopleUnknown(rule string, c summary.Correction) string
	PeopleDiffer(rule string, judge, people Verdict, decides bool) string

	// Why a metric is not compared with the baseline.
	NotCompared(reason string) string
	NotInBaseline() string
	NotInRun(metric string) string
	OtherVersion(was, is int) string
	OtherScheme(was, is string) string
	OtherScale() string
	OtherWeights(was, is string) string
	OtherPart(metric, reason string) string

	// Why a baseline is refused. A judge is shown with its model; "" is none.
	OtherDataset(was, is string) string
	OtherCases(was, is int, subset bool) string
	LacksCases(n int, cases []string) string
	OtherJudge(was, is string) string
	JudgeDiffers(judge, part, was, is string) string

	// Warnings. MissingValues gives the cases that have a value on one side only.
	OtherCorpus(was, is string) string
	OtherEmbedder(was, is string) string
	// JudgeChanged says that the model behind the judge's name changed between the baseline and
	// the run.
	JudgeChanged(c assay.Canary) string
	MissingValues(metrics, inBaseline, inRun []string) string
	EstimatesGated(metrics []string) string
	OnEstimate() string
	// CertifiedBelow says that the judge is not certified for a balanced accuracy of at least
	// least on the questions that are listed. NothingToCertify is for a metric that rests on
	// no ruling.
	CertifiedBelow(least string, lacking []assay.Measured) string
	NothingToCertify() string
	PartsUnmeasured(parts []string, share string) string
	BelowNoise(cases int, differences []string) string
}
