package words

import (
	"fmt"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/summary"
)

func (English) CorrectedTitle() string { return "As people would judge it" }

func (English) CorrectedHeads() CorrectedHeads {
	return CorrectedHeads{Metric: "Metric", Run: "Run", Judge: "Judge", Corrected: "Corrected", People: "Labels alone", Labels: "Labels",
		Half: "To halve"}
}

func (English) CorrectedNote() string {
	return "The corrected difference is what people would find on average, from the judge's scores of all cases and the labels of some " +
		"(prediction-powered inference). It holds if the labelled cases were drawn at random; a biased judge only widens it. λ is how much " +
		"the judge counts, 0 to 1. “To halve”: further labels that would halve the interval."
}

func (e English) Corrected(d CorrectedDifference) string {
	m := d.Metric
	switch d.Lack {
	case summary.LacksLabels:
		return fmt.Sprintf("The difference in %s between %s and %s is not corrected: of %s both answers are labelled, and %s needed.",
			m.Title, d.Old, d.New, e.Cases(d.Labels), plural(d.More, "more is", "more are"))
	case summary.LacksFailed:
		return fmt.Sprintf("The difference in %s between %s and %s is not corrected: on %s one of them failed, and the answer of the other is "+
			"labelled on too few of them: %s needed, which --label-next draws.", m.Title, d.Old, d.New, e.Cases(d.Failed),
			plural(d.More, "more is", "more are"))
	case summary.LacksSpread:
		return fmt.Sprintf("The difference in %s between %s and %s is not corrected: on the %d labelled cases the differences are all alike by "+
			"people, or differ only as the judge's do, and do not say how others would. Label more cases.", m.Title, d.Old, d.New, d.Labels)
	case summary.LacksStrata:
		return fmt.Sprintf("The difference in %s between %s and %s is not corrected: cases were drawn from other strata than those of these "+
			"scores. Draw cases again for these two runs.", m.Title, d.Old, d.New)
	case summary.LacksScale:
		return fmt.Sprintf("The difference in %s is not corrected: labels lie outside of its range, on a scale that is not known.", m.Title)
	case summary.LacksNumbers:
		return fmt.Sprintf("The difference in %s is not corrected: a label or a score is too large to compute with.", m.Title)
	}
	numbers := fmt.Sprintf("%s (%.4g %% CI %s; %d labels, λ = %.2f)", summary.Signed(m, d.Mean), 100*d.Level, summary.Ends(m, d.CI), d.N,
		d.Lambda)
	var out string
	switch d.Direction(m) {
	case summary.Open:
		out = fmt.Sprintf("As people would judge it, no difference in %s is shown between %s and %s: %s.", m.Title, d.Old, d.New, numbers)
	case summary.Better:
		out = fmt.Sprintf("As people would judge it, %s improves %s over %s: %s.", d.New, m.Title, d.Old, numbers)
	default:
		out = fmt.Sprintf("As people would judge it, %s worsens %s over %s: %s.", d.New, m.Title, d.Old, numbers)
	}
	if !d.Overrules(m, d.Judge) {
		return out
	}
	says := map[summary.Direction]string{summary.Better: "that it improves", summary.Worse: "that it worsens",
		summary.Open: "that no difference is shown"}[summary.DirectionOf(m, d.Judge)]
	return out + fmt.Sprintf(" The judge alone says otherwise: %s (%s).", says, summary.Signed(m, d.Judge.Diff))
}

func (e English) NotCounted(d CorrectedDifference) string {
	out := ""
	if a, b := d.OneSided[0], d.OneSided[1]; a+b > 0 {
		out = fmt.Sprintf("Labels of one run alone, which say nothing of the difference: %d of %s, %d of %s.", a, d.Old, b, d.New)
	}
	if d.Unscored > 0 {
		if out != "" {
			out += " "
		}
		out += fmt.Sprintf("Labelled cases without a score of the judge, which do not count: %d.", d.Unscored)
	}
	return out
}

func (English) NotCorrected(c summary.Correction) string {
	switch c.Lack {
	case summary.LacksSpread:
		return fmt.Sprintf("the %d labels are all alike, or differ only as the judge's scores do, and do not say how others would", c.Labels)
	case summary.LacksRun:
		return "no label is known to be of this run: want its id in the column run, or its name if no other run has it"
	case summary.LacksOne:
		return "an answer has two labels, one by the id of its run and one by its name: want one"
	case summary.LacksFailed:
		return fmt.Sprintf("on %d cases one run failed, and the answer of the other is labelled on too few of them: %d more are needed",
			c.Failed, c.More)
	case summary.LacksStrata:
		return "cases were drawn to be labelled from other strata than those of these scores"
	case summary.LacksScale:
		return "labels lie outside of the range of the metric, on a scale that is not known"
	case summary.LacksNumbers:
		return "a label or a score is too large to compute with"
	}
	return fmt.Sprintf("%s of people: %s needed to correct the judge", plural(c.Labels, "label", "labels"), plural(c.More, "more is", "more are"))
}

func (English) ByPeople(v gate.Verdict, value, low, high string, labels int, limit string) string {
	numbers := fmt.Sprintf("as people would judge it %s, one-sided bounds %s and %s by %d labels", value, low, high, labels)
	if v == gate.Fail {
		return numbers + ", misses " + limit
	}
	return numbers + ": too few labels to tell whether it meets " + limit
}

func (e English) PeopleUnknown(rule string, c summary.Correction) string {
	return rule + ": what people would say is not known: " + e.NotCorrected(c)
}

func (e English) PeopleDiffer(rule string, judge, people gate.Verdict, decides bool) string {
	who := "the judge decides"
	if decides {
		who = "people decide"
	}
	return fmt.Sprintf("%s: %s by the judge, %s as people would judge it; %s", rule, e.Verdict(judge), e.Verdict(people), who)
}
