package summary

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// Lost says in a sentence where the answers that are wrong were lost, those of the
// worst stage first, and what mending that one could bring:
//
//	Of 57 wrong answers, 31 were lost at retrieve (54 %, 95 % CI 41…67 %), 14 at filter, 9 at generate, and 3 are unresolved; fixing retrieve first would mend up to 31.
//	No answer is wrong; of 120 facts, 110 reached the answer (92 %), 6 were lost at filter, 4 at generate.
//	Of 339 facts, 265 were found (78 %), 74 were lost at retrieve.
func (w *Waterfall) Lost() string {
	switch {
	case w.Retrieval && w.Facts > 0:
		return upper(w.facts()) + "."
	case w.Failed == 0 && w.Facts == 0:
		return w.none() + ", and there was no evidence to follow."
	case w.Failed == 0:
		return w.none() + "; " + w.facts() + "."
	}
	lost := slices.Clone(w.Verdicts)
	slices.SortStableFunc(lost, func(a, b Verdict) int {
		if (isPlace(a.Stage)) != isPlace(b.Stage) {
			return map[bool]int{true: -1, false: 1}[isPlace(a.Stage)]
		}
		return b.Cases - a.Cases
	})
	parts := make([]string, len(lost))
	for i, v := range lost {
		parts[i] = w.part(v, i == 0)
	}
	text := "Of 1 wrong answer, "
	if w.Failed != 1 {
		text = fmt.Sprintf("Of %d wrong answers, ", w.Failed)
	}
	if n := len(parts); n > 1 && !isPlace(lost[n-1].Stage) {
		text += strings.Join(parts[:n-1], ", ") + ", and " + parts[n-1]
	} else {
		text += strings.Join(parts, ", ")
	}
	if first := lost[0]; isPlace(first.Stage) {
		text += fmt.Sprintf("; %s first would mend up to %d", mending(first.Stage), first.Cases)
	}
	return text + "."
}

// none says that no answer is wrong, as far as anybody looked.
func (w *Waterfall) none() string {
	if w.Unfollowed == 0 {
		return "No answer is wrong"
	}
	return fmt.Sprintf("No answer is wrong of the %d that %s followed", w.Cases, was(w.Cases))
}

// Followed says in a sentence what became of the facts; "" when there are none,
// or when [Waterfall.Lost] says it.
func (w *Waterfall) Followed() string {
	if w.Failed == 0 || w.Facts == 0 {
		return ""
	}
	return upper(w.facts()) + "."
}

// upper begins a sentence.
func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// reached says what became of the facts that no stage lost: "reached the answer",
// or "were found" when there are no answers.
func (w *Waterfall) reached() string {
	switch {
	case !w.Retrieval:
		return "reached the answer"
	case w.Answered == 1:
		return "was found"
	}
	return "were found"
}

func (w *Waterfall) facts() string {
	s := fmt.Sprintf("of %d facts, %d %s (%s)", w.Facts, w.Answered, w.reached(), Percent(w.Survival))
	if w.Facts == 1 {
		s = fmt.Sprintf("of 1 fact, %d %s", w.Answered, w.reached())
	}
	lost := slices.DeleteFunc(slices.Clone(w.Stages), func(s WaterfallStage) bool { return s.Lost == 0 })
	for i, at := range lost {
		if i == 0 {
			s += fmt.Sprintf(", %d %s lost %s", at.Lost, was(at.Lost), At(at.Stage))
		} else {
			s += fmt.Sprintf(", %d %s", at.Lost, At(at.Stage))
		}
	}
	return s
}

// part says how many of the wrong answers were lost at a stage.
func (w *Waterfall) part(v Verdict, first bool) string {
	switch {
	case v.Stage == assay.LostUnresolved && v.Cases == 1:
		return "1 is unresolved"
	case v.Stage == assay.LostUnresolved:
		return fmt.Sprintf("%d are unresolved", v.Cases)
	case v.Stage == "":
		return fmt.Sprintf("for %d the stage is unknown", v.Cases)
	case !first:
		return fmt.Sprintf("%d %s", v.Cases, At(v.Stage))
	}
	s := fmt.Sprintf("%d %s lost %s (%s", v.Cases, was(v.Cases), At(v.Stage), Percent(v.Share))
	if v.ShareCI != nil {
		s += fmt.Sprintf(", %.4g %% CI %s", 100*w.Level, Percents(*v.ShareCI))
	}
	return s + ")"
}

// isPlace reports whether a verdict names a place where answers are lost.
func isPlace(stage string) bool { return stage != "" && stage != assay.LostUnresolved }

func was(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// At says where something was lost, as in "lost at retrieve".
func At(stage string) string {
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

// mending says what would be done about a stage.
func mending(stage string) string {
	switch stage {
	case assay.LostNotInIndex:
		return "filling the index"
	case assay.LostPresent:
		return "fixing what is shown"
	}
	return "fixing " + stage
}

// Percent shows a share, "54 %"; one that is not 0 or 1 does not look like it.
func Percent(share float64) string { return percentage(share) + " %" }

// Percents shows an interval of shares: "41…67 %".
func Percents(ci stats.Interval) string { return percentage(ci.Lo) + "…" + Percent(ci.Hi) }

func percentage(share float64) string {
	v := 100 * share
	if v < 1e-7 || v > 100-1e-7 {
		return fmt.Sprintf("%.0f", v)
	}
	decimals := 0
	for edge := 0.5; v < edge || v > 100-edge; edge /= 10 {
		decimals++
	}
	return fmt.Sprintf("%.*f", decimals, v)
}
