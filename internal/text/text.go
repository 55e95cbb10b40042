// Package text holds the language operations that retrieval, chunking and metrics
// share, so that they agree on tokens, sentences, Chinese characters, and the alignment
// of two lists of tokens.
package text

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// cjk holds the scripts without spaces between words: Han with its iteration mark and
// zero, kana, Hangul syllables and bopomofo.
var cjk = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x3005, Hi: 0x3007, Stride: 1}, {Lo: 0x3040, Hi: 0x312F, Stride: 1}, {Lo: 0x31A0, Hi: 0x31BF, Stride: 1},
		{Lo: 0x31F0, Hi: 0x31FF, Stride: 1}, {Lo: 0x3400, Hi: 0x4DBF, Stride: 1}, {Lo: 0x4E00, Hi: 0x9FFF, Stride: 1},
		{Lo: 0xAC00, Hi: 0xD7AF, Stride: 1}, {Lo: 0xF900, Hi: 0xFAFF, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0x1AFF0, Hi: 0x1B16F, Stride: 1}, {Lo: 0x20000, Hi: 0x323AF, Stride: 1}},
}

// IsCJK reports whether r belongs to a script without spaces between words.
func IsCJK(r rune) bool { return r >= 0x3005 && unicode.Is(cjk, r) }

// ShareCJK returns the share of letters and digits of s that are CJK, 0 to 1; 0 if
// there are none.
func ShareCJK(s string) float64 {
	var han, all int
	for _, r := range s {
		switch {
		case IsCJK(r):
			han++
			all++
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			all++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(han) / float64(all)
}

// Normalize removes differences that do not change a text's meaning: Unicode NFKC, case
// folding, runs of white space to one space, none at the ends. It is idempotent.
func Normalize(s string) string {
	if folded, ok := normalASCII(s); ok {
		return folded
	}
	return Collapse(Fold(s))
}

// normalASCII is [Normalize] for a text in ASCII; ok is false for another one.
func normalASCII(s string) (folded string, ok bool) {
	if isPlain(s) {
		return s, true
	}
	out := make([]byte, 0, len(s))
	space := false // before the next character
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= utf8.RuneSelf:
			return "", false
		case c == ' ' || '\t' <= c && c <= '\r':
			space = len(out) > 0
			continue
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		if space {
			out = append(out, ' ')
			space = false
		}
		out = append(out, c)
	}
	return string(out), true
}

// Fold applies NFKC, case folding and [Seen]. It is idempotent. A run of invalid UTF-8
// becomes one U+FFFD.
func Fold(s string) string {
	if !strings.ContainsFunc(s, needsTables) {
		return strings.ToLower(strings.Map(halfWidth, s))
	}
	// NFKC is applied first because it creates new capitals (𝐀 is a mathematical A),
	// and again because folding undoes it (ΐ decomposes).
	s = norm.NFKC.String(strings.ToValidUTF8(s, string(utf8.RuneError)))
	s = Seen(s)
	return norm.NFKC.String(cases.Fold().String(lowerCherokee(s)))
}

// Seen removes the characters that no reader sees: soft hyphens, joiners, variation
// selectors and marks of direction, but not white space and controls.
func Seen(s string) string {
	return strings.Map(func(r rune) rune {
		if ignorable(r) {
			return -1
		}
		return r
	}, s)
}

// ignorable reports whether r is default-ignorable in Unicode. The zero-width space is
// not counted: it parts words.
func ignorable(r rune) bool {
	return r >= 0xAD && r != 0x200B && (r < 0xFFF9 || r > 0xFFFB) &&
		unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// needsTables reports whether folding r may need more than lower case, since the tables
// are slow. It is false for English and Western European prose, Han, kana, Hangul and
// full-width ASCII, none of which NFKC composes with another rune.
func needsTables(r rune) bool {
	switch {
	case r < utf8.RuneSelf, 0x4E00 <= r && r <= 0x9FFF:
		return false
	case 0xC0 <= r && r <= 0xFF:
		return r == 'ß'
	case 0xFF01 <= r && r <= 0xFF5E, 0x3000 <= r && r <= 0x3020, 0x3041 <= r && r <= 0x3096, 0x30A1 <= r && r <= 0x30FE, 0x3400 <= r &&
		r <= 0x4DBF, 0xAC00 <= r && r <= 0xD7A3:
		return false
	}
	return !strings.ContainsRune("–—‘’“”", r)
}

// halfWidth returns the ASCII character of a full-width one.
func halfWidth(r rune) rune {
	switch {
	case 0xFF01 <= r && r <= 0xFF5E:
		return r - 0xFF01 + '!'
	case r == 0x3000:
		return ' '
	}
	return r
}

// lowerCherokee maps both cases of Cherokee to one, which x/text's folding swaps
// instead.
func lowerCherokee(s string) string {
	isCapital := func(r rune) bool { return 0x13A0 <= r && r <= 0x13F5 }
	if !strings.ContainsFunc(s, isCapital) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isCapital(r) {
			return unicode.ToLower(r)
		}
		return r
	}, s)
}

// Collapse reduces runs of white space to one space and trims the ends.
func Collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// Tokens splits s at white space, and makes every CJK character a token. It does not
// fold or drop anything except the white space.
func Tokens(s string) []string {
	var out []string
	for p := range tokens(s) {
		if out == nil {
			// Words have about five letters.
			out = make([]string, 0, len(s)/6+1)
		}
		out = append(out, p.Of(s))
	}
	return out
}

// TokenSpans returns the spans of the tokens of [Tokens].
func TokenSpans(s string) []Span { return slices.Collect(tokens(s)) }

// tokens yields the spans of the tokens of [Tokens].
func tokens(s string) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		start := -1
		for i, r := range s {
			isCJK := IsCJK(r)
			if !isCJK && !isSpace(r) {
				if start < 0 {
					start = i
				}
				continue
			}
			if start >= 0 && !yield(Span{start, i}) {
				return
			}
			start = -1
			if isCJK && !yield(Span{i, i + utf8.RuneLen(r)}) {
				return
			}
		}
		if start >= 0 {
			yield(Span{start, len(s)})
		}
	}
}

// isSpace is [unicode.IsSpace], inlined for the letters of ASCII.
func isSpace(r rune) bool { return (r <= ' ' || r >= utf8.RuneSelf) && unicode.IsSpace(r) }
