package words

import (
	"fmt"
	"strings"
)

func (English) ComparisonKicker() string { return "assay · comparison" }
func (English) ComparisonTitle(runs int) string {
	return "Comparison of " + plural(runs, "run", "runs")
}
func (English) Strategy() string { return "Strategy" }
func (English) TildeNote(level string, f Families) string {
	if level == "" {
		return corrected("", f)
	}
	return "~ no difference can be shown at " + level + corrected("; ", f)
}

// corrected says, after before, for how many tests p and the intervals are corrected;
// "" if there is only one.
func corrected(before string, f Families) string {
	together := func(tests int, of string) string {
		return fmt.Sprintf("p and the intervals of differences are corrected for %d tests%s together (maxT)", tests, of)
	}
	switch {
	case f.Primary == "" && f.Tests < 2:
		return ""
	case f.Primary == "":
		return before + together(f.Tests, "")
	}
	s := before + f.Primary + " is primary and "
	if f.PrimaryTests < 2 {
		s += "tested alone"
	} else {
		s += fmt.Sprintf("its %d tests are a family of their own (maxT)", f.PrimaryTests)
	}
	switch {
	case f.Tests == 0:
		return s
	case f.Tests == 1:
		return s + "; so is the other metric"
	}
	return s + "; " + together(f.Tests, " of the other metrics")
}
func (English) NoDifference(level string, tests int) string {
	if tests == 0 {
		return "Nothing is tested: no metric has a case that is scored in both runs."
	}
	return fmt.Sprintf("No difference can be shown at %s in any of %s.", level, plural(tests, "test", "tests"))
}
func (English) MoreDifferences(n int) string {
	return "… and " + plural(n, "more difference", "more differences") + " that can be shown"
}
func (English) Power(cases int, smallest []Detectable) string {
	var in, none, parts []string
	for _, d := range smallest {
		if d.Difference == "" {
			none = append(none, d.Metric)
		} else {
			in = append(in, d.Difference+" in "+d.Metric)
		}
	}
	if in != nil {
		parts = append(parts, plural(cases, "case", "cases")+" can detect "+strings.Join(in, ", ")+", or more")
	}
	if none != nil {
		parts = append(parts, plural(cases, "case is", "cases are")+" too few to detect any difference in "+strings.Join(none, ", "))
	}
	return strings.Join(parts, "; ")
}
func (English) PowerShort() string { return "(power 80 %, corrected as p is)." }
func (English) PowerNote() string {
	return "detected with a probability of 80 %, after the correction of p"
}
func (English) MeansTitle() string { return "All means" }
func (English) MeansNote(level string) string {
	return "Each cell holds the mean, its " + level + ", and n."
}
func (English) DifferencesTitle(baseline string) string { return "Differences from " + baseline }
func (English) DifferencesNav() string                  { return "Differences" }
func (English) DifferencesNote(level string, f Families, estimates, tolerances bool) string {
	dashed := ""
	if estimates {
		dashed = ", dashed for an estimate, which has no verdict"
	}
	if tolerances {
		dashed += "; a rhombus where no difference can be shown, but the whole interval is within the tolerance of the run’s gate"
	}
	return "Each mark is the mean difference from the baseline with its " + level +
		": full where the difference can be shown, hollow where it cannot" + dashed + ". " +
		"Below each mean and each Δ stands its interval" + corrected("; ", f) + ". " +
		"Below n stands the smallest difference that so many cases detect."
}
func (English) DifferenceHeads() DifferenceHeads {
	return DifferenceHeads{
		Metric: "Metric", Run: "run", Baseline: "Baseline", Mean: "Run’s mean", ShortMean: "mean", Plot: "Difference", Each: "Case by case",
		Counts: "Better / same / worse", ShortCounts: "b/s/w", Detects: "Detects", NDetects: "n, detects",
	}
}
func (English) ForestLegend(level string, estimates, tolerances bool) string {
	if estimates {
		level += ", ◇ for estimates"
	}
	cannot := "○ cannot"
	if tolerances {
		cannot += ", ◆ no worse than the gate’s tolerance"
	}
	return "with the " + level + "; ● can be shown, " + cannot + "; b/s/w: cases better, the same, worse"
}
func (e English) FamilyNote(f Families) string {
	return "~ before a difference: it cannot be shown at this level, and its interval holds 0" + corrected("; ", f) +
		". Detects: the smallest difference that is " + e.PowerNote() + "."
}
func (English) NotShown() string { return "What cannot be shown" }
func (English) AxisLabel(unit string) string {
	if unit == "" {
		return "axis of differences"
	}
	return "axis of differences in " + unit
}
func (English) NoCommonCase() string { return "no case in common" }
func (English) DifferenceLabel(diff, level string, ends []string) string {
	if ends == nil {
		return "difference " + diff
	}
	return fmt.Sprintf("difference %s, %s interval %s to %s", diff, level, ends[0], ends[1])
}
func (e English) EachLabel(cases int, largest string) string {
	return "differences of " + e.Cases(cases) + ", from better to worse; the largest is " + largest
}
func (English) ByTagTitle() string { return "By tag" }
func (English) NoneByTag(tested int) string {
	return "By tag, none of " + plural(tested, "difference", "differences") +
		" can be shown (p is corrected over all tags by Benjamini and Hochberg's method)."
}
func (English) TestedByTag(tested, shown int) string {
	return fmt.Sprintf("Of %s by tag, %d can be shown. p is corrected over all tags by Benjamini and Hochberg's method: tags are "+
		"looked through, not decided on.",
		plural(tested, "difference", "differences"), shown)
}
func (English) TagHeatNote(level string) string {
	return "Each cell holds the difference from the baseline over the cases with the tag, n, and the " + level +
		"; bold and marked ▲ or ▼ where it can be shown, the colour tells how large it is. p and the intervals are corrected over all " +
		"tags by Benjamini and Hochberg's method: tags are looked through, not decided on. Tags with fewer than 20 cases are not " +
		"tested and have no interval."
}
func (English) FrontTitle() string { return "Quality, cost and latency" }
func (English) FrontNav() string   { return "Cost and latency" }
func (English) FrontNote(plots bool) string {
	s := "A run is dominated when another is no worse in anything and better in something; it is better in quality when that can " +
		"be shown, and no worse when its mean is no lower."
	if plots {
		s += " Full marks stand on the front, hollow ones are dominated; a dotted line joins runs that cannot be told apart in quality."
	}
	return s
}
func (English) FrontHeads() FrontHeads {
	return FrontHeads{Cost: "Cost a case", ShortCost: "cost", Latency: "Median latency", ShortLatency: "latency", Standing: "Standing",
		Tied: "Tied with"}
}
func (English) Standing(dominated string) string {
	if dominated == "" {
		return "on the front"
	}
	return "dominated by " + dominated
}
func (English) LessIsBetter(name string) string { return name + " (less is better)" }
func (English) ChangedTitle() string            { return "Changed most" }
func (e English) ChangedIn(baseline, run string, shown, of int) string {
	n := fmt.Sprint(of)
	if shown < of {
		n = e.Of(shown, of)
	}
	return "Cases that changed most: " + baseline + " → " + run + " (" + n + ")"
}
func (English) ChangeHeads() ChangeHeads {
	return ChangeHeads{Case: "Case", Metric: "Metric", Values: "Baseline → run", Question: "Question"}
}
func (English) MissedTitle(n, of int) string {
	return fmt.Sprintf("Cases that no run solves: %d of %d", n, of)
}
func (e English) Missed(m Unsolved) string {
	s := "every run gets"
	if m.Runs == 2 {
		s = "both runs get"
	}
	s = fmt.Sprintf("%s %d of %s wrong", s, m.N, e.Cases(m.Of))
	if len(m.Names) > 0 {
		s += ": " + e.List(m.Names, m.N-len(m.Names))
	}
	return s
}
func (English) SettingsTitle() string { return "Set otherwise" }
func (English) MoreSettings(n int) string {
	return "… and " + plural(n, "more setting", "more settings") + " in the other formats"
}
func (English) OriginNames() OriginNames {
	return OriginNames{Run: "run", Dataset: "dataset", Seed: "seed"}
}
func (English) SettingNames() SettingNames {
	return SettingNames{Target: "target", Dataset: "dataset", Cases: "cases", Corpus: "corpus", Embedder: "embedder of the metrics",
		Judge: "judge", Content: "content"}
}
func (English) Caution(c Caution) string {
	switch c.Kind {
	case MetricMissing:
		return c.Metric + " is left out: " + c.Run + " does not have it in the same version"
	case OtherWeights:
		return c.Metric + " is left out: " + c.Run + " has other parts or other weights"
	case OtherDataset:
		out := c.Run + " ran on another version of the dataset: only cases with the same id are paired"
		if c.Cases > 0 {
			out += fmt.Sprintf(". %d of these %d have another question, and their differences say nothing", c.Cases, c.Of)
		}
		return out
	case OtherJudge:
		return fmt.Sprintf("%s is not compared: %s and %s had different judges (%s; %s)", c.Metric, c.Run, c.Other, c.Judges[0], c.Judges[1])
	case OtherVectors:
		return fmt.Sprintf("%s and %s had different embedders (%s; %s): metrics that embed, such as semantic_similarity, compare these besides",
			c.Run, c.Other, c.Judges[0], c.Judges[1])
	case ChangedJudge:
		return fmt.Sprintf("between %s and %s: %s: differences in judged metrics can be those of the judge", c.Run, c.Other,
			English{}.JudgeChanged(*c.Canary))
	case OtherTest:
		return "p-values are those of the " + c.Detail + " test where it applies"
	case RunUnjudged:
		return fmt.Sprintf("%s is not judged: its judge was unreachable. Run assay run --resume=%s once it is back.", c.Run, c.Detail)
	case RunUnfinished:
		return fmt.Sprintf("%s is not finished: it has %d of %d cases", c.Run, c.Cases, c.Of)
	}
	return c.Run + " and " + c.Other + " are the same run, " + c.Detail
}
func (English) OverCommon() string {
	return "The means of a run are over all its cases with a score. Differences, and the means in sentences, are over the cases with a score " +
		"in both runs."
}
func (English) LeftOut(cases int) string {
	return plural(cases, "case", "cases") + " scored in one run only and left out of Δ"
}
