package words

import (
	"fmt"
	"strings"
)

func (English) WatchNames() WatchNames {
	return WatchNames{
		Title: "Watches of production traffic", Name: "Watch", State: "State", Process: "Process", Running: "runs", NotRunning: "does not run",
		Updated: "Last update",
		Empty:   "Nothing watches production traffic yet.",
		EmptyReceive: "A watch judges a sample of the traces that this server receives as OTLP at /v1/traces. This makes one, " +
			"on the store of this server:",
		EmptyWatch: "It needs a process of its own, which can be started by a scheduler with --once.",

		Counts: "What was sampled and judged", InAll: "In all", Sampled: "Sampled", Judged: "Judged", Failed: "of these, failures",
		Skipped: "Skipped", Unread: "Not read", Cost: "Cost",
		SampledHow: "exchanges in the traces that were drawn",
		JudgedHow:  "evaluated in rounds, each of which is a run; a failure is one of the system, which has no response",
		SkippedHow: "sampled, but not judged: a round was full, or the budget of the day spent. Fewer scores show a change later",
		UnreadHow:  "operations without a question, or without anything to score: their traces lack what assay reads",

		Results: "Metrics", Kind: "Kind", AllKinds: "all", Mean: "Mean", Bounds: "Bounds", Line: "Line", Threshold: "threshold",
		Scores: "Scores", Days: "By day", Worse: "worse", Fine: "not worse", Learning: "learning",
		New: "nothing judged", Exchanges: "Exchanges", NotJudged: "the last round was not judged",
		ResultsHow: "The bounds hold at all times together, however often this page is looked at. A metric is worse from an alarm to its " +
			"recovery; each of them begins another mean. The axis is the range of the metric.",
		Traffic: "All kinds, by their share of the traffic", Kinds: "Kinds", Alarms: "Alarms", NoAlarms: "There has been no alarm.",
		TrafficHow: "As many exchanges of each kind are judged, so that a plain mean would count rare kinds too much.",
		Settings:   "What it samples, and when it alarms", LastRun: "Last run", RoundRun: "Run of this round", AllRuns: "All runs of this watch", TimeIs: "Times are in UTC.",
	}
}

func (English) WatchVerdict(fine, learning int) string {
	switch {
	case fine+learning == 0:
		return "Nothing has been judged yet."
	case fine == 0:
		return "Nothing can be said to be worse yet: every line is still being learned."
	case learning > 0:
		return fmt.Sprintf("No mean is shown to be worse than its line; %d of %d lines are still being learned.", learning, fine+learning)
	case fine == 1:
		return "The mean is not shown to be worse than its line."
	}
	return fmt.Sprintf("None of the %d means is shown to be worse than its line.", fine)
}

// watchOf names a metric of a kind.
func (English) watchOf(metric, kind string) string {
	if kind == "" {
		return metric
	}
	return metric + " of " + kind
}

func (English) watchLine(line string, threshold bool) string {
	if threshold {
		return "threshold of " + line
	}
	return "learned line of " + line
}

func (e English) WatchWorse(w WatchWorse) string {
	mean := fmt.Sprintf("mean %s over %s since the alarm", w.Mean, plural(w.Cases, "score", "scores"))
	if w.AtAlarm {
		mean = e.WatchAtAlarm(w.Mean, w.Cases)
	}
	said := fmt.Sprintf("%s has been worse than its %s since %s: %s.",
		e.watchOf(w.Metric, w.Kind), e.watchLine(w.Line, w.Threshold), w.Since, mean)
	if w.Estimate {
		said += " It is an estimate: a change of the number does not show that quality changed."
	}
	return said
}

func (English) WatchMoreWorse(n int) string {
	if n == 1 {
		return "One more is worse: the table begins with them."
	}
	return fmt.Sprintf("%d more are worse: the table begins with them.", n)
}

func (English) WatchSome(worse, of int) string { return fmt.Sprintf("%d of %d worse", worse, of) }

