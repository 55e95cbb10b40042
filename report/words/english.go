package words

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// English is the first language.
type English struct{}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func (English) Language() string                  { return "en" }
func (English) Name() string                      { return "English" }
func (English) ReportKicker() string              { return "assay · evaluation report" }
func (English) ReportTitle(name string) string    { return "Evaluation of " + name }
func (English) NoiseTitle(name string) string     { return "Noise of " + name }
func (English) RunStatus(id, state string) string { return "run " + id + " " + state }
func (English) RunState(state string) string      { return state }
func (English) FinishedIn(at, in string) string   { return at + " in " + in }
func (English) Saved(page string) string          { return "report: " + page }
func (English) FactNames() FactNames {
	return FactNames{
		Date: "Date", Run: "Run", Dataset: "Dataset", Adapter: "Adapter", Endpoint: "Endpoint", Corpus: "Corpus", Cases: "Cases",
		Outcome: "Outcome", Gate: "Gate",
		Duration: "Duration", EstimatedCost: "Estimated cost", ActualCost: "Actual cost", Cost: "Cost", Judge: "Judge",
		Draws: "Draws", Latency: "Latency", Errors: "Errors", Below: "Below", Critical: "Critical",
	}
}
func (English) CardNames() CardNames {
	return CardNames{Cases: "cases", Critical: "critical", Errors: "errors", Latency: "latency, median", Cost: "cost",
		JudgeCalls: "judge calls a case", Duration: "duration"}
}
func (English) AnswersCard(draws, cases int) string {
	return fmt.Sprintf("answers: %d draws of %d cases", draws, cases)
}
func (English) CriticalCard(failed int) string {
	if failed == 0 {
		return "passed"
	}
	return plural(failed, "critical case did not pass", "critical cases did not pass")
}
func (English) LatencyCard(p95 string, slow int) string {
	if slow == 0 {
		return "p95 " + p95
	}
	return fmt.Sprintf("p95 %s, %d slow", p95, slow)
}
func (English) Colon() string     { return ": " }
func (English) More(n int) string { return fmt.Sprintf("… and %d more", n) }
func (e English) List(names []string, more int) string {
	if more > 0 {
		names = append(names[:len(names):len(names)], e.More(more))
	}
	return strings.Join(names, ", ")
}
func (English) Of(n, of int) string          { return fmt.Sprintf("%d of %d", n, of) }
func (English) Cases(n int) string           { return plural(n, "case", "cases") }
func (English) Range(from, to string) string { return from + " to " + to }
func (English) Interval(level string) string { return level + " interval" }
func (English) Warning() string              { return "warning" }
func (English) Warnings() string             { return "Warnings" }
func (English) NoteLabel() string            { return "note" }
func (English) ReproduceTitle() string       { return "To reproduce" }
func (English) ReproduceNav() string         { return "Reproduce" }
func (English) Provenance() Provenance {
	return Provenance{
		Command: "Command", Seed: "Seed", Dataset: "Dataset", Corpus: "Corpus", Embedder: "Embedder of the " +
			"metrics", Target: "Target", Judge: "Judge",
		Passes: "Judge passes", Prompts: "prompts", NoJudge: "none",
		Metrics: "Metrics", Setting: "Setting", Value: "Value", Configuration: "Configuration",
	}
}
func (English) CasesHead() string { return "Cases" }
func (English) Tag() string       { return "Tag" }
func (English) ByTag() string     { return "by tag" }

func (English) Results() string  { return "Results" }
func (English) NoMetric() string { return "No metric was computed." }
func (English) ResultsNote(level string, failed, held bool) string {
	s := "Bars count the cases by score"
	if failed {
		s += " (hatched: the target failed)"
	}
	s += "; the dot below is the mean with its " + level
	if held {
		s += ", the line across the threshold"
	}
	return s + "."
}
func (English) EstimateHeads() EstimateHeads {
	return EstimateHeads{
		Metric: "Metric", Plot: "Cases, and mean with interval", Mean: "Mean", Threshold: "Threshold", Status: "Status", Unscored: "Not " +
			"scored", None: "n/a",
	}
}
func (English) LowerIsBetter() string      { return "lower is better" }
func (English) Weight(share string) string { return "weight " + share }
func (English) WhyMissing() string         { return "why scores are missing" }
func (e English) Remarked(n int, responses bool, text string, many bool) string {
	of := e.Cases(n)
	if responses {
		of = plural(n, "response", "responses")
	}
	if many {
		text += " (and similar)"
	}
	return of + ": " + text
}
func (English) MoreRemarks(n int, responses bool) string {
	of := "cases"
	if responses {
		of = "responses"
	}
	return plural(n, "more remark on "+of+" is in the cases", "more remarks on "+of+" are in the cases")
}
func (English) Remarks(n int) string { return plural(n, "remark", "remarks") }
func (English) FailedByTarget(n int) string {
	return plural(n, "case", "cases") + " failed by the target"
}
func (English) CompositeOf(parts string) string { return "the weighted mean of " + parts }
func (English) FormulaEstimate() string {
	return "an estimate by formula: no judge has read the answers"
}
func (English) Possible(failed int) string {
	if failed == 0 {
		return "mean with any value of the unknown scores"
	}
	return "mean with any score of " + plural(failed, "unscored case", "unscored cases")
}
func (English) TargetFailed(cases int, value string, answered int) string {
	s := "the target failed in " + plural(cases, "case", "cases")
	switch {
	case value == "":
		return s + ": left out of the mean"
	case answered == 0:
		return s + ": counted as " + value
	}
	return s + fmt.Sprintf(": counted as %s; over the %d answered", value, answered)
}
func (English) FewCases() string { return "few cases:" }
func (English) NoValue() string  { return "no value" }
func (English) MeanLabel(mean, level string, ends []string) string {
	if ends == nil {
		return "mean " + mean
	}
	return fmt.Sprintf("mean %s, %s interval %s to %s", mean, level, ends[0], ends[1])
}
func (English) ThresholdLabel(want string) string { return ", threshold " + want }
func (English) TagsTitle() string                 { return "Results by tag" }
func (English) TagsNav() string                   { return "Tags" }
func (English) TagsNote(level string, shaded bool) string {
	s := "Each cell holds the mean, n, and its " + level
	if shaded {
		s += "; a deeper shade is better"
	}
	return s + "."
}
func (English) MoreTags(tags, metrics int) string {
	var more []string
	if tags > 0 {
		more = append(more, plural(tags, "tag", "tags"))
	}
	if metrics > 0 {
		more = append(more, plural(metrics, "metric", "metrics"))
	}
	if more == nil {
		return ""
	}
	return "… " + strings.Join(more, " and ") + " more in the other formats"
}
func (English) NoiseSaved(page, run string) string {
	return "report: " + page + " · the run itself: assay report " + run
}

