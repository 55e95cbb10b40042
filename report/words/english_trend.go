package words

import (
	"fmt"
	"strings"
)

func (English) TrendNames() TrendNames {
	return TrendNames{
		TrendTitle: "Over time", FrontierTitle: "Quality against cost and latency",
		OverTime: "Over time",
		RunName:  "Runs named", AnyName: "any name", By: "Different names", NamesApart: "are different systems",
		NamesTogether: "are one system",
		Started:       "Started", Change: "Change", Series: "Series", CompareAcross: "Compare the runs before and after, case by case",
		CompareAll: "Compare them case by case",
		Legend: "Each mark is a run; its line is the interval of its mean for other cases like these. The grey band is where runs of an " +
			"unchanged system fall; their cases are the same, so that it is the noise of the target and the judge alone. A vertical line is a change, or where runs stop being comparable.",
		Means: "Changes are found from the means of the runs. Comparing two runs case by case can show more, and says how sure their " +
			"difference is for other cases.",
		NoRuns: "There is no finished run yet.", NoRunsHow: "This makes three, from data that assay has with it:",
		NoneFits: "No finished run fits.",
		Axis:     "Against", Cost: "Cost of a response", Latency: "Median latency", BeatenBy: "Beaten by", Tied: "Cannot be told from",
		NoCost:    "No cost is known: no response of these targets has one.",
		NoCostHow: "Cost is what a target reports, or what its model's tokens cost by llm prices. Latency is always measured:",
		Nobody:    "none",
	}
}

func (English) TrendChanged(c TrendChange) string {
	verb := "fell"
	if c.Rose {
		verb = "rose"
	}
	worth := "That is worse."
	switch {
	case c.Estimate:
		worth = "It is an estimate: a change of the number does not show that quality changed."
	case c.Better:
		worth = "That is better."
	}
	tail := fmt.Sprintf("difference %s, p %s", c.Difference, c.P)
	if c.Difference == "" {
		tail = fmt.Sprintf("too few runs for an interval, p %s", c.P)
	}
	if c.Gradually {
		return fmt.Sprintf("%s %s little by little from %s to %s: %s in the first %s, %s in the last %d (%s). %s", c.Metric, verb,
			c.Last, c.First, c.Before, plural(c.RunsBefore, "run", "runs"), c.After, c.RunsAfter, tail, worth)
	}
	when := c.Last + " and " + c.First
	if c.Day != "" {
		when += ", " + c.Day
	}
	return fmt.Sprintf("%s %s between %s: %s → %s in %d and %s (%s). %s", c.Metric, verb, when, c.Before, c.After, c.RunsBefore, plural(c.RunsAfter, "run", "runs"), tail, worth)
}

func (English) TrendStable(metric string, runs int) string {
	return fmt.Sprintf("No change of %s can be shown in %s.", metric, plural(runs, "run", "runs"))
}

func (English) TrendFew(metric string, runs, needed int) string {
	return fmt.Sprintf("Whether %s changed cannot be told from %s that can be compared: %d are needed.", metric,
		plural(runs, "run", "runs"), needed)
}

func (English) TrendAlone() string {
	return "Every run has a name of its own, so that no two count as the same system. If they are, say that different names are one system."
}

func (English) TrendBand(half string) string {
	if half == "0" {
		return "Successive runs have the same mean."
	}
	return "Runs of an unchanged system fall within ±" + half + " of their level in 95 of 100."
}

func (English) TrendApart(day string, kinds []string) string {
	names := map[string]string{"dataset": "the content of the dataset differs", "cases": "the number of cases differs",
		"metric": "the definition of the metric differs", "judge": "the judge differs"}
	var why []string
	for _, k := range kinds {
		why = append(why, names[k])
	}
	return fmt.Sprintf("Runs from %s on cannot be compared with those before: %s. A different mean there shows no change of the system.",
		day, strings.Join(why, ", "))
}

func (English) TrendPicture(metric string, runs int) string {
	return fmt.Sprintf("%s in %s, earliest first; the table has the numbers", metric, plural(runs, "run", "runs"))
}

func (English) Partial(n int) string {
	return fmt.Sprintf("values of %s only or more than usual: left out", plural(n, "case", "cases"))
}

func (e English) FrontierFront(names []string, of int) string {
	if len(names) == of {
		return fmt.Sprintf("None of the %d targets is beaten by another.", of)
	}
	return fmt.Sprintf("Of %d targets, nothing beats %s.", of, e.List(names, 0))
}

func (English) FrontierBehind(metric, ahead, behind string, quality, less, timed bool) string {
	cheaper, cost := "cheaper", "cost"
	if timed {
		cheaper, cost = "faster", "latency"
	}
	s := ahead + " beats " + behind + ": "
	switch {
	case quality && less:
		return s + "it is better in " + metric + ", and " + cheaper + "."
	case quality:
		return s + "it is better in " + metric + ", at no more " + cost + "."
	}
	return s + "it is " + cheaper + ", and its " + metric + " is no worse, though no difference in it can be shown."
}

func (e English) FrontierTied(metric, one string, others []string) string {
	return fmt.Sprintf("Whether %s is higher for %s or for %s cannot be told.", metric, one, e.List(others, 0))
}

func (English) FrontierOne() string {
	return "This is the only target whose latest runs can be compared: it takes two."
}

func (English) FrontierNote(level string) string {
	return "A target is an adapter, an address and the name of its runs; its latest run stands for it. A full mark is on the frontier, a hollow " +
		"one is beaten: another is shown to be better in one of the two, and is no worse in the other. Dotted lines join " +
		"targets whose quality cannot be told apart. Two are told apart if their intervals, which hold together at " +
		level + ", do not meet; comparing case by case tells more."
}

func (English) FrontierOmitted(unknown, elsewhere, more int) (out []string) {
	if unknown > 0 {
		out = append(out, plural(unknown, "target has", "targets have")+" no known cost or latency.")
	}
	if elsewhere > 0 {
		out = append(out, plural(elsewhere, "target", "targets")+" ran only with other data, another judge or another version of the metric.")
	}
	if more > 0 {
		out = append(out, plural(more, "target", "targets")+" that ran earlier are left out.")
	}
	return out
}
