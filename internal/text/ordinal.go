package text

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

var (
	ordinalWords = numbersFrom(1, 1, "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "+
		"fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth")
	ordinalEnd = lazyregexp.New(`^(?:st|nd|rd|th)\b`)
)

// ordinalWord returns the place that the word at i names, 0 for none, and the punctuation
// after it. After a number, "a" or "per", "second" is a time.
func ordinalWord(words []string, i int) (place int64, end string) {
	w := strings.TrimRight(words[i], numberEnds)
	if w == "second" && i > 0 {
		before := words[i-1]
		if IsNumber(before) || slices.Contains([]string{"a", "per", "each", "every"}, before) {
			return 0, ""
		}
	}
	return ordinalWords[w], words[i][len(w):]
}