func (English) WatchProcess(p WatchProcess) string {
	round := ""
	if p.Round > 0 {
		round = fmt.Sprintf(" A round of %s is being judged.", plural(p.Round, "exchange", "exchanges"))
		if !p.Running {
			round = fmt.Sprintf(" A round of %s was begun: it is finished when the watch goes on.", plural(p.Round, "exchange", "exchanges"))
		}
	}
	next := ""
	if p.Next != "" {
		next = " The next round begins at " + p.Next + " at the earliest."
	}
	switch {
	case p.Running:
		return "The process of the watch runs; it last wrote what it knows at " + p.Updated + "." + round + next
	case p.Overdue:
		return "No process carries the watch out: it was last at work at " + p.Updated + ", and the round that was due at " + p.Next +
			" has not been judged." + round + " Traffic is not watched until it is started again, with its settings:"
	}
	return "No process carries the watch out at the moment: it was last at work at " + p.Updated + ". That is so between " +
		"rounds if a scheduler starts them with --once." + round + next
}

func (English) WatchTrouble(why string) string {
	return "The last round could not be judged, and is tried again when the next is due: " + why
}

func (English) WatchWaiting(n int) string {
	if n == 1 {
		return "1 sampled exchange waits for the next round."
	}
	return fmt.Sprintf("%d sampled exchanges wait for the next round.", n)
}

func (English) WatchSpent(cost, budget string) string {
	return cost + " of " + budget
}

func (English) WatchLearning(n, of int) string { return fmt.Sprintf("%d of %d scores", n, of) }

func (English) WatchLearned(cases int) string {
	return "learned from " + plural(cases, "score", "scores")
}

func (English) WatchSince(at string) string { return "since " + at }

func (English) WatchAtAlarm(mean string, cases int) string {
	return fmt.Sprintf("mean %s over the last %s at the time", mean, plural(cases, "score", "scores"))
}

func (English) WatchUnscored(unscored, excluded int) string {
	var parts []string
	if unscored > 0 {
		parts = append(parts, fmt.Sprintf("%d without", unscored))
	}
	if excluded > 0 {
		parts = append(parts, fmt.Sprintf("%d not applicable", excluded))
	}
	return strings.Join(parts, ", ")
}

func (English) WatchLevel(mean, low, high, line string) string {
	said := "No score"
	if mean != "" {
		said = "Mean " + mean + ", bounds " + low + " to " + high
	}
	if line != "" {
		said += ", line at " + line
	}
	return said
}

func (English) WatchDays(days int, last, low, high string) string {
	return fmt.Sprintf("Means of %s, from %s to %s, the last %s", plural(days, "day", "days"), low, high, last)
}

func (e English) WatchAlarm(a WatchAlarm) string {
	verb := "got worse than"
	if a.Recovered {
		verb = "is better again than"
	}
	return fmt.Sprintf("%s %s its %s: %s.",
		e.watchOf(a.Metric, a.Kind), verb, e.watchLine(a.Line, a.Threshold), e.WatchAtAlarm(a.Mean, a.Over))
}

func (English) WatchEarlier(n int) string { return fmt.Sprintf("%d earlier", n) }

func (English) WatchUntold(alarms, tries int, next string) string {
	said := plural(alarms, "alarm has", "alarms have") + " not been taken by the webhook"
	if tries > 0 {
		said += " in " + plural(tries, "call", "calls")
	}
	if next != "" {
		said += "; the next call is at " + next
	}
	return said + "."
}

func (English) WatchSetting(s WatchSetting) []string {
	out := []string{
		"Sampled: " + s.Rate + " of the traces, each after " + s.Settle + " without a further span.",
		fmt.Sprintf("Judged: up to %d every %s.", s.Most, s.Every),
	}
	if s.By != "" {
		out = append(out, "Kinds are told apart by "+s.By+"; as many of each are judged as there can be.")
	}
	if s.Budget != "" {
		out = append(out, "Judging may cost "+s.Budget+" a day, spent evenly over it.")
	}
	return append(out,
		fmt.Sprintf("A line without a threshold is learned from %d scores: the lower bound of their mean, less %s of the range.",
			s.Learn, s.Drop),
		"The bounds hold at "+s.Level+"; false alarms are "+s.Quiet+" judged exchanges or more apart on average.")
}
