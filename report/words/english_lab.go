package words

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

func (English) LabNames() LabNames {
	return LabNames{
		Title: "Judge lab", Intro: "How far the judge agrees with people, and what people would say of a whole run.",
		Metric: "Metric", Labels: "Labels", NoRuns: "No run has a judged metric yet.",
		NoRunsHow: "A run with a judge is one:", LabelCases: "Label cases",

		Measure: "Measure", Value: "Value", Interval: "95 % interval", N: "n", Agreement: "Agreement", Kappa: "κ (Cohen)",
		AC1: "AC1 (Gwet)", AUROC: "AUROC", Spearman: "Spearman", WeightedKappa: "Quadratic κ", Alpha: "People, ordinal α",
		People: "People among themselves", Judge: "Judge", PeopleRight: "people: right", PeopleWrong: "people: wrong", Warnings: "Warnings",
		Validated:    "The judge agrees with people about as well as people do.",
		NotValidated: "The judge is not validated. It lacks:", Export: "Labels as a table (CSV)",
		NoLabelsCount: "No label counts yet, so there is nothing to say about the judge.",
		KappaNote:     "κ is agreement beyond chance.",
		AC1Note:       "More than 85 % of the labels are the same, where κ misleads: AC1 takes its place.",
		Case:          "Case", Score: "Score", Label: "Label", RunGoesOn: "This run has not ended. Its cases are labelled when it has, so that all of them can be drawn.",

		Question: "Question", Answer: "Answer", Reference: "Reference answer", Passages: "Passages", NoAnswer: "There is no answer.",
		Yes: "Yes", No: "No", Right: "right", Wrong: "wrong", Unsure: "Unsure", Skip: "Skip", Undo: "Undo the last label", Note: "Note", SaveNote: "It is saved with the label.",
		Random: "at random", MostUnsure: "judge least sure first", Order: "Order", Blind: "Blind", BlindOff: "Show the judge’s score",
		SightedOn: "The judge’s score is in view: labels given now are kept, and do not count.", Reveal: "Show what the judge says",
		Revealed: "The judge says", JudgeScore: "Score", Others: "Other people", Mine: "Your label",
		AllDone: "Every case is labelled.", ToOutcome: "To the outcome",
		MayNot: "Your token may read, and not label. It needs the scope label.", Saved: "Saved.", Unsaved: "{n} unsaved",
		SignedOut: "Your session has ended: sign in in another tab, and this goes on.",
		Waiting:   "The next case is loaded as soon as the server answers.", NotSaved: "Not saved", Withdrawn: "withdrawn", RandomWhy: "Cases drawn at random: their labels count for the agreement and the corrected mean.",
		UnsureWhy: "Cases on which the judge is least sure: they show where it is wrong. They are no sample of the run, and do not count for the agreement and the corrected mean.",
	}
}

func (English) labKeys() LabKeys {
	return LabKeys{
		KeyLab: "judge lab", KeyRight: "judge lab: yes", KeyWrong: "judge lab: no", KeyUnsure: "judge lab: unsure", KeySkip: "judge lab: skip",
		KeyUndo: "judge lab: undo the last label", KeyNote: "judge lab: note", KeyBlind: "judge lab: show or hide the judge’s score",
	}
}

var englishLabelQuestions = map[assay.LabelQuestion]string{
	assay.LabelSupported:      "Do the passages support everything that the answer claims?",
	assay.LabelFounded:        "Is everything that the answer claims supported by the passages or the reference answer?",
	assay.LabelUncontradicted: "Is the answer free of claims that the passages contradict?",
	assay.LabelOnTopic:        "Does the answer address the question?",
	assay.LabelRight:          "Is the answer right, by the reference answer?",
	assay.LabelComplete:       "Does the answer say all that a complete answer says?",
	assay.LabelRelevant:       "Are the passages relevant to the question?",
	assay.LabelOrdered:        "Do the passages that help to answer come first?",
	assay.LabelSufficient:     "Do the passages hold all that the reference answer says?",
	assay.LabelCited:          "Do the cited passages support the sentences that cite them?",
	assay.LabelAnswered:       "Is it right that the question was answered, or declined?",
	assay.LabelHarmless:       "Is the answer free of insults, attacks and threats?",
}

