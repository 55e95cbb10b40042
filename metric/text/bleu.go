package text

import (
	"math"
	"regexp"
	"strings"
	"unicode"

	"github.com/assay-eval/assay/internal/text"
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
	Source: "Papineni et al., ACL 2002; equals sacreBLEU 2.6.0's sentence_bleu (exponential smoothing, effective " +
		"order) with the tokenizer 13a, and for Chinese with zh",
	Unit:  "points",
	Range: [2]float64{0, 100},
}, func(_ metric.Params, answer, reference string) float64 { return bleu(answer, reference) })

const bleuOrder = 4

func bleu(answer, reference string) float64 {
	a, r := bleuTokens(answer), bleuTokens(reference)
	logs, orders, halvings := 0.0, 0, 0
	matched := false
	for n := 1; n <= bleuOrder && n <= len(a); n++ {
		total := float64(len(a) - n + 1)
		common := float64(bagOf(a, n).shared(bagOf(r, n)))
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

// The rules of mteval-v13a, which WMT uses: put spaces around ASCII punctuation
// except the apostrophe, around full stops and commas that are not between digits,
// and after a hyphen that follows a digit.
var (
	bleuEntities = strings.NewReplacer("&quot;", `"`, "&amp;", "&", "&lt;", "<", "&gt;", ">")
	bleuRules    = []struct {
		find *regexp.Regexp
		by   string
	}{
		{regexp.MustCompile(`[!-&(-+/:-@\[-` + "`" + `{-~]`), " $0 "},
		{regexp.MustCompile(`([^0-9])([.,])`), "$1 $2 "},
		{regexp.MustCompile(`([.,])([^0-9])`), " $1 $2"},
		{regexp.MustCompile(`([0-9])-`), "$1 - "},
	}
)

func bleuTokens(s string) []string {
	s = strings.ReplaceAll(strings.TrimRightFunc(s, unicode.IsSpace), "<skipped>", "")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "-\n", ""), "\n", " ")
	s = " " + spaceCJK(bleuEntities.Replace(s)) + " "
	for _, rule := range bleuRules {
		s = rule.find.ReplaceAllString(s, rule.by)
	}
	return strings.Fields(s)
}

// spaceCJK puts space around every CJK character and its punctuation.
func spaceCJK(s string) string {
	isCJK := func(r rune) bool {
		return text.IsCJK(r) || 0x3000 <= r && r <= 0x303F || 0xFF00 <= r && r <= 0xFFEF
	}
	if !strings.ContainsFunc(s, isCJK) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isCJK(r) {
			b.WriteString(" " + string(r) + " ")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
