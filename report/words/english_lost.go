package words

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/summary"
)

func (English) LostTitle() string { return "Where answers are lost" }

// Lost returns a sentence that can be quoted, the worst stage first:
//
//	Of 57 wrong answers, 31 are put down to retrieve (54 %, 95 % CI 41…67 %), 14 to filter, 9 to generate, and 3 are
//	unresolved; fixing retrieve first could recover at most 31; 7 of them fail again at generate.
//	Of 15 wrong answers, 15 are put down to retrieve (100 %); fixing retrieve first could recover at most 15; at most
//	30 with the 15 answers whose outcome or stage is unknown.
//	No answer is wrong; of 120 facts, 110 reached the answer (92 %), 6 were lost at filter, 4 at generate.
//	Of 339 facts, 265 were found (78 %), 74 were lost at retrieve.
func (English) Lost(w *summary.Waterfall) string {
	none := "No answer is wrong"
	if w.Unknown > 0 {
		none = "No answer is known to be wrong"
	}
	if w.Unfollowed > 0 {
		none += fmt.Sprintf(" of the %d that %s followed", w.Cases, was(w.Cases))
	}
	switch {
	case w.Retrieval && w.Facts > 0:
		return upper(facts(w)) + "."
	case w.Failed == 0 && w.Facts == 0:
		return none + ", and there was no evidence to follow."
	case w.Failed == 0:
		return none + "; " + facts(w) + "."
	}
	lost := w.Worst()
	parts := make([]string, len(lost))
	for i, v := range lost {
		parts[i] = part(w, v, i == 0)
	}
	last := len(parts) - 1
	if last > 0 && !lost[last].Located() {
		parts[last] = "and " + parts[last]
	}
	text := "Of " + plural(w.Failed, "wrong answer", "wrong answers") + ", " + strings.Join(parts, ", ")
	if first := lost[0]; first.Located() {
		text += fmt.Sprintf("; %s first could recover at most %d", mending(first.Stage), first.Cases)
		for i, a := range first.Again {
			if i == 0 {
				text += fmt.Sprintf("; %d of them %s again %s", a.Cases, fail(a.Cases), againAt(a.Stage))
			} else {
				text += fmt.Sprintf(", %d %s", a.Cases, againAt(a.Stage))
			}
		}
		if w.Open > 0 {
			text += fmt.Sprintf("; at most %d with the %s whose outcome or stage is unknown", first.Cases+w.Open,
				plural(w.Open, "answer", "answers"))
		}
	}
	return text + "."
}

func (English) Followed(w *summary.Waterfall) string {
	if w.Failed == 0 || w.Facts == 0 {
		return ""
	}
	return upper(facts(w)) + "."
}

// upper changes the first letter of a sentence to upper case.
func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// facts returns how many facts were found or reached the answer, and where the others
// were lost.
func facts(w *summary.Waterfall) string {
	reached := "reached the answer"
	if w.Retrieval {
		reached = was(w.Answered) + " found"
	}
	s := fmt.Sprintf("of 1 fact, %d %s", w.Answered, reached)
	if w.Facts != 1 {
		s = fmt.Sprintf("of %d facts, %d %s (%s)", w.Facts, w.Answered, reached, summary.Percent(w.Survival))
	}
	verb := " %s lost"
	for _, at := range w.Stages {
		if at.Lost == 0 {
			continue
		}
		s += fmt.Sprintf(", %d", at.Lost)
		if verb != "" {
			s += fmt.Sprintf(verb, was(at.Lost))
		}
		s, verb = s+" "+atStage(at.Stage), ""
	}
	return s
}

// againAt returns where an answer fails again.
func againAt(stage string) string {
	if stage == assay.LostNotInIndex {
		return "for want of evidence in the index"
	}
	return atStage(stage)
}

func fail(n int) string {
	if n == 1 {
		return "fails"
	}
	return "fail"
}

// toStage returns what a wrong answer is put down to. Answers are put down to a stage,
// facts are lost at one: an answer can be wrong because of a stage that lost no fact.
func toStage(stage string) string {
	switch stage {
	case assay.LostNotInIndex:
		return "to an index that lacks the evidence"
	case assay.LostPresent:
		return "to what was shown"
	}
	return "to " + stage
}

// part returns how many of the wrong answers are put down to a stage.
func part(w *summary.Waterfall, v summary.Verdict, first bool) string {
	switch {
	case v.Stage == assay.LostUnresolved:
		return plural(v.Cases, "is", "are") + " unresolved"
	case v.Stage == "":
		return fmt.Sprintf("for %d the stage is unknown", v.Cases)
	case !first:
		return fmt.Sprintf("%d %s", v.Cases, toStage(v.Stage))
	}
	s := fmt.Sprintf("%s put down %s (%s", plural(v.Cases, "is", "are"), toStage(v.Stage), summary.Percent(v.Share))
	if v.ShareCI != nil {
		s += fmt.Sprintf(", %.4g %% CI %s", 100*w.Level, summary.Percents(*v.ShareCI))
	}
	return s + ")"
}

