package text

import (
	"strings"
	"unicode"
)

// Scripts are the writing systems of [Script]; the last stands for all others.
var Scripts = []string{"latin", "han", "kana", "hangul", "cyrillic", "greek", "arabic", "hebrew", "devanagari", "thai", "other"}

// scriptTables are in the order of Scripts, without the last.
var scriptTables = [][]*unicode.RangeTable{
	{unicode.Latin}, {unicode.Han}, {unicode.Hiragana, unicode.Katakana}, {unicode.Hangul}, {unicode.Cyrillic}, {unicode.Greek},
	{unicode.Arabic}, {unicode.Hebrew}, {unicode.Devanagari}, {unicode.Thai},
}

// scriptOf returns the place of the writing system of a letter in Scripts; ok is false if it
// is no letter.
func scriptOf(r rune) (at int, ok bool) {
	switch {
	case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
		return 0, true
	case 0x4E00 <= r && r <= 0x9FFF:
		return 1, true
	case r < 0x80 || !unicode.IsLetter(r):
		return 0, false
	}
	for i, tables := range scriptTables {
		if unicode.In(r, tables...) {
			return i, true
		}
	}
	return len(Scripts) - 1, true
}

func isAnyDigit(r rune) bool { return '0' <= r && r <= '9' || r > 0x80 && unicode.IsDigit(r) }

// Script returns the writing system of most letters of s: "latin", "han", and so on, as in
// [Scripts]; "other" for one that is not among them, "" if there are no letters. Of two
// with as many letters it is the first of the list.
func Script(s string) string {
	var counts [16]int
	letters := 0
	for _, r := range s {
		if at, ok := scriptOf(r); ok {
			counts[at]++
			letters++
		}
	}
	if letters == 0 {
		return ""
	}
	best := 0
	for at := range Scripts {
		if counts[at] > counts[best] {
			best = at
		}
	}
	return Scripts[best]
}

// HasDigits reports whether s has a digit of any script.
func HasDigits(s string) bool { return strings.ContainsFunc(s, isAnyDigit) }
