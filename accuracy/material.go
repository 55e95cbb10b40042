package accuracy

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An element of the material: its name, its attributes in pairs, and its text.
func element(name, body string, attributes ...string) string {
	var b strings.Builder
	b.WriteString("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		b.WriteString(" " + attributes[i] + `="`)
		escape(&b, attributes[i+1], true)
		b.WriteByte('"')
	}
	b.WriteString(">\n")
	escape(&b, body, false)
	b.WriteString("\n</" + name + ">")
	return b.String()
}

// escape writes a text so that it cannot end its element, or pass for another,
// for the marks around the material or for the control words by which models
// tell whose turn it is. What is not seen is written as a number, what XML
// cannot hold as U+FFFD. In an attribute white space is one blank.
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
			b.WriteRune(r) // a byte that is no UTF-8 is U+FFFD here
		}
	}
}

// questionElement is the question that all but the marking of key questions is
// about.
func questionElement(question string) string { return element("sub_question", question) }

// chunkElements writes chunks, numbered from 1 as elements, and with an index
// from 0 by which the reply names them.
func chunkElements(chunks []labelled) string {
	var out []string
	for i, c := range chunks {
		out = append(out, element("chunk_"+strconv.Itoa(i+1), c.text, "doc", c.ref.DocumentID, "page", c.page, "index", strconv.Itoa(i)))
	}
	return strings.Join(out, "\n\n")
}
