package text

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest gives the name that a misspelt word was most likely meant to be, the
// first of several that are equally near; "" when none is near. Case does not
// count. A third of the letters may be wrong, and always two that changed
// places; beyond that a guess is a joke.
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
