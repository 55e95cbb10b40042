package words

import "github.com/assay-eval/assay"

// labs are the words of the judge lab, where people label cases and see how far the judge
// agrees with them.
type labs interface {
	LabNames() LabNames
	// LabelQuestion is what people decide about a case for a metric with the title.
	LabelQuestion(q assay.LabelQuestion, title string) string
	// LabSentence says what the judge and people make of a run.
	LabSentence(s LabSentence) string
	// LabelProgress counts the labels of a person: "12 labelled, 48 left".
	LabelProgress(done, left int) string
	// CorrectedSoFar is the corrected mean while people label: "0.76 [0.71, 0.81]".
	CorrectedSoFar(mean string, labels int) string
	// LabelsMissing says how many labels the mean lacks to be corrected.
	LabelsMissing(n int) string
	// NoFurtherLabels says that no number of labels would halve the interval.
	NoFurtherLabels() string
	// LabelsLeftOut says how many labels do not count, and why.
	LabelsLeftOut(why LeftOut, n int) string
	// LabelsUnscored says how many labels are of cases without a score, failed of them
	// because the judge failed.
	LabelsUnscored(n, failed int) string
	// UnlikeSample says that the judge scores the labelled cases otherwise than the rest.
	UnlikeSample(by string) string
	// ScoresFall says that scores fall as labels rise.
	ScoresFall() string
	// JudgeLacks say what a judge lacks to be validated: labels of both kinds, of the rarer
	// kind, of a second person, or agreement.
	JudgeLacksLabels(more, of int) string
	JudgeLacksRarer(more int) string
	JudgeLacksPerson() string
	JudgeLacksAgreement() string
	// PeopleWho names the people who labelled, and whom the judge is compared with.
	PeopleWho(names []string) string
	// LabelConflict says what a label was changed to, and what it was to be.
	LabelConflict(is, yours string) string
	// LabelFrom says of which run a label is.
	LabelFrom(run string) string
	// CellCases titles the cases of a cell of the table of rulings.
	CellCases(people, judge string, n int) string
	// JudgeFrom is the heading of a ruling: "judge: 0.5 or more".
	JudgeFrom(threshold string, above bool) string
}

// LeftOut is why a label does not count.
type LeftOut int

// The reasons.
const (
	LeftOutChosen LeftOut = iota
	LeftOutSighted
	LeftOutUnsure
	// Undeclared labels count, but nobody says how their cases were chosen; Carried ones are
	// of other runs.
	Undeclared
	Carried
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
