package text

import (
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest returns the name most similar to a misspelt word, the first of several that
// are equally similar; "" if none is. Case is ignored. A third of the letters may
// differ, and two swapped letters are always accepted; a worse match is not a useful
// guess.
func Nearest(word string, names []string) string {
	word = strings.ToLower(word)
	n := len([]rune(word))
	limit := n/3 + 1
	if n >= 4 {
		limit = max(limit, 3)
	}
	best := ""
	for _, name := range names {
		if d := levenshtein.ComputeDistance(word, strings.ToLower(name)); d < limit || d == 0 {
			best, limit = name, d
		}
	}
	return best
}

// DidYouMean returns ": did you mean …?" with the name most similar to a misspelt word, or "".
func DidYouMean(word string, names []string) string {
	if near := Nearest(word, names); near != "" {
		return fmt.Sprintf(": did you mean %q?", near)
	}
	return ""
}
