package offline

import (
	"slices"
	"strconv"

	"github.com/assay-eval/assay/internal/text"
)

// otherNumber reports whether a sentence has a number that the claim lacks: only
// such a sentence can contradict a number of the claim.
func otherNumber(sentence string, c *claim) bool { return lacksNumber(text.Numbers(sentence), c) }

// lacksNumber reports whether a claim lacks one of the numbers.
func lacksNumber(numbers []text.Number, c *claim) bool {
	return slices.ContainsFunc(numbers, func(n text.Number) bool {
		return !slices.ContainsFunc(c.numbers, func(m text.Number) bool { return m.Key == n.Key })
	})
}

// spelled returns the numbers written as English words, such as "twelve", which
// [text.Numbers] does not read. "One" is mostly a pronoun and is left out.
func spelled(words []string) []text.Number {
	var out []text.Number
	for _, w := range words {
		if n, ok := known().Spelled[w]; ok {
			out = append(out, text.Number{Text: w, Key: strconv.Itoa(n)})
		}
	}
	return out
}
