package prompt

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Element writes an XML element on lines of its own. body is escaped text, of
// [Escape] or [EscapeTags]. Attributes are names and plain values in turn.
func Element(name, body string, attributes ...string) string {
	var b strings.Builder
	b.WriteString("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		b.WriteString(" " + attributes[i] + `="`)
		escape(&b, attributes[i+1], true)
		b.WriteByte('"')
	}
	b.WriteString(">\n" + body + "\n</" + name + ">")
	return b.String()
}

// Escape writes a text so that it can neither end its element nor pass for
// another one, for the marks around the material, or for the control words by
// which models tell whose turn it is. Invisible characters become numbers, those
// that XML cannot hold U+FFFD.
func Escape(text string) string {
	var b strings.Builder
	escape(&b, text, false)
	return b.String()
}

// EscapeTags writes a text so that nothing in it can be taken for a tag. All
// other characters stay as they are, invisible ones included: scripts such as
// Persian need them in what a model answers from.
func EscapeTags(text string) string { return tags.Replace(text) }

var tags = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// escape writes an escaped text; in an attribute every white space is a blank.
func escape(b *strings.Builder, s string, attribute bool) {
	for i, r := range s {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '"' && attribute:
			b.WriteString("&quot;")
		case r == '[' && (strings.HasPrefix(s[i:], "[INST]") || strings.HasPrefix(s[i:], "[/INST]")):
			b.WriteString("&#91;")
		case r == '\n' || r == '\t' || r == '\r':
			if attribute {
				r = ' '
			}
			b.WriteRune(r)
		case r < ' ' || r == 0x7f || 0x80 <= r && r <= 0x9f || r == 0xfffe || r == 0xffff:
			b.WriteRune(utf8.RuneError)
		case unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point):
			fmt.Fprintf(b, "&#x%x;", r)
		default:
			b.WriteRune(r) // an invalid byte of UTF-8 is U+FFFD here
		}
	}
}
