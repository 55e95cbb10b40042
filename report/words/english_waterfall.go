package words

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// Lost gives a sentence that can be quoted, the worst stage first:
//
//	Of 57 wrong answers, 31 were lost at retrieve (54 %, 95 % CI 41…67 %), 14 at filter, 9 at generate, and 3 are
//	unresolved; fixing retrieve first would mend up to 31.
//	No answer is wrong; of 120 facts, 110 reached the answer (92 %), 6 were lost at filter, 4 at generate.
//	Of 339 facts, 265 were found (78 %), 74 were lost at retrieve.
func (English) Lost(w *summary.Waterfall) string {
	none := "No answer is wrong"
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
		text += fmt.Sprintf("; %s first would mend up to %d", mending(first.Stage), first.Cases)
	}
	return text + "."
}

func (English) Followed(w *summary.Waterfall) string {
	if w.Failed == 0 || w.Facts == 0 {
		return ""
	}
	return upper(facts(w)) + "."
}

// upper makes the first letter of a sentence a capital.
func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// facts says how many facts were found or reached the answer, and where the
// others were lost.
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

// part says how many of the wrong answers were lost at a stage.
func part(w *summary.Waterfall, v summary.Verdict, first bool) string {
	switch {
	case v.Stage == assay.LostUnresolved:
		return plural(v.Cases, "is", "are") + " unresolved"
	case v.Stage == "":
		return fmt.Sprintf("for %d the stage is unknown", v.Cases)
	case !first:
		return fmt.Sprintf("%d %s", v.Cases, atStage(v.Stage))
	}
	s := fmt.Sprintf("%d %s lost %s (%s", v.Cases, was(v.Cases), atStage(v.Stage), summary.Percent(v.Share))
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

// atStage says where something was lost, as in "lost at retrieve".
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

// mending says how a stage would be mended.
func mending(stage string) string {
	switch stage {
	case assay.LostNotInIndex:
		return "filling the index"
	case assay.LostPresent:
		return "fixing what is shown"
	}
	return "fixing " + stage
}