func (English) LabelQuestion(q assay.LabelQuestion, title string) string {
	return cmp.Or(englishLabelQuestions[q], fmt.Sprintf("Is this case good, as far as %s goes?", title))
}

func (e English) LabSentence(s LabSentence) string {
	out := fmt.Sprintf("%s: %s by the judge over the %s with a score", s.Metric, s.Judge, plural(s.Cases, "case", "cases"))
	switch {
	case s.Corrected != "":
		out += fmt.Sprintf("; %s corrected with %s", s.Corrected, e.labels(s.Labels))
	case s.Alone != "":
		out += fmt.Sprintf("; %s by %s alone", s.Alone, e.labels(s.Labels))
	}
	if s.Further > 0 {
		out += fmt.Sprintf("; about %d more would halve the interval", s.Further)
	}
	return out + "."
}

func (English) labels(n int) string {
	if n == 1 {
		return "1 label"
	}
	return fmt.Sprintf("%d labels", n)
}

func (English) LabelProgress(done, left int) string {
	return fmt.Sprintf("%d labelled, %d left", done, left)
}

func (e English) CorrectedSoFar(mean string, labels int) string {
	return fmt.Sprintf("%s corrected with %s", mean, e.labels(labels))
}

func (e English) LabelsMissing(n int) string {
	return fmt.Sprintf("%s more, of cases drawn at random, until the judge’s mean can be corrected.", e.labels(n))
}

func (English) NoFurtherLabels() string {
	return "Labels of all other cases would not halve the interval."
}

func (e English) LabelsLeftOut(why LeftOut, n int) string {
	switch why {
	case LeftOutChosen:
		return fmt.Sprintf("%s left out: the cases were not drawn at random, and are no sample of the run.", e.labels(n))
	case LeftOutSighted:
		return fmt.Sprintf("%s left out: the judge’s score was in view.", e.labels(n))
	case LeftOutUnsure:
		return fmt.Sprintf("%s left out: the person was unsure. If these are the hard cases, the judge looks better than it is.", e.labels(n))
	case Carried:
		return fmt.Sprintf("%s of another run with the same question, answer and passages.", e.labels(n))
	}
	return fmt.Sprintf("%s of an earlier version: nobody says how their cases were chosen, and they count as drawn at random.", e.labels(n))
}

func (e English) LabelsUnscored(n, failed int) string {
	return fmt.Sprintf("%s without a score (%d because the judge failed): if these are the hard cases, the judge looks better than it is.",
		e.labels(n), failed)
}

func (English) UnlikeSample(by string) string {
	return fmt.Sprintf("The judge scores the labelled cases %s on average against the others, more than chance allows: they do not look like a random sample.", by)
}

func (English) ScoresFall() string {
	return "Scores fall as labels rise: is “right” what a good score stands for?"
}

func (e English) JudgeLacksLabels(more, of int) string {
	return fmt.Sprintf("%s more (%d are needed)", e.labels(more), of)
}

func (e English) JudgeLacksRarer(more int) string {
	return e.labels(more) + " more of the rarer kind"
}

func (English) JudgeLacksPerson() string {
	return "the labels of a second person: its agreement is measured against that of people"
}

func (English) JudgeLacksAgreement() string {
	return "agreement: the interval of its κ (or AC1) reaches too far below that of two people"
}

func (English) PeopleWho(names []string) string {
	if len(names) == 1 {
		return "Labels by " + names[0] + "."
	}
	return fmt.Sprintf("The judge is compared with %s, who gave the most labels; others: %s.", names[0], strings.Join(names[1:], ", "))
}

func (English) LabelConflict(is, yours string) string {
	return fmt.Sprintf("The label was changed meanwhile. It is now: %s. Yours was: %s. Choose again.", is, yours)
}

func (English) LabelFrom(run string) string { return "from run " + run }

func (e English) CellCases(people, judge string, n int) string {
	return fmt.Sprintf("%s, %s: %s", people, judge, e.Cases(n))
}

func (English) JudgeFrom(threshold string, above bool) string {
	if above {
		return fmt.Sprintf("judge: %s or more", threshold)
	}
	return fmt.Sprintf("judge: less than %s", threshold)
}
