package words

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay/stats"
)

func (English) Results() string  { return "Results" }
func (English) NoMetric() string { return "No metric was computed." }
func (English) ResultsNote(level string, failed, held bool) string {
	s := "Bars count the cases by score"
	if failed {
		s += " (hatched: the target failed)"
	}
	s += "; the dot below is the mean"
	if level != "" {
		s += " with its " + level
	}
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
func (English) WeightUsed(used, set string) string {
	return used + " (set to " + set + ")"
}
func (English) WhyMissing() string { return "why scores are missing" }
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
func (English) EstimateWord() string            { return "estimate by formula" }

func (English) EstimateCompared() string {
	return "≈ estimates by formula: a difference of estimates has no verdict, a judge may rank the runs otherwise"
}

func (English) FormulaEstimate() string {
	return "≈ an estimate by formula: no judge has read the answers"
}
func (English) Possible(failed int) string {
	if failed == 0 {
		return "mean with any value of the unknown scores"
	}
	return "mean with any score of " + plural(failed, "unscored case", "unscored cases")
}
func (English) NearChance() string { return "judge near chance" }
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
func (English) Limit(w stats.Warning) string { return w.String() }
func (English) WithoutInterval(limit string, least int) string {
	return fmt.Sprintf("%s; no interval below %d", limit, least)
}
func (English) NoValue() string { return "no value" }
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
	s := "Each cell holds the mean and n"
	if level != "" {
		s = "Each cell holds the mean, n, and its " + level
	}
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