func (English) TimeTitle() string { return "Time" }
func (English) TimeHeads() TimeHeads {
	return TimeHeads{Latency: "Latency", Stage: "Stage", Mean: "Mean", Plot: "Mean, and p95 as a mark"}
}
func (English) MeanTime(mean string) string { return "mean " + mean }
func (English) LatencyCaption(_ int, line string) string {
	return "How long the target took, on a logarithmic axis: " + line + "."
}
func (English) LatencyLabel(responses int, line string) string {
	return "latency of " + plural(responses, "response", "responses") + ": " + line
}

func (English) LostTitle() string { return "Where answers are lost" }
func (e English) LostNotes(w *summary.Waterfall) []string {
	var out []string
	for _, m := range w.Merged {
		s := fmt.Sprintf("%s cannot be told from %s", e.Stage(m.Stage), e.Stage(m.Into))
		if m.Cases < w.Cases {
			s += fmt.Sprintf(" in %d of %s", m.Cases, e.Cases(w.Cases))
		}
		out = append(out, s+", which answers for both")
	}
	if n := w.SelfKnowledge; n > 0 {
		out = append(out, plural(n, "fact is", "facts are")+" in an answer and not in its prompt (self-knowledge): counted where the "+
			"prompt lost it")
	}
	if n := w.Unfollowed; n > 0 {
		out = append(out, e.Cases(n)+" could not be followed: no response, or nothing labelled to follow")
	}
	if g := w.Ladder; g != nil {
		if g.Broken > 0 {
			out = append(out, plural(g.Broken, "wrong answer was", "wrong answers were")+" not asked again to the end, because of an error")
		}
		if g.NonMonotone > 0 {
			out = append(out, plural(g.NonMonotone, "wrong answer was", "wrong answers were")+
				" right with fewer stages replaced than with more (non-monotone): put down to the first that mended it")
		}
	}
	return out
}
func (English) LostHeads(evidenceOf string) LostHeads {
	return LostHeads{
		Stage: "Stage", Evidence: "Evidence of " + evidenceOf, Left: "Left", Lost: "Lost", ShareOfAll: "Share of " +
			"all", Share: "Share", OfWhatCame: "Of what came",
		WrongAnswers: "Wrong answers", Which: "Which", RightWith: "Right with", Right: "Right", Gain: "Gain",
	}
}
func (English) FallNote() string {
	return "Each line is a stage: the full bar is what of the evidence goes further, the broken one behind it what the stage lost."
}
func (English) LadderNote(cases int) string {
	return plural(cases, "wrong answer was", "wrong answers were") +
		" asked for again with the right outputs of more and more stages, from the first on; " +
		"shares are of these cases. What stays wrong is the fault of labels, or of what judges."
}
func (English) Stage(stage string) string {
	switch stage {
	case assay.LostNotInIndex:
		return "not in the index"
	case assay.LostPresent:
		return "shown"
	case assay.LostUnresolved:
		return "unresolved"
	case "":
		return "stage unknown"
	}
	return clipped(stage)
}
func (English) FactsWord() string { return "facts" }
func (English) Reached(retrieval bool) string {
	if retrieval {
		return "found"
	}
	return "answered"
}
func (English) AsItIs() string                { return "as it is" }
func (English) WithRight(stage string) string { return "+ right " + stage }
func (English) StillWrong() string            { return "still wrong" }
func (English) BarLabels(name string, kept, lost, all int) (full, rest, label string) {
	full, rest = plural(kept, "fact", "facts")+" left", plural(lost, "fact", "facts")+" lost"
	label = fmt.Sprintf("%s: %d of %d left", name, kept, all)
	if lost > 0 {
		label += fmt.Sprintf(", %d lost here", lost)
	}
	return full, rest, label
}
func (English) LostCard(cases, of int) (name, note string) {
	return "most are lost at", fmt.Sprintf("%d of %s", cases, plural(of, "wrong answer", "wrong answers"))
}
func (English) LostCompareNote() string {
	return "Shares of all facts, over the cases that both runs followed. A share that moves from one stage to a later one is evidence " +
		"that now gets further; " +
		"only what the answers have is a gain."
}
func (e English) LostOf(baseline, run string, cases int) string {
	return "Where answers are lost: " + baseline + " and " + run + ", " + e.Cases(cases)
}
func (English) LostSame(runs []string, baseline, reached string, shares []string) string {
	return "where answers are lost: no stage at which " + strings.Join(runs, " or ") + " can be shown to differ from " + baseline +
		" (facts " + reached + ": " + strings.Join(shares, ", ") + ")"
}
