package text

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// The tokenizers of sacreBLEU 2.6.0.

// bleu13a is the tokenizer 13a: mteval-v13a, which WMT uses.
func bleu13a(s string) []string {
	s = strings.ReplaceAll(strings.TrimRightFunc(s, isSpace), "<skipped>", "")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "-\n", ""), "\n", " ")
	return bleuSplit(" " + bleuEntities.Replace(s) + " ")
}

// bleuZh is the tokenizer zh: the characters of bleuSpaced are tokens of their own,
// and bleuSplit takes the rest. Entities stay as they are.
func bleuZh(s string) []string {
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
	return bleuSplit(b.String())
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

// Spaces go around ASCII punctuation except the apostrophe, around full stops and
// commas that are not between digits, and after a hyphen that follows a digit.
var (
	bleuEntities = strings.NewReplacer("&quot;", `"`, "&amp;", "&", "&lt;", "<", "&gt;", ">")
	bleuRules    = []struct {
		find func() *regexp.Regexp
		by   string
	}{
		{lazyregexp.New(`[!-&(-+/:-@\[-` + "`" + `{-~]`), " $0 "},
		{lazyregexp.New(`([^0-9])([.,])`), "$1 $2 "},
		{lazyregexp.New(`([.,])([^0-9])`), " $1 $2"},
		{lazyregexp.New(`([0-9])-`), "$1 - "},
	}
)

func bleuSplit(s string) []string {
	for _, rule := range bleuRules {
		s = rule.find().ReplaceAllString(s, rule.by)
	}
	return strings.FieldsFunc(s, isSpace)
}
