package offline

import (
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// otherNumber reports whether a sentence has a number that the claim lacks:
// without one there is nothing that a missing number of the claim could clash
// with.
func otherNumber(sentence string, c *claim) bool {
	for _, n := range text.Numbers(sentence) {
		known := false
		for _, m := range c.numbers {
			known = known || m.Key == n.Key
		}
		if !known {
			return true
		}
	}
	return false
}

// spelled gives the numbers that a text writes as English words, which
// [text.Numbers] does not read: "twelve". "One" is mostly a pronoun.
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
	for i, w := range strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty") {
		if w != "one" {
			out[w] = i
		}
	}
	for i, w := range strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety hundred") {
		out[w] = 10 * (i + 2)
	}
	return out
}()
