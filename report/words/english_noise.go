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

// names lists names as a sentence does: "a, b and c".
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
