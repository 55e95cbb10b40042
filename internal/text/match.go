package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// MatchLength is the number of runes that two texts must share before one counts as
// part of the other: shorter matches occur by chance.
const MatchLength = 20

// MatchLengthFor returns the match length for a passage: 10 if more than half of its
// letters are CJK, where 20 runes are a long sentence, else [MatchLength].
func MatchLengthFor(passage string) int {
	if ShareCJK(passage) > 0.5 {
		return MatchLength / 2
	}
	return MatchLength
}

// isPlain reports whether s is ASCII and already in match form, so that texts that are
// compared often are folded once.
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

// Contains reports whether one text is part of the other, in either direction, both in
// [MatchForm]. The shorter one must have at least minLen runes; an empty text is part
// of nothing.
func Contains(a, b string, minLen int) bool {
	a, b = MatchForm(a), MatchForm(b)
	if utf8.RuneCountInString(a) > utf8.RuneCountInString(b) {
		a, b = b, a
	}
	return a != "" && utf8.RuneCountInString(a) >= minLen && strings.Contains(b, a)
}

// Coverage returns the share of the passage's runes in substrings of at least block
// runes that also occur in some chunk, all in [MatchForm], 0 to 1. Unlike [Contains] it
// recognises a passage that a chunk boundary cut in two. It is 0 if the passage is
// shorter than block. A block below 1 counts as 1.
func Coverage(passage string, chunks []string, block int) float64 {
	passage = MatchForm(passage)
	covered := 0
	for _, s := range shared(passage, chunks, block) {
		covered += utf8.RuneCountInString(s)
	}
	return float64(covered) / float64(max(1, utf8.RuneCountInString(passage)))
}

// Covered returns the part of a passage that [Coverage] counts, a line for each stretch.
func Covered(passage string, chunks []string, block int) string {
	return strings.Join(shared(MatchForm(passage), chunks, block), "\n")
}

// shared returns the stretches of a passage, in [MatchForm], that chunks cover.
func shared(passage string, chunks []string, block int) (out []string) {
	block = max(block, 1)
	starts := runeStarts(passage)
	runes := len(starts) - 1
	if runes < block {
		return nil
	}
	// Every longer substring is a union of substrings of exactly block runes.
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
	from, end := 0, -1
	for i := 0; i+block <= runes; i++ {
		if !found[passage[starts[i]:starts[i+block]]] {
			continue
		}
		if i > end {
			out, from = append(out, ""), i
		}
		end = i + block
		out[len(out)-1] = passage[starts[from]:starts[end]]
	}
	return out
}

// runeStarts returns the byte offset of every rune of s, and the length of s.
func runeStarts(s string) []int {
	out := make([]int, 0, len(s)+1)
	for i := range s {
		out = append(out, i)
	}
	return append(out, len(s))
}

// HasKeyword reports whether the keyword occurs in s, both in [MatchForm]. A keyword
// may list alternatives, such as "colour|color"; any of them suffices. An alternative that
// begins and ends with CJK characters may occur anywhere but within a longer number; others must
// occur as a word, number or code of their own, where a CJK character counts as a separate
// word: "MTR" occurs in "搭MTR去" and not in "MTRC", "2.1" in "is 2.1." and not in "2.1-rc1". One of
// letters alone occurs in compounds, too: "Paris" in "Paris-based". Blank alternatives never occur.
func HasKeyword(s, keyword string) bool {
	s = MatchForm(s)
	coded := func(r rune) bool { return r != ' ' && !unicode.IsLetter(r) }
	for alt := range strings.SplitSeq(keyword, "|") {
		if alt = MatchForm(alt); alt != "" && mentioned(s, alt, !strings.ContainsFunc(alt, coded)) {
			return true
		}
	}
	return false
}

// occurs reports whether a text has a word at a place where it is whole.
func occurs(s, word string, whole func(s, word string, at int) bool) bool {
	for from := 0; ; {
		i := strings.Index(s[from:], word)
		if i < 0 {
			return false
		}
		i += from
		if whole(s, word, i) {
			return true
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		from = i + n
	}
}

// isOne reports whether a word at a place of a text is one of its [Words].
func isOne(s, word string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at+len(word):])
	return strings.ContainsFunc(word, IsCJK) || !isWord(before) && !isWord(after)
}

var (
	yearsAround = lazyregexp.New(`(?:^|\D)[12]\d{3}-[12]\d{3}(?:\D|$)`)
	groupBefore = lazyregexp.New(`(?:^|[^\d.,])\d{1,3} $`)
)

// isApart reports whether a word at a place of a text, in [MatchForm], is no part of a longer
// word, number, name or code: "/etc/vex.d", "2.10", "x-tenant-region", "c++", "1,500円", "十七天".
// Compounds count if compounds is set.
func isApart(s, word string, at int, compounds bool) bool {
	end := at + len(word)
	first, _ := utf8.DecodeRuneInString(word)
	last, _ := utf8.DecodeLastRuneInString(word)
	before, n := utf8.DecodeLastRuneInString(s[:at])
	after, m := utf8.DecodeRuneInString(s[end:])
	beyond, _ := utf8.DecodeRuneInString(s[end+m:])
	ahead, _ := utf8.DecodeLastRuneInString(s[:at-n])
	years := func(dash int) bool { return yearsAround().MatchString(s[max(0, dash-5):min(len(s), dash+6)]) }
	switch {
	case isNumeral(first) && isNumeral(before), isDigit(first) && pointed(s[:at]), isDigit(first) && strings.ContainsRune("-−", before) && !isWord(ahead),
		digits(word) == 3 && groupBefore().MatchString(s[max(0, at-5):at]),
		isNumeral(last) && isNumeral(after) && (isDigit(last) || strings.Trim(word, "第"+hanNumerals) == ""),
		IsCJK(last) && strings.ContainsRune("の之의", after) && isNumeral(beyond), // 第12条の2
		isWord(last) && strings.ContainsRune("+#", after):
		return false
	}
	cjk := strings.ContainsFunc(word, IsCJK)
	part := func(edge, next, beyond rune, dash int) bool {
		return isWord(next) || !compounds && joins(edge, next, beyond) && !(next == '-' && years(dash))
	}
	return (cjk && !isWord(first) || !part(first, before, ahead, at-1)) && (cjk && !isWord(last) || !part(last, after, beyond, end))
}

// isNumeral reports whether a number may have r, in digits or in Chinese numerals.
func isNumeral(r rune) bool { return isDigit(r) || strings.ContainsRune(hanNumerals, r) }

// joins reports whether numbers, paths, addresses and other codes go on over a character between two others.
func joins(edge, r, beyond rune) bool {
	switch r {
	case ',', ':':
		return isDigit(edge) && isDigit(beyond)
	case '.': // a letter and a digit are beside the end of a sentence: "Lyon.¹", "p.12"
		return isWord(beyond) && isDigit(edge) == isDigit(beyond)
	case '-', '/', '\\', '@', '⁄':
		return isWord(beyond)
	}
	return false
}

// isWord reports whether r continues an adjacent word.
func isWord(r rune) bool {
	return !IsCJK(r) && (r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r))
}
