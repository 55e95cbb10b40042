package words

import "github.com/assay-eval/assay"

// LabelQuestion is what people decide about a case for a metric with the title.
func (w Words) LabelQuestion(q assay.LabelQuestion, title string) string {
	return w.told("LabelQuestion", string(q), v{"title": title})
}

// LabelConflict says what a label was changed to, and what it was to be.
func (w Words) LabelConflict(is, yours string) string {
	return w.Say("LabelConflict", v{"is": is, "yours": yours})
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
