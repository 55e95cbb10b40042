package text

import (
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
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
}, func(_ *assay.Case, _ metric.Params, answer, reference string) float64 { return chrF(answer, reference) })

const (
	chrfCharacters = 6
	chrfWords      = 2
	chrfBeta       = 2
)

func chrF(answer, reference string) float64 {
	var sum match
	lengths := 0
	compare := func(a, r bag, na, nr int) {
		if na > 0 && nr > 0 {
			m := matchOf(a.shared(r), na, nr)
			sum.precision += m.precision
			sum.recall += m.recall
			lengths++
		}
	}
	a, r := squeeze(answer), squeeze(reference)
	for n := 1; n <= chrfCharacters; n++ {
		ab, an := characterRuns(a, n)
		rb, rn := characterRuns(r, n)
		compare(ab, rb, an, rn)
	}
	aw, rw := chrfTokens(answer), chrfTokens(reference)
	for n := 1; n <= chrfWords; n++ {
		compare(bagOf(aw, n), bagOf(rw, n), len(aw)-n+1, len(rw)-n+1)
	}
	if sum.precision+sum.recall == 0 {
		return 0
	}
	p, q := sum.precision/float64(lengths), sum.recall/float64(lengths)
	const b2 = chrfBeta * chrfBeta
	return 100 * (1 + b2) * p * q / (b2*p + q)
}

func squeeze(s string) string { return strings.Join(strings.FieldsFunc(s, isSpace), "") }

// characterRuns counts each run of n characters, and returns the total number of runs.
func characterRuns(s string, n int) (bag, int) {
	b := bag{}
	total, first, length := 0, 0, 0
	for end := range s {
		if length == n {
			b[s[first:end]]++
			total++
			_, size := utf8.DecodeRuneInString(s[first:])
			first += size
			length--
		}
		length++
	}
	if length == n {
		b[s[first:]]++
		total++
	}
	return b, total
}

// chrfTokens splits at white space, and splits one punctuation mark off each word.
func chrfTokens(s string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(s, isSpace) {
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
