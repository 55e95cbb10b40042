package prompt

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Element returns an XML element on separate lines. body is text escaped by [Escape] or
// [EscapeTags]. attributes are alternating names and unescaped values.
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

// Escape escapes a text: it can neither end its element nor be mistaken for another
// element, for the delimiters around the data, or for control tokens that separate
// turns. Invisible characters become numeric references; those that are invalid in XML
// become U+FFFD.
func Escape(text string) string {
	var b strings.Builder
	escape(&b, text, false)
	return b.String()
}

// EscapeTags escapes only what could be mistaken for a tag. All other characters are
// unchanged, including invisible ones, which scripts such as Persian need.
func EscapeTags(text string) string { return tags.Replace(text) }

var tags = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// escape writes s escaped; in an attribute every white space becomes a space.
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
