package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// findEmail finds addresses of mail.
func findEmail(s string, from int) (start, end int) {
	for i := from; ; i++ {
		next := strings.IndexByte(s[i:], '@')
		if next < 0 {
			return -1, -1
		}
		i += next
		start := localStart(s, from, i)
		if end := hostEnd(s, i+1); start < i && end > 0 && !isPicture(s[i+1:end]) {
			return start, end
		}
	}
}

// dense are the scripts that put no spaces between words: there an address ends where the
// script changes.
var dense = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// isAddressRune reports whether a letter, mark or digit belongs to an address, in which dense
// scripts are allowed or not.
func isAddressRune(r rune, isDense bool) bool {
	if r < utf8.RuneSelf {
		return isDigit(byte(r)) || isLetter(byte(r))
	}
	return r != utf8.RuneError && unicode.In(r, unicode.L, unicode.M, unicode.N) && (isDense || !unicode.In(r, dense...))
}

// localStart returns where the part before an "@" begins, not before from.
func localStart(s string, from, at int) int {
	const inner = ".-_+'!#$%&*^~"
	last, _ := utf8.DecodeLastRuneInString(s[from:at])
	isDense := unicode.In(last, dense...)
	i := at
	for i > from {
		r, n := utf8.DecodeLastRuneInString(s[from:i])
		if !isAddressRune(r, isDense) && (r >= utf8.RuneSelf || strings.IndexByte(inner, byte(r)) < 0) {
			break
		}
		i -= n
	}
	for i < at && strings.IndexByte(inner, s[i]) >= 0 && s[i] != '_' {
		i++ // such as the quote or the asterisks around an address
	}
	return i
}

// hostEnd returns the end of the name of a host that begins at i, with a top-level domain of
// two letters or more; 0 if there is none.
func hostEnd(s string, i int) int {
	first, _ := utf8.DecodeRuneInString(s[i:])
	isDense := unicode.In(first, dense...)
	end, labels := 0, 0
	for {
		label := i
		letters := 0
		for i < len(s) {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r != '-' && !isAddressRune(r, isDense) {
				break
			}
			if unicode.IsLetter(r) {
				letters++
			}
			i += n
		}
		text := s[label:i]
		if text == "" || text[0] == '-' {
			return end
		}
		if labels++; labels > 1 && (letters >= 2 && letters == utf8.RuneCountInString(text) || strings.HasPrefix(text, "xn--")) {
			end = i
		}
		if i+1 >= len(s) || s[i] != '.' {
			return end
		}
		i++
	}
}

// isPicture reports whether a host is the end of a file's name, as in icon@2x.png.
func isPicture(host string) bool {
	scale, ending, _ := strings.Cut(strings.ToLower(host), ".")
	if len(scale) != 2 || !isDigit(scale[0]) || scale[1] != 'x' {
		return false
	}
	switch ending {
	case "png", "jpg", "jpeg", "gif", "svg", "webp":
		return true
	}
	return false
}
