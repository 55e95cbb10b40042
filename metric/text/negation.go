package text

import (
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// negation matches words and characters that negate, in English and Chinese.
var negation = lazyregexp.New(`(?i)\b(?:not|no|never|none|nobody|nothing|neither|nor|cannot|without|\w+n't)\b|[不沒没未無无冇唔非莫]`)

// affirmative removes Chinese words that contain a negating character but do not
// negate, and unifies the two forms of the apostrophe in English texts.
var affirmative = strings.NewReplacer("非常", "", "未來", "", "未来", "", "不但", "", "不僅", "", "不仅", "", "唔該", "",
	"無線", "", "无线", "", "莫非", "", "’", "'")

// NegationsDiffer reports whether the number of negations is even in one sentence
// and odd in the other. It is a hint for readers, not a score: "not only" does not
// negate, and irony negates without a word.
func NegationsDiffer(a, b string) bool {
	count := func(s string) int { return len(negation().FindAllStringIndex(affirmative.Replace(s), -1)) }
	return count(a)%2 != count(b)%2
}
