package words

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay/summary"
)

func (English) NoiseAdvice(n summary.Noise) []string {
	if n.Silent() {
		return []string{"Nothing changed between draws: asking each case once is enough, and a difference between two versions is not noise."}
	}
	var out []string
	switch metric, need, ok := n.Hardest(); {
	case !ok:
	case need.Cases == 0:
		out = append(out, fmt.Sprintf("No number of cases shows a difference of %g against the noise of %s.", n.Effect, metric))
	case need.Repeat <= 1:
		out = append(out, fmt.Sprintf("To see a difference of %g, asking each of these cases once is enough: the noise hides no such difference "+
			"in any metric.", n.Effect))
	case need.Repeat <= summary.MostRepeats:
		out = append(out, fmt.Sprintf("To see a difference of %g in %s, the noisiest metric, ask these cases with --repeat %d in both versions, "+
			"or %d cases once.", n.Effect, metric, need.Repeat, need.Cases))
	default:
		out = append(out, fmt.Sprintf("To see a difference of %g in %s, the noisiest metric, takes %d cases asked once; repeating these few "+
			"cases costs more than it gains.", n.Effect, metric, need.Cases))
	}
	if judged := n.JudgeMoves(); judged != nil {
		out = append(out, fmt.Sprintf("The judge moves %s more than the target does: more --passes, or a panel, help at less cost than asking "+
			"the target again.", names(judged)))
	}
	if n.Undivided() {
		out = append(out, "A model judged each response once, so target and judge cannot be told apart: want --rejudge 2 or more.")
	}
	return out
}

// names joins names for a sentence: "a, b and c".
func names(list []string) string {
	if len(list) > 3 {
		return fmt.Sprintf("%s, %s and %d more", list[0], list[1], len(list)-2)
	}
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

func (English) DrawsTitle() string { return "Draws" }
func (English) DrawsNote(draws int, same bool) string {
	s := fmt.Sprintf("Each case was asked %d times, and each answer judged by itself. Means are over the cases' own means, so that n "+
		"counts cases.", draws)
	if same {
		s += " All draws of every case gave the same scores."
	}
	return s
}
func (English) Passing() string {
	return "A draw passes when the target answered and no threshold was missed. pass@k is the chance that at least one of k draws " +
		"passes, pass^k that all do."
}
func (English) DrawHeads() DrawHeads {
	return DrawHeads{Metric: "Metric", Changed: "Cases that change", SD: "sd within a case", Furthest: "Moved furthest"}
}
func (English) By(spread string) string { return "by " + spread }
func (English) NoNoise() string         { return "No metric has a value in two draws of a case." }
func (English) NeedsTitle() string      { return "What it takes" }
func (English) NoiseHeads() NoiseHeads {
	return NoiseHeads{
		Metric: "Metric", Mean: "Mean", Cases: [2]string{"sd of", "cases"}, Target: [2]string{"sd of",
			"target"}, Judge: [2]string{"sd of", "judge"},
		Floor: [2]string{"noise", "floor"}, Largest: [2]string{"largest", "A/A Δ"}, Shown: [2]string{"A/A",
			"shown"}, Changed: [2]string{"cases", "changed"},
	}
}
func (English) EachAsked(draws int, same bool) string {
	s := fmt.Sprintf("%d of each case", draws)
	if same {
		s += " · all the same"
	}
	return s
}
func (English) CasesDiffer(n, of int, which string) string {
	return fmt.Sprintf("%d of %s differ between draws: %s", n, plural(of, "case", "cases"), which)
}
func (English) Flaky(f Flaky) string {
	var parts []string
	if f.Passed > 0 && f.Passed < f.Draws {
		parts = append(parts, fmt.Sprintf("%d of %d pass", f.Passed, f.Draws))
	}
	switch {
	case f.Metric != "":
		parts = append(parts, f.Metric+" by "+f.Spread)
	case f.Metrics != nil:
		parts = append(parts, strings.Join(f.Metrics, ", ")+" not in all")
	case parts == nil:
		return "fails in different ways"
	}
	return strings.Join(parts, ", ")
}
func (English) Spreads(metrics []string) string {
	return "sd within a case, and how many change: " + strings.Join(metrics, ", ")
}
func (English) NoiseNames() NoiseNames {
	return NoiseNames{Draws: "Draws", Floor: "Floor", Same: "A/A", Flaky: "Flaky"}
}
func (English) NoiseDraws(draws, judgings int) string {
	judged := "each response was judged once"
	if judgings > 1 {
		judged = fmt.Sprintf("the first response to each was judged %d times", judgings)
	}
	return fmt.Sprintf("each case was asked %d times; %s", draws, judged)
}
func (English) NoiseFloor(level string) string {
	return "two runs of this system over these cases lie less than this apart in " + level + " of pairs"
}
func (English) FalseAlarms(shown, comparisons int, share string) string {
	show := "show"
	if shown == 1 {
		show = "shows"
	}
	return fmt.Sprintf("%d of %s of a draw with another, of all metrics, %s a difference; by chance %s of them may, and all are false alarms",
		shown, plural(comparisons, "comparison", "comparisons"), show, share)
}
func (English) FlakyCases(n, of int, which string) string {
	if n == 0 {
		return "no case"
	}
	return fmt.Sprintf("%d of %s: %s", n, plural(of, "case", "cases"), which)
}
func (English) NeedsNote(power string) string {
	return "Cases it takes, each asked once, to see a difference between two versions in " + power + " of comparisons; in brackets " +
		"how often the cases at hand must be asked instead, where that helps. These are minimums: a change that moves some cases more " +
		"than others needs more."
}
