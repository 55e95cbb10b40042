package text

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

var (
	escaped  = lazyregexp.New(`(?:\\+u[0-9a-fA-F]{4})+|\\+[ntr"/]`)
	unicode4 = lazyregexp.New(`[0-9a-fA-F]{4}`)
	inline   = lazyregexp.New(`(?i)</?(?:em|strong|mark|b|i|u|s|span|font|code|sup|sub|hl|highlight)(?:\s[^<>]*)?>`)
	strong   = lazyregexp.New("(?:\\*{1,3}|==|\\[\\[|`)([^\\s*=`\\[\\]](?:[^*=`\\[\\]\n]*[^\\s*=`\\[\\]])?)(?:\\*{1,3}|==|\\]\\]|`)")
	under    = lazyregexp.New(`(^|[^\pL\pN_]|\p{Han})_{1,3}([^\s_](?:[^_\n]*[^\s_])?)_{1,3}`)
)

// Rendered returns a text as its reader sees it: without the tags and signs that mark words up ("<em>80</em>", "**80**"),
// and with the escapes of JSON read. Texts are compared in it before [MatchForm] where one of them may be a rendering
// of the other.
func Rendered(s string) string {
	if strings.Contains(s, `\`) {
		s = escaped().ReplaceAllStringFunc(s, func(m string) string {
			switch m[len(m)-1] {
			case '"', '/':
				return m[len(m)-1:]
			case 'n', 't', 'r':
				return " "
			}
			var units []uint16
			for _, hex := range unicode4().FindAllString(m, -1) {
				unit, _ := strconv.ParseUint(hex, 16, 16) // four digits fit
				units = append(units, uint16(unit))
			}
			return string(utf16.Decode(units))
		})
	}
	if strings.Contains(s, "<") {
		s = inline().ReplaceAllString(s, "")
	}
	if strings.ContainsAny(s, "*=[`") {
		s = strong().ReplaceAllString(s, "$1")
	}
	if strings.Contains(s, "_") {
		s = under().ReplaceAllString(s, "$1$2")
	}
	return s
}
