// Package text holds the few operations on language that retrieval, chunking
// and metrics share, so that they agree on what a token, a sentence and a
// Chinese character are.
package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// cjk holds the scripts whose words are not separated by spaces: Han, kana,
// Hangul syllables and bopomofo.
var cjk = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x3040, Hi: 0x30FF, Stride: 1}, {Lo: 0x3100, Hi: 0x312F, Stride: 1}, {Lo: 0x3400, Hi: 0x4DBF, Stride: 1},
		{Lo: 0x4E00, Hi: 0x9FFF, Stride: 1}, {Lo: 0xAC00, Hi: 0xD7AF, Stride: 1}, {Lo: 0xF900, Hi: 0xFAFF, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0x20000, Hi: 0x3134F, Stride: 1}},
}

// IsCJK reports whether r belongs to a script whose words are not separated by
// spaces.
func IsCJK(r rune) bool { return r >= 0x3040 && unicode.Is(cjk, r) }

// ShareCJK gives the share of letters and digits of s that are CJK, 0 to 1; 0
// when there are none.
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

// Normalize folds what does not change a text's meaning: Unicode NFKC, case
// folding, runs of white space to one space, none at the ends. It is
// idempotent.
func Normalize(s string) string {
	return Collapse(Fold(s))
}

// Fold applies NFKC and case folding.
func Fold(s string) string {
	// Folding can undo the normal form (ß → ss is harmless, but ΐ decomposes),
	// and normalising can bring new capitals (the ligature of "Ǆ"), hence twice.
	for range 2 {
		s = norm.NFKC.String(cases.Fold().String(norm.NFKC.String(s)))
	}
	return s
}

// Collapse turns runs of white space into one space and trims the ends.
func Collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// Tokens splits s at white space, and every CJK character into a token of its
// own. It neither folds nor drops anything but the white space.
func Tokens(s string) []string {
	var out []string
	start := -1
	for i, r := range s {
		if isCJK, isSpace := IsCJK(r), unicode.IsSpace(r); isCJK || isSpace {
			if start >= 0 {
				out = append(out, s[start:i])
				start = -1
			}
			if isCJK {
				out = append(out, s[i:i+len(string(r))])
			}
		} else if start < 0 {
			start = i
		}
	}
	if start >= 0 {
		out = append(out, s[start:])
	}
	return out
}
