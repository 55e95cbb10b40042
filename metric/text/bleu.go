package text

import (
	"math"

	"github.com/assay-eval/assay/metric"
)

// BLEU compares runs of one to four words.
var BLEU = compared(metric.Def{
	Name:  "bleu",
	Title: "BLEU",
	Doc:   "How much of the answer's wording, in runs of up to four words, is that of the reference answer.",
	Formula: "100 · BP · exp(mean of log pₙ, n = 1…4), pₙ the share of the answer's runs of n words that the reference has, " +
		"BP = exp(1 − reference/answer) when the answer is shorter, else 1",
	Edges: "The k-th run length without a match counts as 1/(2^k · runs); lengths that the answer is too short for are left out; no " +
		"match at all gives 0, and so does an empty side. " +
		bestReference + "Case counts.",
	Source: "Papineni et al., ACL 2002; equals sacreBLEU 2.6.0's sentence_bleu (exponential smoothing, effective order) with one " +
		"reference; of several sacreBLEU pools the runs. Its tokenizers do not split kana or Hangul",
	Params:  []metric.Param{tokenizerParam},
	Unit:    "points",
	Range:   [2]float64{0, 100},
	Version: 2,
}, func(p metric.Params, c comparison) float64 {
	tokenizer := by13a
	if by := p.Word(tokenizerParam.Name); by == "zh" || by == "auto" && (hasHan(c.reference) || hasHan(c.in.Case.Question)) {
		tokenizer = byZh
	}
	return bleu(c.tokens(tokenizer))
})

var tokenizerParam = metric.Param{
	Name: "tokenizer", Default: "auto", Values: []string{"auto", "13a", "zh"},
	Doc: "which of sacreBLEU's tokenizers splits both texts: auto is zh where the question or the reference has a Han character, else 13a",
}

const bleuOrder = 4

func bleu(a, r []uint32) float64 {
	shared := sharedRuns(bleuOrder, a, r)
	logs, orders, halvings := 0.0, 0, 0
	matched := false
	for n := 1; n <= bleuOrder && n <= len(a); n++ {
		total := float64(len(a) - n + 1)
		common := float64(shared[n-1])
		if common == 0 {
			halvings++
			common = math.Ldexp(1, -halvings)
		} else {
			matched = true
		}
		logs += math.Log(common / total)
		orders++
	}
	if !matched {
		return 0
	}
	penalty := 1.0
	if len(a) < len(r) {
		penalty = math.Exp(1 - float64(len(r))/float64(len(a)))
	}
	return 100 * penalty * math.Exp(logs/float64(orders))
}
