// Package words is the catalogue of what readers of reports read: titles, heads
// of tables, sentences. A language is one type that has every method of
// [Words], so that a catalogue that lacks a sentence does not compile. Numbers,
// names and ids come in as they are shown.
package words

import (
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/summary"
)

// Words says everything that a report says, in one language.
type Words interface {
	// Language is the code of the language, by BCP 47, Name its own name.
	Language() string
	Name() string
	gate.Words
	general
	results
	gates
	accounts
	ci
	lost
	draws
	times
	cases
	pages
	comparisons
}

// general are the words of every document.
type general interface {
	ReportKicker() string
	ReportTitle(name string) string
	NoiseTitle(name string) string
	RunStatus(id, state string) string
	// RunState names the state of a run, such as "finished".
	RunState(state string) string
	FinishedIn(at, in string) string
	Saved(page string) string
	FactNames() FactNames
	CardNames() CardNames
	AnswersCard(draws, cases int) string
	CriticalCard(failed int) string
	LatencyCard(p95 string, slow int) string
	// Colon stands between a name and what follows.
	Colon() string
	// More says that n are left out of a list.
	More(n int) string
	// List names some of several, with the number of those left out.
	List(names []string, more int) string
	// Of says how many of how many: "3 of 10".
	Of(n, of int) string
	// Cases counts cases: "1 case", "3 cases".
	Cases(n int) string
	// Range is what a bin of a histogram holds: "0.1 to 0.2".
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

// results are the words of the table of estimates and of the one by tag.
type results interface {
	Results() string
	NoMetric() string
	ResultsNote(level string, failed, held bool) string
	EstimateHeads() EstimateHeads
	LowerIsBetter() string
	Weight(share string) string
	WhyMissing() string
	// Remarked says of how many responses, or cases, something was noted; many
	// says that other remarks of the kind were made. MoreRemarks counts the kinds
	// that are left out.
	Remarked(n int, responses bool, text string, many bool) string
	MoreRemarks(n int, responses bool) string
	Remarks(n int) string
	FailedByTarget(n int) string
	CompositeOf(parts string) string
	FormulaEstimate() string
	// Possible heads the values that a mean may have, given that failed cases are
	// not scored; 0 says that parts of scores are unknown.
	Possible(failed int) string
	// TargetFailed says how many cases count as which value because the target
	// failed; "" leaves them out. answered counts the others where a mean over them
	// follows, else it is 0.
	TargetFailed(cases int, value string, answered int) string
	FewCases() string
	NoValue() string
	// MeanLabel describes a mean; ends are both of its interval, nil where it is
	// not known.
	MeanLabel(mean, level string, ends []string) string
	ThresholdLabel(want string) string
	TagsTitle() string
	TagsNav() string
	TagsNote(level string, shaded bool) string
	// MoreTags says what a narrow table leaves out; "" when it is nothing.
	MoreTags(tags, metrics int) string
	NoiseSaved(page, run string) string
}

// lost are the words about where answers are lost.
type lost interface {
	LostTitle() string
	// Lost says where the wrong answers were lost, Followed what became of the
	// facts; "" when Lost has said it.
	Lost(w *summary.Waterfall) string
	Followed(w *summary.Waterfall) string
	LostNotes(w *summary.Waterfall) []string
	LostHeads(evidenceOf string) LostHeads
	FallNote() string
	LadderNote(cases int) string
	// Stage names a stage of [assay.LossStages] or one of a target's own.
	Stage(stage string) string
	FactsWord() string
	Reached(retrieval bool) string
	AsItIs() string
	WithRight(stage string) string
	StillWrong() string
	// LostAt says at which stage a failed case was lost.
	LostAt(stage string) string
	BarLabels(name string, kept, lost, all int) (full, rest, label string)
	LostCard(cases, of int) (name, note string)
	LostCompareNote() string
	LostOf(baseline, run string, cases int) string
	LostSame(runs []string, baseline, reached string, shares []string) string
}

// times are the words about how long a target took.
type times interface {
	TimeTitle() string
	TimeHeads() TimeHeads
	MeanTime(mean string) string
	LatencyCaption(responses int, line string) string
	LatencyLabel(responses int, line string) string
}

// Findings gives the sentences of findings.
func Findings(w Words, list []gate.Finding) []string {
	var out []string
	for _, f := range list {
		out = append(out, f.In(w))
	}
	return out
}

// All lists the languages by their codes, the default first. To add one, write
// its type and its line here.
var All = []Words{English{}, TraditionalChinese{}}

// In gives the words of a language; ok is false when there are none.
func In(language string) (w Words, ok bool) {
	for _, w := range All {
		if w.Language() == language {
			return w, true
		}
	}
	return All[0], language == ""
}
