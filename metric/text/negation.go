package text

import (
	"regexp"
	"strings"
)

// negation finds the words and characters that deny, in English and Chinese.
var negation = regexp.MustCompile(`(?i)\b(?:not|no|never|none|nobody|nothing|neither|nor|cannot|without|\w+n't)\b|[不沒没未無无冇唔非莫]`)

// affirmative holds Chinese words with a character that denies elsewhere, and
// the apostrophe that English texts write in two ways.
var affirmative = strings.NewReplacer("非常", "", "未來", "", "未来", "", "不但", "", "不僅", "", "不仅", "", "唔該", "",
	"無線", "", "无线", "", "莫非", "", "’", "'")

// NegationsDiffer reports whether one sentence denies an even and the other an
// odd number of times. It is a hint for a reader and no score: "not only" does
// not deny, and irony does without a word.
func NegationsDiffer(a, b string) bool {
	count := func(s string) int { return len(negation.FindAllStringIndex(affirmative.Replace(s), -1)) }
	return count(a)%2 != count(b)%2
}