func was(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// atStage returns where something was lost, as in "lost at retrieve".
func atStage(stage string) string {
	switch stage {
	case assay.LostNotInIndex:
		return "to an index that lacks it"
	case assay.LostPresent:
		return "in what was shown"
	case assay.LostUnresolved:
		return "for reasons that no stage explains"
	case "":
		return "at an unknown stage"
	}
	return "at " + stage
}

// mending returns how a stage would be corrected.
func mending(stage string) string {
	switch stage {
	case assay.LostNotInIndex:
		return "filling the index"
	case assay.LostPresent:
		return "fixing what is shown"
	}
	return "fixing " + stage
}

func (English) Unknown(w *summary.Waterfall) string {
	if w.Unknown == 0 {
		return ""
	}
	return fmt.Sprintf("Of %d followed, %s neither right nor wrong by the labels; a judge, or --outcome, decides such answers.",
		w.Cases, plural(w.Unknown, "answer is", "answers are"))
}

func (e English) LostNotes(w *summary.Waterfall) []string {
	var out []string
	for _, m := range w.Merged {
		s := fmt.Sprintf("%s cannot be told from %s", e.Stage(m.Stage), e.Stage(m.Into))
		if m.Cases < w.Cases {
			s += fmt.Sprintf(" in %d of %s", m.Cases, e.Cases(w.Cases))
		}
		out = append(out, s+", which answers for both")
	}
	if n := w.SelfKnowledge; n > 0 {
		out = append(out, plural(n, "fact is", "facts are")+" in an answer and not in its prompt (self-knowledge): counted where the "+
			"prompt lost it")
	}
	for _, u := range w.Unclear {
		out = append(out, "stage unknown in "+e.Cases(u.Cases)+": "+e.LostUnknown(u.Reason))
	}
	if n := w.Unfollowed; n > 0 {
		out = append(out, e.Cases(n)+" could not be followed: no response, or nothing labelled to follow")
	}
	if g := w.Ladder; g != nil {
		if g.Broken > 0 {
			out = append(out, plural(g.Broken, "wrong answer was", "wrong answers were")+" not asked again to the end, because of an error")
		}
		if g.NonMonotone > 0 {
			out = append(out, plural(g.NonMonotone, "wrong answer was", "wrong answers were")+
				" right with fewer stages replaced than with more (non-monotone): put down to the first that mended it")
		}
	}
	return out
}

func (e English) Again(list []summary.Again) string {
	var parts []string
	for _, a := range list {
		parts = append(parts, fmt.Sprintf("%d %s", a.Cases, againAt(a.Stage)))
	}
	return strings.Join(parts, ", ")
}

func (English) LostHeads(evidenceOf string) LostHeads {
	return LostHeads{
		Stage: "Stage", Evidence: "Evidence of " + evidenceOf, Left: "Left", Lost: "Lost", ShareOfAll: "Share of " +
			"all", Share: "Share", OfWhatCame: "Of what came",
		WrongAnswers: "Wrong answers", FailAgain: "Fail again", Which: "Which", RightWith: "Right with", Right: "Right", Gain: "Gain",
	}
}
func (English) FallNote() string {
	return "Each line is a stage: the full bar is what of the evidence goes further, the broken one behind it what the stage lost."
}
func (English) LadderNote(cases int) string {
	return plural(cases, "wrong answer was", "wrong answers were") +
		" asked for again with the right outputs of more and more stages, from the first on; " +
		"shares are of these cases. What stays wrong is the fault of labels, or of what judges."
}
func (English) Stage(stage string) string {
	switch stage {
	case assay.LostNotInIndex:
		return "not in the index"
	case assay.LostPresent:
		return "shown"
	case assay.LostUnresolved:
		return "unresolved"
	case "":
		return "stage unknown"
	}
	return clipped(stage)
}
func (English) FactsWord() string { return "facts" }
func (English) Reached(retrieval bool) string {
	if retrieval {
		return "found"
	}
	return "answered"
}
func (English) AsItIs() string                { return "as it is" }
func (English) WithRight(stage string) string { return "+ right " + stage }
func (English) StillWrong() string            { return "still wrong" }
func (English) BarLabels(name string, kept, lost, all int) (full, rest, label string) {
	full, rest = plural(kept, "fact", "facts")+" left", plural(lost, "fact", "facts")+" lost"
	label = fmt.Sprintf("%s: %d of %d left", name, kept, all)
	if lost > 0 {
		label += fmt.Sprintf(", %d lost here", lost)
	}
	return full, rest, label
}
func (English) LostCard(cases, of int) (name, note string) {
	return "put down to", fmt.Sprintf("%d of %s", cases, plural(of, "wrong answer", "wrong answers"))
}
func (English) LostCompareNote() string {
	return "Shares of all facts, over the cases that both runs followed. A share that moves from one stage to a later one is evidence " +
		"that now gets further; " +
		"only what the answers have is a gain."
}
func (e English) LostOf(baseline, run string, cases int) string {
	return "Where answers are lost: " + baseline + " and " + run + ", " + e.Cases(cases)
}
func (English) LostSame(runs []string, baseline, reached string, shares []string) string {
	return "where answers are lost: no stage at which " + strings.Join(runs, " or ") + " can be shown to differ from " + baseline +
		" (facts " + reached + ": " + strings.Join(shares, ", ") + ")"
}

// LostAt names the stage that a wrong answer is put down to.
func (English) LostAt(stage string) string {
	if stage == assay.LostUnresolved {
		return "unresolved"
	}
	return document.Clip(document.Line("put down "+toStage(stage)), 48)
}
