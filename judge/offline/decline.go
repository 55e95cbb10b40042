package offline

import (
	"regexp"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// citation matches references to sources, such as [1] and [2, 3].
var citation = regexp.MustCompile(`\s*\[\d{1,3}(?:\s*[,-]\s*\d{1,3})*\]`)

// longestDecline is the length in bytes up to which a sentence may be a refusal or
// a courtesy: a longer one makes a claim.
const longestDecline = 600

// declines reports whether a sentence says that there is no answer.
func declines(sentence string) bool {
	return len(sentence) <= longestDecline && known().declining.MatchString(plain(sentence))
}

// plain is the form in which phrases are matched.
func plain(s string) string { return strings.ReplaceAll(text.Normalize(s), "’", "'") }
