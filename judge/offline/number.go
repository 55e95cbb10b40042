package offline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// otherNumber reports whether a sentence has a number that the claim lacks: only
// such a sentence can contradict a number of the claim.
func otherNumber(sentence string, c *claim) bool {
	return slices.ContainsFunc(text.Numbers(sentence), func(n text.Number) bool {
		return !slices.ContainsFunc(c.numbers, func(m text.Number) bool { return m.Key == n.Key })
	})
}

// spelled returns the numbers written as English words, such as "twelve", which
// [text.Numbers] does not read. "One" is mostly a pronoun and is left out.
func spelled(words []string) []text.Number {
	var out []text.Number
	for _, w := range words {
		if n, ok := numberWords[w]; ok {
			out = append(out, text.Number{Text: w, Key: strconv.Itoa(n)})
		}
	}
	return out
}

var numberWords = func() map[string]int {
	out := map[string]int{}
	for i, w := range strings.Fields("zero - two three four five six seven eight nine ten " +
		"eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty") {
		out[w] = i
	}
	for i, w := range strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety hundred") {
		out[w] = 10 * (i + 2)
	}
	return out
}()
