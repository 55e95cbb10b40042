package words

import (
	"fmt"
	"strings"
)

func (English) PreferencesTitle() string { return "Preferred answers" }
func (English) PreferencesNote(judge string, pairs int, baseline bool) string {
	s := judge + " ruled which of two answers is better. It read each pair in both orders, and each order counts half: " +
		"a case is better or worse by the mean of the two rulings, and a preference for a place cancels out. " +
		"The win rate is the share of cases won, a tie counting half; 50 % is no difference"
	if pairs > 1 {
		s += fmt.Sprintf("; p and the intervals are corrected for %d pairs together (maxT)", pairs)
	}
	if baseline {
		s += ". There are more than five runs, so that each was compared with the baseline alone"
	}
	return s + "."
}
func (English) Preferred(p Preferred) string {
	rate := p.Rate
	if p.Interval != "" {
		rate += " (" + p.Interval + ")"
	}
	s := fmt.Sprintf("%s is better than %s in %s, worse in %s and the same in %s of %s: win rate %s", p.New, p.Old, p.Better, p.Worse, p.Same,
		plural(p.Cases, "case", "cases"), rate)
	if !p.Shown {
		s += "; no difference can be shown"
	}
	return s + "."
}
func (English) PositionBias(b PositionBias) string {
	place := "first"
	if b.Second {
		place = "second"
	}
	interval := ""
	if b.Interval != "" {
		interval = " (" + b.Interval + " for the first)"
	}
	s := fmt.Sprintf("The judge prefers the %s answer by %s points%s, over %s in both orders", place, b.Points, interval,
		plural(b.Cases, "case", "cases"))
	if !b.Shown {
		s += "; no preference for a place can be shown"
	}
	return s + "."
}
func (English) PreferenceAgreement(a PreferenceAgreement) string {
	interval := ""
	if a.Interval != "" {
		interval = " (" + a.Interval + ")"
	}
	kappa := ""
	if a.Kappa != "" {
		kappa = ", κ = " + a.Kappa
	}
	return fmt.Sprintf("%s and %s: the preferences agree with the sign of the difference in %s in %s%s of %s%s.", a.Old, a.New, a.Metric,
		a.Share, interval, plural(a.Cases, "case", "cases"), kappa)
}
func (English) PreferenceAgainst(metric string, cases int) string {
	return "The judge and " + metric + " contradict each other in " + plural(cases, "case", "cases") + ": "
}
func (English) PreferenceHeads() PreferenceHeads {
	return PreferenceHeads{Run: "Run", Beside: "Compared with", Better: "Better", Same: "Same", Worse: "Worse", Rate: "Win rate",
		Strength: "Strength (log odds)", SameNow: "p (maxT)"}
}
func (English) PreferenceCounts(c PreferenceCounts) string {
	var parts []string
	add := func(n int, one, many string) {
		if n > 0 {
			parts = append(parts, plural(n, one, many))
		}
	}
	add(c.OneOrder, "case preferred in one order alone", "cases preferred in one order alone")
	add(c.Opposed, "tie because the judge preferred the same place twice", "ties because the judge preferred the same place twice")
	add(c.Equal, "tie of equal answers without a ruling", "ties of equal answers without a ruling")
	for _, one := range []struct {
		name string
		n    int
	}{{c.Old, c.OldFailed}, {c.New, c.NewFailed}} {
		add(one.n, "case in which the target of "+one.name+" alone failed, a loss", "cases in which the target of "+one.name+
			" alone failed, losses")
	}
	add(c.BothFailed, "case in which the targets of both failed, a tie", "cases in which the targets of both failed, ties")
	add(c.OldEmpty, "empty answer of "+c.Old, "empty answers of "+c.Old)
	add(c.NewEmpty, "empty answer of "+c.New, "empty answers of "+c.New)
	add(c.Addressed, "case with a response that seems to address the judge, left out if it rules otherwise without those words",
		"cases with a response that seems to address the judge, left out if it rules otherwise without those words")
	add(c.Unjudged, "case without a usable ruling, which is left out", "cases without a usable ruling, which are left out")
	if parts == nil {
		return ""
	}
	return c.New + " beside " + c.Old + ": " + strings.Join(parts, "; ") + "."
}
func (English) StrengthsNote(some, equal bool) string {
	s := "Strengths by the model of Bradley and Terry, ties as half a win each: the difference of two is the log odds of being preferred. " +
		"Their mean is 0"
	if some {
		s += "; all intervals hold together"
	}
	s += "."
	switch {
	case equal:
		s += " A strength with which every case agrees has no interval: equal cases do not show how far others would differ."
	case !some:
		s += " There are too few independent cases for intervals."
	}
	return s
}
func (English) StrengthsUnknown(groups, above []string, ordered bool) string {
	const what = "The strengths of the runs are not identified: "
	if len(above) == 0 {
		return what + "no case compares " + strings.Join(groups, " with ") + "."
	}
	s := what + "some runs lost every case against others: " + strings.Join(above, "; ") + "."
	if !ordered {
		s += " Runs that no such chain joins were never compared, so that nothing tells which is better."
	}
	return s
}
