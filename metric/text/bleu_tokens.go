package text

import (
	"strings"
	"unicode"
)

// The tokenizers of sacreBLEU 2.6.0.

// bleu13a is the tokenizer 13a: mteval-v13a, which WMT uses.
func bleu13a(s string) []string {
	s = strings.ReplaceAll(strings.TrimRightFunc(s, isSpace), "<skipped>", "")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "-\n", ""), "\n", " ")
	if strings.Contains(s, "&") {
		s = bleuEntities.Replace(s)
	}
	return bleuSplit(" " + s + " ")
}

// bleuZh is the tokenizer zh: the characters of bleuSpaced are tokens of their own,
// and bleuSplit takes the rest. Entities stay as they are.
func bleuZh(s string) []string { return bleuSplit(zhSpaced(s)) }

// zhSpaced puts spaces around the characters of bleuSpaced.
func zhSpaced(s string) string {
	var b strings.Builder
	for _, r := range strings.TrimFunc(s, isSpace) {
		if unicode.Is(bleuSpaced, r) {
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// bleuSpaced holds the characters that zh puts spaces around. From U+2001 to U+2A6D,
// with dashes, curly quotes and other symbols of all languages, and from U+2F81 to
// U+2FA1 they are what sacreBLEU's source means to be U+20000 to U+2A6D6 and
// U+2F800 to U+2FA1D, which zh therefore does not split.
var bleuSpaced = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x2001, Hi: 0x2A6D, Stride: 1},
	{Lo: 0x2E80, Hi: 0x2FDF, Stride: 1},
	{Lo: 0x2FF0, Hi: 0x303F, Stride: 1},
	{Lo: 0x3100, Hi: 0x312F, Stride: 1},
	{Lo: 0x31A0, Hi: 0x31BF, Stride: 1},
	{Lo: 0x31C0, Hi: 0x31EF, Stride: 1},
	{Lo: 0x3200, Hi: 0x4DB5, Stride: 1},
	{Lo: 0x4E00, Hi: 0x9FBB, Stride: 1},
	{Lo: 0xF900, Hi: 0xFA2D, Stride: 1},
	{Lo: 0xFA30, Hi: 0xFA6A, Stride: 1},
	{Lo: 0xFA70, Hi: 0xFAD9, Stride: 1},
	{Lo: 0xFE10, Hi: 0xFE1F, Stride: 1},
	{Lo: 0xFE30, Hi: 0xFE4F, Stride: 1},
	{Lo: 0xFF00, Hi: 0xFFEF, Stride: 1},
}}

var bleuEntities = strings.NewReplacer("&quot;", `"`, "&amp;", "&", "&lt;", "<", "&gt;", ">")

// A class is a set of bytes.
type class [256]bool

func classOf(has func(byte) bool) (c class) {
	for i := range c {
		c[i] = has(byte(i))
	}
	return c
}

var (
	// bleuAlone are the characters that spaces go around wherever they stand: ASCII
	// punctuation except the apostrophe, the comma, the hyphen and the full stop.
	bleuAlone = classOf(func(b byte) bool { return isASCIIPunct(b) && !strings.ContainsRune("',-.", rune(b)) })
	bleuPoint = classOf(func(b byte) bool { return b == '.' || b == ',' })
	bleuDash  = classOf(func(b byte) bool { return b == '-' })
	bleuDigit = classOf(func(b byte) bool { return '0' <= b && b <= '9' })
	bleuOther = classOf(func(b byte) bool { return !bleuDigit[b] })
)

// bleuSplit puts spaces around ASCII punctuation except the apostrophe, around full stops
// and commas that are not between digits, and after a hyphen that follows a digit, and
// splits at white space. It has the rules of sacreBLEU, one after the other; a byte of a
// character beyond ASCII is no digit, as the character is none.
func bleuSplit(s string) []string {
	b := make([]byte, 0, 2*len(s)+16)
	for i := range len(s) {
		if bleuAlone[s[i]] {
			b = append(b, ' ', s[i], ' ')
		} else {
			b = append(b, s[i])
		}
	}
	other := make([]byte, 0, 2*cap(b))
	other = parted(other, b, &bleuOther, &bleuPoint, "", " ")
	b = parted(b[:0], other, &bleuPoint, &bleuOther, " ", "")
	other = parted(other[:0], b, &bleuDigit, &bleuDash, "", " ")
	return fields(string(other))
}

// parted appends a text in which a space parts two bytes of the classes that stand side by
// side, with more text before and after the two. They are found from left to right, and
// none is in two pairs.
func parted(to, text []byte, first, second *class, before, after string) []byte {
	for i := 0; i < len(text); i++ {
		if i+1 < len(text) && first[text[i]] && second[text[i+1]] {
			to = append(append(append(to, before...), text[i], ' ', text[i+1]), after...)
			i++
			continue
		}
		to = append(to, text[i])
	}
	return to
}
