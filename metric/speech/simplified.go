package speech

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"
)

// simplifiedTable is generated from OpenCC's tables by scripts/speech/tables.sh.
//
//go:embed simplified.txt
var simplifiedTable string

// A folding maps traditional to simplified characters.
type folding struct {
	characters map[rune]rune
	// phrases are keyed by their first character, longest first.
	phrases map[rune][][2]string
}

var simplified = sync.OnceValue(func() folding {
	f := folding{characters: map[rune]rune{}, phrases: map[rune][][2]string{}}
	characters, phrases, _ := strings.Cut(simplifiedTable, "\n")
	for characters != "" {
		traditional, n := utf8.DecodeRuneInString(characters)
		to, m := utf8.DecodeRuneInString(characters[n:])
		f.characters[traditional] = to
		characters = characters[n+m:]
	}
	for _, pair := range strings.Fields(phrases) {
		from, to, _ := strings.Cut(pair, "=")
		f.add(from, to)
		// A folded phrase does not change when folded again: 乾鹊 is not folded to 干鹊.
		f.add(to, to)
	}
	return f
})

func (f folding) add(from, to string) {
	first, _ := utf8.DecodeRuneInString(from)
	list := f.phrases[first]
	at := 0
	for at < len(list) && len(list[at][0]) >= len(from) {
		if list[at][0] == from {
			return
		}
		at++
	}
	list = append(list, [2]string{})
	copy(list[at+1:], list[at:])
	list[at] = [2]string{from, to}
	f.phrases[first] = list
}

// Simplify converts a text to simplified characters, one for one, so that texts
// that differ only in script become equal. Several traditional characters may
// have the same simplified form (乾, 幹 and 干 become 干), so use the result only
// for comparison, never for display. Simplify is idempotent.
//
// Matches OpenCC's t2s in characters and phrases.
func Simplify(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return s
	}
	f := simplified()
	var b strings.Builder
	b.Grow(len(s))
next:
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		for _, p := range f.phrases[r] {
			if strings.HasPrefix(s, p[0]) {
				b.WriteString(p[1])
				s = s[len(p[0]):]
				continue next
			}
		}
		if to, ok := f.characters[r]; ok {
			b.WriteRune(to)
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}
