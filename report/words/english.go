package words

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay/internal/query"
)

// English is the default language.
type English struct{ query.English }

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
func (English) Waited(total, prepared, evaluated, reported string) string {
	parts := "evaluated " + evaluated
	if prepared != "" {
		parts = "prepared " + prepared + ", " + parts
	}
	if reported != "" {
		parts += ", reported " + reported
	}
	return total + " (" + parts + ")"
}
func (English) Saved(page string) string { return "report: " + page }
func (English) FactNames() FactNames {
	return FactNames{
		Date: "Date", Run: "Run", Dataset: "Dataset", Adapter: "Adapter", Endpoint: "Endpoint", Corpus: "Corpus", Cases: "Cases",
		Outcome: "Outcome", Gate: "Gate",
		Duration: "Duration", EstimatedCost: "Estimated cost", ActualCost: "Actual cost", Cost: "Cost", Judge: "Judge",
		Draws: "Draws", Latency: "Latency", Errors: "Errors", Below: "Below", Critical: "Critical", Lost: "Lost",
	}
}
func (English) CardNames() CardNames {
	return CardNames{Cases: "cases", Critical: "critical", Errors: "errors", Latency: "latency, median", Cost: "cost",
		JudgeCalls: "judge calls a case", Duration: "duration"}
}
func (English) AnswersCard(draws, cases int) string {
	return fmt.Sprintf("answers: %d draws of %d cases", draws, cases)
}
func (English) LatencyCard(p95 string, slow int) string {
	if slow == 0 {
		return "p95 " + p95
	}
	return fmt.Sprintf("p95 %s, %d slow", p95, slow)
}
func (English) Colon() string              { return ": " }
func (English) More(n int) string          { return fmt.Sprintf("… and %d more", n) }
func (e English) MoreVerbose(n int) string { return e.More(n) + ": -v" }
func (English) MoreMetrics(n int) string {
	return "… and " + plural(n, "more metric", "more metrics") + ": -v"
}
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
		Passes: "Judge passes", Prompts: "prompts", NoJudge: "none", JudgeLanguages: "Cases by language of the judge's prompts",
		Metrics: "Metrics", Setting: "Setting", Value: "Value", Configuration: "Configuration",
	}
}
func (English) CasesHead() string { return "Cases" }
func (English) Tag() string       { return "Tag" }
func (English) ByTag() string     { return "by tag" }
