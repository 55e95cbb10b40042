package words

import "github.com/assay-eval/assay/summary"

// lost are the words about where answers are lost.
type lost interface {
	LostTitle() string
	// Lost says to which stages the wrong answers are put down or, if there are none, where
	// facts were lost. Its numbers are those of the table below it. Followed says what became of the
	// facts; it is "" if Lost has said it.
	Lost(w *summary.Waterfall) string
	Followed(w *summary.Waterfall) string
	// Unknown says how many answers are neither right nor wrong as far as is known; "" if
	// there are none.
	Unknown(w *summary.Waterfall) string
	LostNotes(w *summary.Waterfall) []string
	// Again says how many cases fail again at other stages: "7 at generate".
	Again(list []summary.Again) string
	LostHeads(evidenceOf string) LostHeads
	FallNote() string
	LadderNote(cases int) string
	// Stage names a stage of [assay.LossStages] or a target's own.
	Stage(stage string) string
	FactsWord() string
	Reached(retrieval bool) string
	AsItIs() string
	WithRight(stage string) string
	StillWrong() string
	// LostAt names the stage that a wrong answer is put down to.
	LostAt(stage string) string
	BarLabels(name string, kept, lost, all int) (full, rest, label string)
	LostCard(cases, of int) (name, note string)
	LostCompareNote() string
	LostOf(baseline, run string, cases int) string
	LostSame(runs []string, baseline, reached string, shares []string) string
}

// LostHeads are the headings of the tables about where answers are lost.
type LostHeads struct {
	Stage, Evidence, Left, Lost, ShareOfAll, Share, OfWhatCame string
	WrongAnswers, FailAgain, Which, RightWith, Right, Gain     string
}
