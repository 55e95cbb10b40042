package offline

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
)

// citation matches references to sources, such as [1] and [2, 3].
var citation = lazyregexp.New(`\s*\[\d{1,3}(?:\s*[,-]\s*\d{1,3})*\]`)

// longestDecline is the length in bytes up to which a sentence may be a refusal or
// a courtesy: a longer one makes a claim.
const longestDecline = 600

// Declines reports whether an answer says that there is no answer, and claims nothing
// else. An answer without a word declines too; a question in return does not.
func Declines(question, answer string) bool {
	if !slices.ContainsFunc(text.Sentences(answer), func(p text.Span) bool { return declines(claimIn(p.Of(answer))) }) {
		return !hasWord(answer)
	}
	r, declined := reading(question, answer)
	return r.Kind == judge.Empty || r.Kind == judge.Abstained && declined
}

// declines reports whether a sentence says that there is no answer.
func declines(sentence string) bool {
	if len(sentence) > longestDecline {
		return false
	}
	said := plain(sentence)
	for i, may := range known().screens.May(said) {
		if may && known().declining[i].MatchString(said) {
			return true
		}
	}
	return false
}

// plain is the form in which phrases are matched.
func plain(s string) string { return strings.ReplaceAll(text.Normalize(s), "’", "'") }
