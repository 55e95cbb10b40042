package words

import "github.com/assay-eval/assay"

// LabelQuestion is what people decide about a case for a metric with the title.
func (w Words) LabelQuestion(q assay.LabelQuestion, title string) string {
	return w.told("LabelQuestion", string(q), v{"title": title})
}

// LabSentence says what the judge and people make of a run.
func (w Words) LabSentence(s LabSentence) string { return w.Say("LabSentence", s) }

// LabelProgress counts the labels of a person: "12 labelled, 48 left".
func (w Words) LabelProgress(done, left int) string {
	return w.Say("LabelProgress", v{"done": done, "left": left})
}

// CorrectedSoFar is the corrected mean while people label: "0.76 [0.71, 0.81]".
func (w Words) CorrectedSoFar(mean string, labels int) string {
	return w.Say("CorrectedSoFar", v{"mean": mean, "labels": labels})
}

// LabelsMissing says how many labels the mean lacks to be corrected.
func (w Words) LabelsMissing(n int) string { return w.Say("LabelsMissing", v{"n": n}) }

// LabelsLeftOut says how many labels do not count, and why.
func (w Words) LabelsLeftOut(why LeftOut, n int) string {
	return w.Say("LabelsLeftOut."+string(why), v{"n": n})
}

// LabelsUnscored says how many labels are of cases without a score, failed of them
// because the judge failed.
func (w Words) LabelsUnscored(n, failed int) string {
	return w.Say("LabelsUnscored", v{"n": n, "failed": failed})
}

// UnlikeSample says that the judge scores the labelled cases otherwise than the rest.
func (w Words) UnlikeSample(by string) string { return w.Say("UnlikeSample", v{"by": by}) }

// JudgeLacksLabels and those below it say what a judge lacks to be validated: labels of both kinds, of the rarer
// kind, of a second person, or agreement.
func (w Words) JudgeLacksLabels(more, of int) string {
	return w.Say("JudgeLacksLabels", v{"more": more, "of": of})
}
func (w Words) JudgeLacksRarer(more int) string { return w.Say("JudgeLacksRarer", v{"more": more}) }

// PeopleWho names the people who labelled, and whom the judge is compared with.
func (w Words) PeopleWho(names []string) string {
	return w.Say("PeopleWho", v{"first": names[0], "others": names[1:]})
}

// LabelConflict says what a label was changed to, and what it was to be.
func (w Words) LabelConflict(is, yours string) string {
	return w.Say("LabelConflict", v{"is": is, "yours": yours})
}

// LabelFrom says of which run a label is.
func (w Words) LabelFrom(run string) string { return w.Say("LabelFrom", v{"run": run}) }

// CellCases titles the cases of a cell of the table of rulings.
func (w Words) CellCases(people, judge string, n int) string {
	return w.Say("CellCases", v{"people": people, "judge": judge, "n": n})
}

// JudgeFrom is the heading of a ruling: "judge: 0.5 or more".
func (w Words) JudgeFrom(threshold string, above bool) string {
	return w.Say("JudgeFrom", v{"threshold": threshold, "above": above})
}

// LeftOut is why a label does not count.
type LeftOut string

// The reasons.
const (
	LeftOutChosen  LeftOut = "LeftOutChosen"
	LeftOutSighted LeftOut = "LeftOutSighted"
	LeftOutUnsure  LeftOut = "LeftOutUnsure"
	// Undeclared labels count, but nobody says how their cases were chosen; Carried ones are
	// of other runs.
	Undeclared LeftOut = "Undeclared"
	Carried    LeftOut = "Carried"
)

// A LabSentence is what the judge and people make of a run. Texts are numbers as they are to
// be shown.
type LabSentence struct {
	Metric, Judge string
	// Cases is the number of cases with a score, which Judge is the mean of.
	Cases int
	// Corrected is "" if there are too few labels, Alone is the mean of the labels if all cases
	// have one.
	Corrected, Alone string
	Labels           int
	// Further is how many further labels would halve the interval, 0 if that is not known.
	Further int
}

// LabNames are the labels of the judge lab.
type LabNames struct {
	Title, Intro, Metric, Labels, NoRuns, NoRunsHow, LabelCases string
	// The outcome.
	Measure, Value, Interval, N, Agreement, Kappa, AC1, AUROC, Spearman, WeightedKappa, Alpha         string
	People, Judge, PeopleRight, PeopleWrong, Warnings, Validated, NotValidated, Export, NoLabelsCount string
	KappaNote, AC1Note, Case, Score, Label, RunGoesOn                                                 string
	// Labelling.
	Question, Answer, Reference, Passages, NoAnswer, Yes, No, Right, Wrong, Unsure, Skip, Undo, Note, SaveNote, Random, MostUnsure string
	Order, Blind, BlindOff, SightedOn, Reveal, Revealed, JudgeScore, Others, Mine, AllDone, ToOutcome, MayNot                      string
	Saved, Unsaved, SignedOut, Waiting, NotSaved, Withdrawn, RandomWhy, UnsureWhy                                                  string
}

// LabKeys are what the keys of the judge lab do.
type LabKeys struct{ KeyLab, KeyRight, KeyWrong, KeyUnsure, KeySkip, KeyUndo, KeyNote, KeyBlind string }
