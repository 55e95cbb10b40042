package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/report/document"
)

// special holds the characters that mean something within a line of Markdown
// in the dialects that matter (CommonMark, GitHub). The colon and the full stop
// are among them only where they would make a link of a bare address.
const special = "\\`*_[]<>|~&$"

// Inline makes a text one line of Markdown that shows as it is: nothing in it
// is markup, a link, an image, a mention or the start of a block.
func Inline(s string) string { return opening(Escape(document.Line(s))) }

// Escape neutralises a line of visible text.
func Escape(s string) string {
	var b strings.Builder
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		switch {
		case strings.ContainsRune(special, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == ':' && strings.HasPrefix(s[i:], "://"), r == '.' && www(s[:i]):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '@' && (mention(s[:i], next) || address(s[i+1:])), r == '#' && unicode.IsDigit(next):
			// An escape does not stop GitHub from making a mention, a mail
			// address or an issue of it; a space without width does.
			b.WriteRune(r)
			b.WriteString("&#8203;")
		case r == '!' && next == '[':
			b.WriteString(`\!`)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// mention reports whether an "@" between these makes a mention on GitHub, which
// "recall@5" does not.
func mention(before string, next rune) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	return isName(next) && !isName(last)
}

// address reports whether what follows an "@" reads as a host, so that the
// whole reads as a mail address.
func address(after string) bool {
	host := after
	if end := strings.IndexFunc(after, func(r rune) bool { return !isName(r) && r != '-' && r != '.' }); end >= 0 {
		host = after[:end]
	}
	return strings.Contains(strings.TrimRight(host, "."), ".")
}

func isName(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// www reports whether the text ends in the start of an address like www.
func www(before string) bool {
	return len(before) >= 3 && strings.EqualFold(before[len(before)-3:], "www")
}

// opening escapes what would begin a block at the start of a line: a heading,
// a list, a rule, a table's delimiter.
func opening(s string) string {
	if s == "" {
		return s
	}
	if strings.ContainsRune("#-+=:", rune(s[0])) {
		return `\` + s
	}
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits > 0 && digits < len(s) && (s[digits] == '.' || s[digits] == ')') && (digits+1 == len(s) || s[digits+1] == ' ') {
		return s[:digits] + `\` + s[digits:]
	}
	return s
}

// Quote makes a text of several lines a Markdown quotation, without the line
// end at its end.
func Quote(s string) string {
	lines := strings.Split(strings.TrimSpace(text.Visible(s)), "\n")
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		l = opening(Escape(strings.Join(strings.Fields(l), " ")))
		b.WriteString(strings.TrimRight("> "+l, " "))
		if l != "" && i+1 < len(lines) && strings.TrimSpace(lines[i+1]) != "" {
			b.WriteByte('\\') // keeps the line break
		}
	}
	return b.String()
}

// Code makes a text of one line a code span, with as many backquotes around it
// as it takes.
func Code(s string) string {
	s = strings.ReplaceAll(document.Line(s), "|", "¦")
	if s == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}
