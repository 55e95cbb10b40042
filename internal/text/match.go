package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MatchLength is the number of runes that two texts must share before one is
// taken to be a part of the other: shorter strings turn up by chance.
const MatchLength = 20

// MatchLengthFor gives the length to ask of a passage: 10 when more than half
// of its letters are CJK, where 20 runes are a long sentence, else
// [MatchLength].
func MatchLengthFor(passage string) int {
	if ShareCJK(passage) > 0.5 {
		return MatchLength / 2
	}
	return MatchLength
}

// MatchForm is the form in which texts are compared: [Normalize], and without
// what is not seen, namely soft hyphens, zero-width characters and byte order
// marks, which PDF and HTML leave behind. It is idempotent.
func MatchForm(s string) string {
	if isPlain(s) {
		return s
	}
	return Normalize(strings.Map(func(r rune) rune {
		if isInvisible(r) {
			return -1
		}
		return r
	}, s))
}

// isPlain reports whether s is ASCII and in match form already, so that texts
// compared many times are folded once.
func isPlain(s string) bool {
	space := true
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ':
			if space {
				return false
			}
			space = true
		case c < ' ', c >= utf8.RuneSelf, 'A' <= c && c <= 'Z':
			return false
		default:
			space = false
		}
	}
	return !space || s == ""
}

func isInvisible(r rune) bool {
	switch r {
	case 0x00AD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF:
		return true
	}
	return false
}

// Contains reports whether one of the two texts is a part of the other, both in
// [MatchForm]. The shorter must have at least minLen runes; an empty text is a
// part of nothing. Which of the two is which does not matter.
func Contains(a, b string, minLen int) bool {
	a, b = MatchForm(a), MatchForm(b)
	if utf8.RuneCountInString(a) > utf8.RuneCountInString(b) {
		a, b = b, a
	}
	return a != "" && utf8.RuneCountInString(a) >= minLen && strings.Contains(b, a)
}

// Coverage gives the share of the passage's runes that lie in a stretch of at
// least block runes which some chunk has too, all in [MatchForm]. It finds a
// passage that a chunk border cut in two, which [Contains] does not. 0 to 1; 0
// when the passage is shorter than block. A block below 1 counts as 1.
func Coverage(passage string, chunks []string, block int) float64 {
	block = max(block, 1)
	passage = MatchForm(passage)
	starts := runeStarts(passage)
	runes := len(starts) - 1
	if runes < block {
		return 0
	}
	// Every longer stretch is a union of stretches of exactly block runes.
	found := make(map[string]bool, runes)
	for i := 0; i+block <= runes; i++ {
		found[passage[starts[i]:starts[i+block]]] = false
	}
	for _, c := range chunks {
		c = MatchForm(c)
		at := runeStarts(c)
		for i := 0; i+block < len(at); i++ {
			if w := c[at[i]:at[i+block]]; !found[w] {
				if _, known := found[w]; known {
					found[w] = true
				}
			}
		}
	}
	covered, end := 0, 0
	for i := 0; i+block <= runes; i++ {
		if found[passage[starts[i]:starts[i+block]]] {
			covered += i + block - max(i, end)
			end = i + block
		}
	}
	return float64(covered) / float64(runes)
}

// runeStarts gives the byte offset of every rune of s, and the length of s.
func runeStarts(s string) []int {
	out := make([]int, 0, len(s)+1)
	for i := range s {
		out = append(out, i)
	}
	return append(out, len(s))
}

// HasKeyword reports whether the keyword occurs in s, both in [MatchForm]. A
// keyword may hold alternatives, as "colour|color"; any of them will do. An
// alternative with a CJK character may stand anywhere; another must stand as a
// word, with no letter, digit or underscore beside it, where a CJK character
// is a word of its own: "MTR" occurs in "搭MTR去" and not in "MTRC". Blank
// alternatives never occur.
func HasKeyword(s, keyword string) bool {
	s = MatchForm(s)
	for alt := range strings.SplitSeq(keyword, "|") {
		if alt = MatchForm(alt); alt != "" && occurs(s, alt) {
			return true
		}
	}
	return false
}

func occurs(s, word string) bool {
	if strings.ContainsFunc(word, IsCJK) {
		return strings.Contains(s, word)
	}
	for from := 0; ; {
		i := strings.Index(s[from:], word)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i+len(word):])
		if !isWord(before) && !isWord(after) {
			return true
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		from = i + n
	}
}

// isWord reports whether r goes on with a word that it stands beside.
func isWord(r rune) bool {
	return !IsCJK(r) && (r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r))
}
