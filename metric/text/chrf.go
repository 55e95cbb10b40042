package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric"
)

// ChrF compares runs of characters and of words.
var ChrF = compared(metric.Def{
	Name:  "chrf",
	Title: "chrF++",
	Doc: "How many short runs of characters and of words the answer and the reference answer share. It " +
		"tolerates inflection and needs no word boundaries, so it suits every script.",
	Formula: "100 · 5PR / (4P + R), P and R the means of precision and recall over runs of 1…6 characters " +
		"without white space and of 1…2 words",
	Edges: "One ASCII punctuation mark at a word's end, else at its beginning, is a word of its own. A length that a side is too short " +
		"for is left out; an empty side gives 0. " +
		bestReference + "Case counts.",
	Source: "Popović, chrF++, WMT 2017; equals sacreBLEU 2.6.0's CHRF(word_order=2)",
	Unit:   "points",
	Range:  [2]float64{0, 100},
}, func(_ metric.Params, c comparison) float64 {
	words, others := c.tokens(byChrF)
	return chrF(characters(c.answer), characters(c.reference), words, others)
})

const (
	chrfCharacters = 6
	chrfWords      = 2
	chrfBeta       = 2
)

// chrF compares two texts by their characters and by their words.
func chrF(answer, reference, answerWords, referenceWords []uint32) float64 {
	var sum match
	lengths := 0
	compare := func(longest int, a, r []uint32) {
		shared := sharedRuns(longest, a, r)
		for n := 1; n <= longest && n <= min(len(a), len(r)); n++ {
			m := matchOf(shared[n-1], len(a)-n+1, len(r)-n+1)
			sum.precision += m.precision
			sum.recall += m.recall
			lengths++
		}
	}
	compare(chrfCharacters, answer, reference)
	compare(chrfWords, answerWords, referenceWords)
	if sum.precision+sum.recall == 0 {
		return 0
	}
	p, q := sum.precision/float64(lengths), sum.recall/float64(lengths)
	const b2 = chrfBeta * chrfBeta
	return 100 * (1 + b2) * p * q / (b2*p + q)
}

// characters returns the characters of a text without white space as numbers: that of
// Unicode, and beyond it for a byte that is not UTF-8.
func characters(s string) []uint32 {
	out := make([]uint32, 0, len(s))
	if text.ASCII(s) {
		for _, r := range s {
			if !isSpace(r) {
				out = append(out, uint32(r))
			}
		}
		return out
	}
	s = squeeze(s)
	for i, r := range s {
		c := uint32(r)
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				c = unicode.MaxRune + 1 + uint32(s[i])
			}
		}
		out = append(out, c)
	}
	return out
}

func squeeze(s string) string { return strings.Join(fields(s), "") }

// chrfTokens splits at white space, and splits one punctuation mark off each word.
func chrfTokens(s string) []string {
	words := fields(s)
	out := make([]string, 0, 2*len(words))
	for _, w := range words {
		last := len(w) - 1
		switch {
		case utf8.RuneCountInString(w) == 1:
			out = append(out, w)
		case isASCIIPunct(w[last]):
			out = append(out, w[:last], w[last:])
		case isASCIIPunct(w[0]):
			out = append(out, w[:1], w[1:])
		default:
			out = append(out, w)
		}
	}
	return out
}

func isASCIIPunct(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}
